//! The language's text (upstream: hashicorp/hcl, native syntax): tokens, tree, diagnostics and their layout, `fmt`.
//!
//! The parser never fails: it hands out what it could read and a list of diagnostics. Left out: the JSON syntax.

mod ast;
mod diagnostic;
mod expression;
mod format;
mod lexer;
mod literal;
mod pages;
mod parser;
pub mod report;
mod template;
mod traversal;

pub use ast::{
    Attribute, BinaryOp, Block, Body, Call, Conditional, Expr, ExprKind, For, Index, Item, Pos, Range, Splat, Step,
    StepKind, Traversal, UnaryOp,
};
pub use diagnostic::{Diagnostic, Severity, did_you_mean, did_you_mean_nearest, has_errors, suggestion};
pub use format::format;
use lexer::Tok;
pub use lexer::is_name;
pub use pages::Pages;
use parser::Parser;
pub use report::{Layout, consolidate, header_text, render, sort, wrap};
pub use traversal::{parse_traversal, parse_traversal_at};

/// Reads a configuration file (`.tf`, `.tfvars`).
pub fn parse(file: &str, source: &str) -> (Body, Vec<Diagnostic>) {
    let tokens = lexer::scan(source);
    let mut parser = Parser::new(file, source, &tokens);
    let body = parser.body(Tok::Eof);
    (body, diagnostics(parser.diagnostics, &tokens, source, file))
}

/// Reads one expression: a `-var` value, a line of the console.
pub fn parse_expression(file: &str, source: &str) -> (Expr, Vec<Diagnostic>) {
    let tokens = lexer::scan(source);
    let mut parser = Parser::new(file, source, &tokens);
    let expr = parser.whole_expression();
    (expr, diagnostics(parser.diagnostics, &tokens, source, file))
}

/// Reads a bare template: what `templatefile` and `templatestring` evaluate.
pub fn parse_template(file: &str, source: &str) -> (Expr, Vec<Diagnostic>) {
    let tokens = lexer::scan_template(source);
    let mut parser = Parser::new(file, source, &tokens);
    let expr = parser.whole_template();
    (expr, diagnostics(parser.diagnostics, &tokens, source, file))
}

/// Signs that no language has are told first.
fn diagnostics(found: Vec<Diagnostic>, tokens: &[lexer::Token], source: &str, file: &str) -> Vec<Diagnostic> {
    let mut all = lexer::check(tokens, source, &file.into());
    all.extend(found);
    all
}
