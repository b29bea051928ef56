//! What is wrong with a text that a person wrote: the place, one sentence, what to try.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// 1-based line and column (in characters) where it starts, and where it ends (exclusive).
    pub start: Place,
    pub end: Place,
    pub message: String,
    /// What to try; empty when there is nothing better to say than the message.
    pub hint: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    Warning,
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}
