//! Go's %q and %v.
