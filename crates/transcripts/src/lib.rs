//! Plays a script on a fresh Lab and tells what its terminal showed: what the tests of tests/transcripts compare, the
//! same natively and in wasm (`wasm` has the functions a page without bindings can call).

#[cfg(target_arch = "wasm32")]
mod wasm;

use engine::base::{Span, Time};
use engine::cluster::{Preset, Setup};
use engine::lab::Lab;

/// A script that has not ended by then is told so.
const LIMIT: Span = Span::seconds(6 * 3600);
/// Steps for one script; a busy loop ends here.
const STEPS: u64 = 2_000_000;

#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// What the terminal showed: commands after `$ `, both streams in their order.
    pub text: String,
    /// `None` when the script did not end within its limits.
    pub code: Option<i32>,
    pub took: Span,
    pub steps: u64,
    pub hash: u64,
}

/// The setup a script asks for in comments at its top: `# cluster: kind`, `# nodes: 3`, `# seed: 7`.
pub fn setup(script: &str) -> Result<Setup, String> {
    let mut setup = Setup::new(Preset::Kind);
    for line in script.lines().take_while(|line| line.starts_with('#') || line.is_empty()) {
        let Some((key, value)) = line.trim_start_matches(['#', ' ']).split_once(": ") else { continue };
        let value = value.trim();
        let wrong = || format!("{key} cannot be {value}");
        match key {
            "cluster" => setup.preset = Preset::parse(value).ok_or_else(wrong)?,
            "nodes" => setup.nodes = value.parse().map_err(|_| wrong())?,
            "seed" => setup.seed = value.parse().map_err(|_| wrong())?,
            "start" => setup.start = Time::parse(value).ok_or_else(wrong)?,
            _ => {}
        }
    }
    Ok(setup)
}

pub fn play(script: &str) -> Result<Played, String> {
    play_at_most(script, STEPS)
}

pub fn play_at_most(script: &str, steps: u64) -> Result<Played, String> {
    Ok(play_on(Lab::new(setup(script)?), script, steps))
}

/// Plays on a Lab that is there, which may have programs that arrive late.
pub fn play_on(mut lab: Lab, script: &str, steps: u64) -> Played {
    let start = lab.now();
    let last = lab.cluster.steps.saturating_add(steps);
    let job = lab.start_script(script, true);
    let mut text = Vec::new();
    loop {
        text.extend(lab.take_output().into_iter().flat_map(|output| output.bytes));
        let next = lab.next_at().filter(|next| *next <= start + LIMIT);
        let (None, Some(next)) = (lab.exit_code(job), next) else { break };
        if lab.cluster.steps >= last {
            break;
        }
        lab.advance(next, 10_000);
    }
    Played {
        text: String::from_utf8_lossy(&text).into_owned(),
        code: lab.exit_code(job),
        took: lab.now() - start,
        steps: lab.cluster.steps,
        hash: lab.trace().hash(),
    }
}

/// What stands in the expected file: the terminal, and how the script ended.
pub fn shown(played: &Played) -> String {
    let millis = played.took.as_millis();
    let time = format!("{}.{:03} s", millis / 1000, millis % 1000);
    let end = match played.code {
        Some(code) => format!("# exit code {code} after {time}"),
        None => format!("# no end after {time}"),
    };
    let line = if played.text.is_empty() || played.text.ends_with('\n') { "" } else { "\n" };
    format!("{}{line}{end}\n", played.text)
}
