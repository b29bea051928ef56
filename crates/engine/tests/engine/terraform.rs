//! The Terraform language against what Terraform 1.16.4 printed: expressions at its console, files it formatted or
//! refused. `LIST=1` shows what differs.

use std::collections::BTreeMap;
use std::fs;

use engine::terraform::eval::{Empty, eval};
use engine::terraform::hcl::{self, Diagnostic, Layout};
use engine::terraform::value::text;

fn golden(name: &str) -> String {
    fs::read_to_string(format!("{}/../../tests/golden/terraform-language/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn told(mut found: Vec<Diagnostic>, sources: &BTreeMap<String, String>) -> String {
    hcl::sort(&mut found);
    let layout = Layout { width: 78, boxed: false, color: false };
    found.iter().map(|each| hcl::render(each, sources, layout)).collect()
}

/// The console leaves a line blank after each.
fn at_console(mut found: Vec<Diagnostic>) -> String {
    hcl::sort(&mut found);
    found.into_iter().map(|each| told(vec![each], &BTreeMap::new()) + "\n").collect()
}

/// One line of the console.
fn console(expression: &str) -> String {
    let file = "<console-input>";
    let (expr, found) = hcl::parse_expression(file, expression);
    if hcl::has_errors(&found) {
        return at_console(found);
    }
    let (value, found) = eval(&expr, &Empty);
    if hcl::has_errors(&found) {
        return at_console(found);
    }
    text::console(&value) + "\n"
}

#[test]
fn the_console_prints_what_terraform_prints() {
    let recorded = golden("console.txt");
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in format!("\n{recorded}").split("\n> ").skip(1) {
        count += 1;
        let (expression, expected) = case.split_once('\n').unwrap_or((case, ""));
        let ours = console(expression);
        if ours.trim_end() != expected.trim_end() {
            wrong.push(format!("> {expression}\n--- terraform\n{expected}\n--- ours\n{ours}"));
        }
    }
    if std::env::var("LIST").is_ok() {
        let _ = fs::write("/tmp/hcl-oracle/wrong.txt", wrong.join("\n"));
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}
