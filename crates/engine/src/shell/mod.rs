//! The shell language and the small tools.

mod ast;
mod brace;
mod escape;
mod parse;
mod word;
