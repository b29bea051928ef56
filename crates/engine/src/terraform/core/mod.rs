//! The walks over a configuration: validate, plan, apply (upstream: terraform's terraform package).
//!
//! A `Walk` is a value that goes on whenever something it waits for has come: `advance` does all that can be done now
//! and says what to wait for. Up to `parallelism` objects are worked on at once, each with its own memory of answers.

mod apply;
mod checks;
mod conclude;
mod condition;
mod evaluate;
mod event;
mod graph;
mod imports;
mod impure;
mod instance;
mod moves;
mod proposed;
mod providers;
mod provision;
mod repetition;
mod results;
mod scope;
mod walk;

pub use event::{Event, Happening, id_of, id_or_name};
pub use graph::{Graph, Item, is_resource};
pub use imports::address_of;
pub use moves::{Subject, subject};
#[cfg(test)]
pub use proposed::proposed;
pub use scope::{Expansion, Place, Values};
pub use walk::{MachineFiles, Options, Phase, Progress, Target, Walk, static_name};
