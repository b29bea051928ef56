//! The shell language and the small tools, for containers and the workstation.
