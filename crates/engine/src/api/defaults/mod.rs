//! Defaults of all kinds, in the order the API server sets them.
