//! Images, containers, their processes and built-in programs.
