//! The door: a cluster and a workstation on one clock.
