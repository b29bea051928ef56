//! What the engine's own reader says about a manifest while it is being typed.

use engine::base::yaml;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    pub problem: Option<Problem>,
    pub is_empty: bool,
}

pub fn check(text: &str) -> Checked {
    let stream = yaml::read(text);
    let problem = stream.error.map(|error| {
        let place = error.place.unwrap_or_default();
        let message = error.text.trim_start_matches("error converting YAML to JSON: ").to_string();
        Problem { line: place.line.max(1), column: place.column.max(1), message }
    });
    Checked { is_empty: problem.is_none() && stream.documents.is_empty(), problem }
}
