//! YAML 1.1 as kubectl reads it, with positions and its exact error texts.
