//! `kubectl describe`.
