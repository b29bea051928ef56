//! Terraform (upstream: hashicorp/terraform 1.16 with hashicorp/hcl and go-cty).
//!
//! The language is three modules that know nothing of resources; everything else stands on them.
//!
//! - `hcl`: `parse(file, text)` gives a `Body` of attributes and blocks with places, and `Diagnostic`s;
//!   `parse_expression` reads one expression (`-var`), `format` is `terraform fmt`. `sort`, `consolidate` and `render`
//!   make the text of diagnostics from data: `Layout` says how wide, in a box or plain, with colours or without.
//! - `value`: `Value` and `Type` (nulls, unknown values, marks), `convert` and `unify`, JSON (`encode`, `decode_as`,
//!   `type_json`), the console's text (`text::console`).
//! - `eval`: `eval(&expression, &scope)` gives a `Value` and `Diagnostic`s. A `Scope` answers references: it takes the
//!   whole reference, says what its leading steps stand for and how many they are. Whatever it refuses is told alone,
//!   before anything is evaluated. `eval_as` converts too; `blame` puts the values of an expression's references under
//!   a diagnostic of one's own; `constraint::read` reads `type` arguments with their defaults.

pub mod address;
pub mod command;
pub mod config;
pub mod core;
mod json;
pub mod plan;
pub mod provider;
pub mod render;
pub mod schema;
pub mod state;
pub mod value;

pub mod hcl;

pub mod eval;

mod examine;

pub use examine::{count, examine};

/// The command as it is installed on the workstation.
#[inline(never)]
pub fn program(args: &[String]) -> Box<dyn crate::process::Program> {
    command::program(args, provider::Providers::default())
}
