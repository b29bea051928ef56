//! The register of what is deliberately not simulated. A gap is told kindly and ends a command with exit code 1;
//! it never passes for the real thing.

/// One thing that is not simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where a user meets it: `kubectl port-forward`, `program: postgres`.
    pub what: &'static str,
    /// What works instead, in one sentence; may be empty.
    pub instead: &'static str,
}

impl Gap {
    /// The line a terminal shows (standard error).
    pub fn line(&self) -> String {
        line(self.what, self.instead)
    }
}

/// The line of a gap whose name is only known while running (a program, a flag).
pub fn line(what: &str, instead: &str) -> String {
    if instead.is_empty() {
        format!("not simulated here: {what}")
    } else {
        format!("not simulated here: {what}; {instead}")
    }
}
