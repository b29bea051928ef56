//! Go durations and kubectl's human ones.
