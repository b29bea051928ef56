//! Setup and inputs with their instants: all it takes to see the same thing again.

use crate::base::Time;
use crate::cluster::Setup;

#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A line typed at the prompt.
    Line(String),
    /// Text typed while a program reads.
    Bytes(String),
    /// A command in a shell of its own, beside the prompt.
    Job(String),
    /// The end of a container by somebody else's hand (`Cluster::kill`).
    Kill(String),
    /// Ctrl+C
    Interrupt,
    /// Ctrl+D
    EndOfInput,
    WriteFile {
        path: String,
        text: String,
    },
    RemoveFile {
        path: String,
    },
    /// The terminal's size from now on.
    Resize {
        columns: u16,
        rows: u16,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub setup: Setup,
    pub inputs: Vec<(Time, Input)>,
}

/// Inputs a recording keeps; what comes after is played but not kept.
const MOST: usize = 10_000;

impl Recording {
    pub fn new(setup: Setup) -> Recording {
        Recording { setup, inputs: Vec::new() }
    }

    pub fn push(&mut self, at: Time, input: Input) {
        if self.inputs.len() < MOST {
            self.inputs.push((at, input));
        }
    }

    /// Plays the inputs on a fresh Lab, then goes on until `until`.
    pub fn play(&self, until: Time) -> super::Lab {
        let mut lab = super::Lab::new(self.setup.clone());
        for (at, input) in &self.inputs {
            lab.advance(*at, u64::MAX);
            lab.input(input.clone());
        }
        lab.advance(until, u64::MAX);
        lab
    }
}
