//! What is wrong with a configuration, as plain data; `report` has the text.

use super::ast::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub summary: String,
    /// Paragraphs; lines that start with a space are never wrapped.
    pub detail: String,
    /// What is underlined.
    pub subject: Option<Range>,
    /// What else the snippet shows.
    pub context: Option<Range>,
    /// `with docker_container.web,`
    pub address: String,
    /// The function that failed, as `length(value)`; empty when none did.
    pub calling: String,
    /// The lines under the snippet's rule: `var.size`, `is 12`.
    pub values: Vec<(String, String)>,
    /// What is told right behind it.
    pub also: Option<Box<Diagnostic>>,
}

impl Diagnostic {
    pub fn error(summary: impl Into<String>, detail: impl Into<String>, subject: &Range) -> Diagnostic {
        Diagnostic { subject: Some(subject.clone()), ..Diagnostic::sourceless(summary, detail) }
    }

    pub fn warning(summary: impl Into<String>, detail: impl Into<String>, subject: &Range) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(summary, detail, subject) }
    }

    pub fn sourceless(summary: impl Into<String>, detail: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            summary: summary.into(),
            detail: detail.into(),
            subject: None,
            context: None,
            address: String::new(),
            calling: String::new(),
            values: Vec::new(),
            also: None,
        }
    }

    pub fn in_context(mut self, context: &Range) -> Diagnostic {
        self.context = Some(context.clone());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// The first candidate that is at most two edits away.
pub fn suggestion<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates.into_iter().find(|candidate| distance(given, candidate) < 3)
}

/// ` Did you mean "x"?` or nothing: the tail of many details.
/// As `did_you_mean`, of the nearest candidate: for lists that have no order upstream.
pub fn did_you_mean_nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let mut near: Vec<(usize, &str)> = candidates.into_iter().map(|name| (distance(given, name), name)).collect();
    near.retain(|(far, _)| *far < 3);
    near.sort();
    near.first().map(|(_, name)| format!(" Did you mean \"{name}\"?")).unwrap_or_default()
}

pub fn did_you_mean<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    suggestion(given, candidates).map(|name| format!(" Did you mean \"{name}\"?")).unwrap_or_default()
}

/// Levenshtein's distance in characters, cut short where it is certainly above two.
fn distance(a: &str, b: &str) -> usize {
    // Bytes of a name that is much longer decide before its characters are looked at.
    if a.len() > b.len() * 4 + 8 || b.len() > a.len() * 4 + 8 {
        return 3;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(256).collect(), b.chars().take(256).collect());
    if a.len().abs_diff(b.len()) > 2 {
        return 3;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut left = i + 1;
        let mut corner = i;
        for (j, y) in b.iter().enumerate() {
            let up = row.get(j + 1).copied().unwrap_or(0);
            let best = (corner + usize::from(x != y)).min(up + 1).min(left + 1);
            corner = up;
            if let Some(cell) = row.get_mut(j) {
                *cell = left;
            }
            left = best;
        }
        if let Some(cell) = row.last_mut() {
            *cell = left;
        }
        // It never gets less from row to row.
        if row.iter().all(|cell| *cell > 2) {
            return 3;
        }
    }
    row.last().copied().unwrap_or(0)
}
