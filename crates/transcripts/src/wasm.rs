//! What crates/transcripts/play.mjs calls: the script goes in and the text comes out a byte at a time, so that no
//! memory is shared.

use std::cell::RefCell;

use super::{Played, shown};
#[cfg(not(feature = "terraform"))]
use super::{STEPS, play_on, setup};

/// Where the program is cut (`xtask::parts`); a change compiles it anew.
const _: Option<&str> = option_env!("DRYDOCK_PARTS");

thread_local! {
    static SCRIPT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SHOWN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn feed(byte: u8) {
    SCRIPT.with_borrow_mut(|script| script.push(byte));
}

/// Plays what was fed and forgets it; the hash of the trace.
#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn play_fed() -> u64 {
    let script = SCRIPT.take();
    let (text, hash) = match play(&String::from_utf8_lossy(&script)) {
        Ok(played) => (shown(&played), played.hash),
        Err(message) => (message, 0),
    };
    SHOWN.set(text.into_bytes());
    hash
}

/// How many bytes the text has.
#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn shown_length() -> u32 {
    SHOWN.with_borrow(|shown| shown.len() as u32)
}

#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn shown_byte(index: u32) -> u8 {
    SHOWN.with_borrow(|shown| shown.get(index as usize).copied().unwrap_or_default())
}

#[cfg(feature = "terraform")]
fn play(script: &str) -> Result<Played, String> {
    super::play(script)
}

/// With programs as the page has them: Terraform is a module of its own, kubectl and docker are a part that comes later.
#[cfg(not(feature = "terraform"))]
fn play(script: &str) -> Result<Played, String> {
    let terraform = engine::workstation::Installed { name: "terraform", start: side::terraform, complete: None };
    let kubectl = engine::workstation::Installed { name: "kubectl", start: side::kubectl, complete: None };
    let docker = engine::workstation::Installed { name: "docker", start: side::docker, complete: None };
    let lab = engine::lab::Lab::with(setup(script)?, vec![kubectl, docker, terraform]);
    Ok(play_on(lab, script, STEPS))
}

#[cfg(not(feature = "terraform"))]
mod side {
    use engine::process::{Late, Program, Remote, Silence};

    #[allow(unsafe_code, reason = "functions that play.mjs gives")]
    #[link(wasm_import_module = "side")]
    unsafe extern "C" {
        safe fn say(byte: u8);
        /// Hands over what was said; how long the answer is, nothing as long as Terraform is not there.
        safe fn answer() -> u32;
        safe fn answer_byte(index: u32) -> u8;
        /// Whether the part with kubectl and docker is there.
        safe fn arrived() -> u32;
    }

    fn commands() -> Result<(), Silence> {
        if arrived() == 0 { Err(Silence::Coming) } else { Ok(()) }
    }

    pub fn kubectl(args: &[String]) -> Box<dyn Program> {
        Late::program(args, engine::kubectl::program, commands)
    }

    pub fn docker(args: &[String]) -> Box<dyn Program> {
        Late::program(args, engine::docker::cli::program, commands)
    }

    pub fn terraform(args: &[String]) -> Box<dyn Program> {
        Remote::program(args, |bytes| {
            bytes.iter().for_each(|byte| say(*byte));
            match answer() {
                0 => Err(Silence::Coming),
                length => Ok((0..length).map(|index| answer_byte(index)).collect()),
            }
        })
    }
}
