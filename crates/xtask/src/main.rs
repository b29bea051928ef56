//! Chores: `cargo xtask <command>`.

mod schema;

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("schema") => match schema::run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("schema: {error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("usage: cargo xtask schema");
            ExitCode::from(2)
        }
    }
}
