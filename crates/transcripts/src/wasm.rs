//! What crates/transcripts/play.mjs calls: the script goes in and the text comes out a byte at a time, so that no
//! memory is shared.

use std::cell::RefCell;

use engine::lab::Lab;
use engine::process::{Late, Program, Silence, Start};
use engine::workstation::Installed;

use super::{Played, STEPS, play_on, setup, shown};

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

/// With programs as the page has them: parts that come later.
fn play(script: &str) -> Result<Played, String> {
    let programs = [("kubectl", kubectl as Start), ("docker", docker), ("terraform", terraform)];
    let installed = programs.map(|(name, start)| Installed { name, start, complete: None });
    Ok(play_on(Lab::with(setup(script)?, installed.into()), script, STEPS))
}

#[allow(unsafe_code, reason = "a function that play.mjs gives")]
#[link(wasm_import_module = "side")]
unsafe extern "C" {
    /// Whether a part is there: the one with kubectl and docker is the first, the one with Terraform the second.
    safe fn arrived(part: u32) -> u32;
}

fn asked(part: u32) -> Result<(), Silence> {
    if arrived(part) == 0 { Err(Silence::Coming) } else { Ok(()) }
}

fn kubectl(args: &[String]) -> Box<dyn Program> {
    Late::program(args, engine::kubectl::program, || asked(0))
}

fn docker(args: &[String]) -> Box<dyn Program> {
    Late::program(args, engine::docker::cli::program, || asked(0))
}

fn terraform(args: &[String]) -> Box<dyn Program> {
    Late::program(args, engine::terraform::program, || asked(1))
}
