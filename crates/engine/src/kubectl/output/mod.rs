//! The output formats that kubectl makes itself.

pub mod custom_columns;
pub mod go_template;
pub mod jsonpath;
pub mod ordered;
