//! Strict decoding: what a request body may contain, with the texts kubectl shows.
