//! Terraform, which the page does not carry: a module of its own, fetched when it is first needed. Until it is there its
//! processes hold the clock (`Lab::is_held`); a fault in it ends the process that met it, not the page.

use std::cell::RefCell;

use engine::base::Diagnostic;
use engine::process::wire::{Reader, Writer};
use engine::process::{Program, Remote, Silence};
use engine::workstation::Installed;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::browser;

/// Where the module is.
#[derive(Clone, Default)]
enum Side {
    #[default]
    Away,
    Coming,
    Here(Function),
    Failed,
}

thread_local! {
    static SIDE: RefCell<Side> = RefCell::default();
}

pub const TERRAFORM: Installed =
    Installed { name: "terraform", start: terraform, complete: Some(engine::workstation::complete_terraform) };

fn terraform(args: &[String]) -> Box<dyn Program> {
    Remote::program(args, |bytes| call("turn", bytes))
}

pub fn is_here() -> bool {
    SIDE.with_borrow(|side| matches!(side, Side::Here(_)))
}

/// Begins to fetch the module.
pub fn prepare() {
    if !SIDE.with_borrow(|side| matches!(side, Side::Away)) {
        return;
    }
    let Some(promise) = browser::load_terraform() else { return SIDE.set(Side::Failed) };
    SIDE.set(Side::Coming);
    let loaded: Closure<dyn FnMut(JsValue)> =
        Closure::new(|call: JsValue| SIDE.set(call.dyn_into().map_or(Side::Failed, Side::Here)));
    let failed: Closure<dyn FnMut(JsValue)> = Closure::new(|_| SIDE.set(Side::Failed));
    let _ = promise.then2(&loaded, &failed);
    loaded.forget();
    failed.forget();
}

fn call(name: &str, bytes: &[u8]) -> Result<Vec<u8>, Silence> {
    prepare();
    let broken = |why: &str| {
        SIDE.set(Side::Away);
        Err(Silence::Broken(why.into()))
    };
    let side = SIDE.with_borrow(Side::clone);
    match side {
        Side::Away | Side::Coming => Err(Silence::Coming),
        Side::Failed => broken("the program could not be loaded; try again"),
        Side::Here(call) => {
            let answer = call.call2(&JsValue::NULL, &name.into(), &Uint8Array::from(bytes));
            match answer.ok().and_then(|answer| answer.dyn_into::<Uint8Array>().ok()) {
                Some(answer) => Ok(answer.to_vec()),
                None => broken("a fault in Drydock has ended the program"),
            }
        }
    }
}

/// How many objects of each type a configuration declares; nothing as long as the module is not there, or when it has faults.
pub fn declared(files: &[(String, String)]) -> Option<Vec<(String, i64)>> {
    let mut to = Writer::default();
    to.pairs(files.iter().map(|(name, text)| (name, text)));
    let answer = call("count", &to.0).ok()?;
    Reader::new(&answer).maybe(|from| from.all(|from| (from.string(), from.number() as i64)))
}

/// What is wrong with one of these files; nothing as long as the module is not there.
pub fn examine(files: &[(String, String)], of: &str) -> Option<Vec<Diagnostic>> {
    let mut to = Writer::default();
    to.text(of);
    to.pairs(files.iter().map(|(name, text)| (name, text)));
    let answer = call("examine", &to.0).ok()?;
    Some(Reader::new(&answer).all(Reader::diagnostic))
}
