//! The programs of the workstation, which are parts of the page that arrive after it. Until they are there their
//! processes hold the clock (`Lab::is_held`).

use engine::base::Diagnostic;
use engine::base::http::{Request, Response};
use engine::process::{Files, Late, Program};
use engine::workstation::Installed;

use crate::parts::{self, Part};

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
    Late::program(args, engine::terraform::program, || parts::arrived(Part::Terraform))
}

pub fn is_here() -> bool {
    parts::is_here(Part::Terraform)
}

/// Begins to fetch Terraform.
pub fn prepare() {
    parts::prepare(Part::Terraform);
}

/// How many objects of each type a configuration declares; nothing as long as Terraform is not there, or when it has faults.
pub fn declared(files: &[(String, String)]) -> Option<Vec<(String, usize)>> {
    prepare();
    if is_here() { engine::terraform::count(files) } else { None }
}

/// What is wrong with one of these files; nothing as long as Terraform is not there.
pub fn examine(files: &[(String, String)], of: &str) -> Option<Vec<Diagnostic>> {
    prepare();
    is_here().then(|| engine::terraform::examine(files, of))
}
