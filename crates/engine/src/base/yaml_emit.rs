//! YAML as kubectl -o yaml writes it.
