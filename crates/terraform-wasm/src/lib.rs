//! Terraform as a module of its own: what `process::Remote` in the page (or in crates/transcripts/play.mjs) talks to.
//!
//! The caller asks for `room`, writes a message there and calls `turn`, `examine` or `count`; the answer stands where that points
//! to and is `length` bytes long. Nothing is imported, and no memory is shared.

use std::cell::RefCell;

use engine::process::Guests;
use engine::terraform;

thread_local! {
    static GUESTS: RefCell<Guests> = RefCell::new(Guests::new(terraform::program));
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where a message of that length is to be written.
#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        message.resize(length, 0);
        message.as_mut_ptr()
    })
}

/// One turn of a program.
#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn turn() -> *const u8 {
    answer(|message| GUESTS.with_borrow_mut(|guests| guests.turn(message)))
}

/// What is wrong with configuration files.
#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn examine() -> *const u8 {
    answer(terraform::examine_bytes)
}

/// How many objects a configuration declares.
#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn count() -> *const u8 {
    answer(terraform::count_bytes)
}

/// How long the answer is.
#[allow(unsafe_code, reason = "a name that can be called from outside")]
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

fn answer(make: impl FnOnce(&[u8]) -> Vec<u8>) -> *const u8 {
    let message = MESSAGE.take();
    let bytes = make(&message);
    ANSWER.with_borrow_mut(|answer| {
        *answer = bytes;
        answer.as_ptr()
    })
}
