//! Recorded sections: files and commands in order, each with what a real cluster printed.

use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Section {
    pub file: String,
    /// `02` of `02.01.slug`: sections of one scenario.
    pub scenario: String,
    pub records: Vec<Record>,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub kind: Kind,
    /// The command; of a file its name.
    pub cmd: String,
    /// Seconds since the section's first command, and how long it ran.
    pub at: Option<f64>,
    pub took: f64,
    /// Any of these answers is right: what this run printed first, then what other runs printed.
    pub answers: Vec<Answer>,
    /// A file's text, a variable's name.
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub rc: i64,
    pub stdout: String,
    pub stderr: String,
    /// Both outputs, normalised by the recorder.
    pub norm: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Run,
    Background,
    Sample,
    Until,
    Set,
    Wait,
}

pub fn read(file: &str, text: &str) -> Result<Section, String> {
    let mut records = Vec::new();
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).map_err(|e| format!("{file}:{}: {e}", n + 1))?;
        records.push(record(&value).ok_or_else(|| format!("{file}:{}: not a record", n + 1))?);
    }
    let scenario = file.split('.').next().unwrap_or_default().to_string();
    Ok(Section { file: file.to_string(), scenario, records })
}

fn record(value: &Value) -> Option<Record> {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_string();
    let kind = match value["kind"].as_str()? {
        "file" => Kind::File,
        "run" => Kind::Run,
        "bg" => Kind::Background,
        "sample" => Kind::Sample,
        "until" => Kind::Until,
        "set" => Kind::Set,
        "wait" => Kind::Wait,
        _ => return None,
    };
    let mut answers = vec![answer(value)];
    answers.extend(value["varies"].as_array().into_iter().flatten().map(answer));
    Some(Record {
        kind,
        cmd: if kind == Kind::File { text("name") } else { text("cmd") },
        at: value["at"].as_f64(),
        took: value["took"].as_f64().or_else(|| value["seconds"].as_f64()).unwrap_or(0.0),
        answers,
        text: if kind == Kind::Set { text("var") } else { text("text") },
    })
}

fn answer(value: &Value) -> Answer {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_string();
    Answer {
        // -2: killed by signal 2, which a shell tells as 130.
        rc: value["rc"].as_i64().map_or(0, |rc| if rc < 0 { 128 - rc } else { rc }),
        stdout: text("stdout"),
        stderr: text("stderr"),
        norm: value["norm"].as_str().map(str::to_string),
    }
}
