//! Drydock engine.
