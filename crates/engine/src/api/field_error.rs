//! Field errors and their texts.
