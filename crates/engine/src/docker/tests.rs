//! The Engine behind its door.
