//! Line differences.
