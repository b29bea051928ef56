//! The lines that tell what happens to objects (upstream: terraform's UiHook).

use super::paint::Paint;
use crate::terraform::core::{Event, Happening};
use crate::terraform::provider::Doing;

/// Longer ids are cut in the middle where a line is told again and again.
const LONGEST_ID: usize = 80;

/// The lines of an event with their ends; none for what is only counted.
pub fn event(event: &Event, paint: Paint) -> String {
    let plain = event.address.to_string();
    let address = match &event.deposed {
        Some(key) => format!("{plain} (deposed object {key})"),
        None => plain.clone(),
    };
    let id = event.id.as_ref().map(|(name, value)| format!(" [{name}={value}]")).unwrap_or_default();
    let line = |text: String| paint.tags("[reset][bold]%", &[&text]) + "\n";
    let reset = |text: String| paint.tags("[reset][bold]%[reset]", &[&text]) + "\n";
    match &event.what {
        Happening::Refreshing => line(format!("{address}: Refreshing state...{id}")),
        Happening::Begun(doing) => reset(format!("{address}: {}...{id}", begun(*doing))),
        Happening::Still(doing, seconds) => {
            let id = event.id.as_ref().map(|(name, value)| format!("{name}={}, ", cut(value))).unwrap_or_default();
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            let word = begun(*doing).to_lowercase();
            reset(format!("{plain}: Still {word}... [{id}{minutes:02}m{seconds:02}s elapsed]"))
        }
        Happening::Done(doing, seconds) => line(format!("{plain}: {} after {}{id}", done(*doing), span(*seconds))),
        Happening::PreparingImport(id) => line(format!("{plain}: Preparing import... [id={id}]")),
        Happening::Importing(id) => line(format!("{plain}: Importing... [id={id}]")),
        Happening::Imported(id) => line(format!("{plain}: Import complete [id={id}]")),
        Happening::ImportFrom(id) => line(format!("{plain}: Importing from ID {}...", crate::base::goquote::quote(id))),
        Happening::ImportPrepared => {
            let kind = &event.address.resource.kind;
            let first = paint.tags("[reset][bold][green]%: Import prepared!", &[&plain]);
            let second = paint.tags("[reset][green]  Prepared % for import", &[kind]);
            format!("{first}\n{second}\n")
        }
        Happening::Provisioning(kind) => reset(format!("{plain}: Provisioning with '{kind}'...")),
        Happening::Said(kind, text) => {
            let prefix = paint.tags("[reset][bold]% (%):[reset] ", &[&plain, kind]);
            let lines = text.split(['\n', '\r']).map(str::trim_end).filter(|line| !line.is_empty());
            let text: Vec<String> = lines.map(|line| format!("{prefix}{line}")).collect();
            text.join("\n").trim().to_string() + "\n"
        }
        Happening::Refreshed | Happening::Failed(..) | Happening::Provisioned(_) | Happening::NotProvisioned(_) => {
            String::new()
        }
    }
}

pub fn begun(doing: Doing) -> &'static str {
    match doing {
        Doing::Create => "Creating",
        Doing::Update => "Modifying",
        Doing::Delete => "Destroying",
        _ => "Reading",
    }
}

pub fn done(doing: Doing) -> &'static str {
    match doing {
        Doing::Create => "Creation complete",
        Doing::Update => "Modifications complete",
        Doing::Delete => "Destruction complete",
        _ => "Read complete",
    }
}

/// `1s`, `1m5s`, as Go prints a duration.
pub fn span(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m{s}s"),
        (h, m, s) => format!("{h}h{m}m{s}s"),
    }
}

fn cut(id: &str) -> String {
    let all: Vec<char> = id.chars().collect();
    if all.len() <= LONGEST_ID {
        return id.to_string();
    }
    let left = LONGEST_ID / 2 - 1;
    let right = LONGEST_ID - left - 3;
    let head: String = all.iter().take(left).collect();
    let rest: String = all.iter().skip(all.len() - right).collect();
    format!("{head}...{rest}")
}
