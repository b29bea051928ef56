//! Terraform (upstream: hashicorp/terraform 1.16 with hashicorp/hcl and go-cty).
//!
//! The language is three modules that know nothing of resources:
//! - `hcl`: `parse(file, text)` gives a `Body` of attributes and blocks with places, and `Diagnostic`s.
//! - `value`: `Value` and `Type`, conversion and unification, JSON, texts of values.
//! - `eval`: `eval(&expression, &scope)` gives a `Value` and `Diagnostic`s; a `Scope` answers references.

pub mod address;
pub mod command;
pub mod config;
pub mod core;
pub mod plan;
pub mod provider;
pub mod render;
pub mod schema;
pub mod state;
pub mod value;

pub mod hcl;

pub mod eval;
