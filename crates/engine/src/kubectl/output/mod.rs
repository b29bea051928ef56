//! The output formats that kubectl makes itself.

pub mod custom_columns;
pub mod jsonpath;
pub mod ordered;
pub mod go_template;
