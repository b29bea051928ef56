//! What crates/transcripts/play.mjs calls: the script goes in and the text comes out a byte at a time, so that no
//! memory is shared.

use std::cell::RefCell;

use super::{play, shown};

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
