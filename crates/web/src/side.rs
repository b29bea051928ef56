//! The programs of the workstation. kubectl and docker are a part of the page that arrives after it; Terraform is a
//! module of its own, fetched when it is first needed. Until they are there their processes hold the clock
//! (`Lab::is_held`); a fault in Terraform's module ends the process that met it, not the page.

use std::cell::RefCell;

use engine::base::Diagnostic;
use engine::base::http::{Request, Response};
use engine::process::wire::{Reader, Writer};
use engine::process::{Files, Late, Program, Remote, Silence};
use engine::workstation::Installed;
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::browser;
use crate::parts::{self, Part};

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

/// The programs of the workstation.
pub fn programs() -> Vec<Installed> {
    vec![
        Installed { name: "kubectl", start: kubectl, complete: Some(complete_kubectl) },
        Installed { name: "docker", start: docker, complete: Some(complete_docker) },
        Installed { name: "terraform", start: terraform, complete: Some(engine::workstation::complete_terraform) },
    ]
}

fn kubectl(args: &[String]) -> Box<dyn Program> {
    Late::program(args, engine::kubectl::program, || parts::arrived(Part::Commands))
}

fn docker(args: &[String]) -> Box<dyn Program> {
    Late::program(args, engine::docker::cli::program, || parts::arrived(Part::Commands))
}

fn complete_kubectl(
    words: &[String],
    files: &Files,
    cwd: &str,
    ask: &mut dyn FnMut(&Request) -> Response,
) -> Vec<String> {
    if parts::is_here(Part::Commands) { engine::lab::complete_kubectl(words, files, cwd, ask) } else { Vec::new() }
}

fn complete_docker(
    words: &[String],
    files: &Files,
    cwd: &str,
    ask: &mut dyn FnMut(&Request) -> Response,
) -> Vec<String> {
    if parts::is_here(Part::Commands) { engine::lab::complete_docker(words, files, cwd, ask) } else { Vec::new() }
}

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
