//! The parts of the page that arrive after it (`cargo xtask build` cuts them off at their gates): the world, without
//! which nothing happens, kubectl and docker, and Terraform, which is fetched when it is first needed. Whoever passes a
//! gate asks here first whether its part has arrived.

use std::cell::RefCell;

use engine::process::Silence;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;

use crate::browser;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    World,
    Commands,
    Terraform,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Away,
    Coming,
    Here,
    Failed,
}

thread_local! {
    static STATES: RefCell<[State; 3]> = RefCell::default();
}

fn state(part: Part) -> State {
    STATES.with_borrow(|states| states[part as usize])
}

fn set(part: Part, state: State) {
    STATES.with_borrow_mut(|states| states[part as usize] = state);
}

/// Begins to fetch a part; `then` is called when it has arrived.
pub fn fetch(part: Part, then: impl FnOnce() + 'static) {
    let name = match part {
        Part::World => "world",
        Part::Commands => "commands",
        Part::Terraform => "terraform",
    };
    let Some(promise) = browser::load_part(name) else { return set(part, State::Failed) };
    set(part, State::Coming);
    let arrived = Closure::once(move |_: JsValue| {
        set(part, State::Here);
        then();
    });
    let failed = Closure::once(move |_: JsValue| set(part, State::Failed));
    let _ = promise.then2(&arrived, &failed);
    arrived.forget();
    failed.forget();
}

/// Begins to fetch a part that nobody has asked for yet.
pub fn prepare(part: Part) {
    if state(part) == State::Away {
        fetch(part, || ());
    }
}

/// For programs of the part: where it is not here, it is fetched.
pub fn arrived(part: Part) -> Result<(), Silence> {
    match state(part) {
        State::Here => Ok(()),
        State::Coming => Err(Silence::Coming),
        State::Away => {
            fetch(part, || ());
            Err(Silence::Coming)
        }
        State::Failed => {
            set(part, State::Away);
            Err(Silence::Broken("the program could not be loaded; try again".into()))
        }
    }
}

pub fn is_here(part: Part) -> bool {
    state(part) == State::Here
}
