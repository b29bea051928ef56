//! The Terraform language against what Terraform 1.16.4 printed: expressions at its console, errors of a
//! configuration, files that `fmt` formatted or refused.

use std::fs;

use engine::base::BTreeMap;
use engine::terraform::eval::{Empty, Files, Scope, console, constraint, eval};
use engine::terraform::hcl::{self, Body, Diagnostic, Layout, Traversal};
use engine::terraform::value::{Type, Value};

const PLAIN: Layout = Layout { width: 78, boxed: false, color: false };

fn golden(name: &str) -> String {
    fs::read_to_string(format!("{}/../../tests/golden/terraform-language/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn told(mut found: Vec<Diagnostic>, file: &str, source: &str, between: &str) -> String {
    hcl::sort(&mut found);
    let pages = hcl::Pages::of(&BTreeMap::from([(file.into(), source.to_owned())]), &found);
    let texts: Vec<String> = found.iter().map(|each| hcl::render(each, &pages, PLAIN)).collect();
    texts.join(between)
}

/// One line of the console, which has no source to show and leaves a line blank after each error.
fn answer(expression: &str, scope: &dyn Scope) -> String {
    let (answer, found) = console(expression, scope);
    answer.unwrap_or_else(|| told(found, "", "", "\n"))
}

fn compare<'a>(cases: impl Iterator<Item = (&'a str, &'a str, String)>) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for (name, expected, ours) in cases {
        count += 1;
        if ours.trim_matches('\n') != expected.trim_matches('\n') {
            wrong.push(format!("> {name}\n--- terraform\n{expected}\n--- ours\n{ours}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn compare_console(recorded: &str, scope: &dyn Scope) {
    let recorded = format!("\n{recorded}");
    compare(recorded.split("\n> ").skip(1).map(|case| {
        let (expression, expected) = case.split_once('\n').unwrap_or((case, ""));
        (expression, expected, answer(expression, scope))
    }));
}

#[test]
fn the_console_prints_what_terraform_prints() {
    compare_console(&golden("console.txt"), &Empty);
}

/// Values that are not known yet and sensitive ones.
#[test]
fn hidden_values_stay_hidden_as_in_terraform() {
    let (body, _) = hcl::parse("main.tf", &golden("hidden.tf"));
    compare_console(&golden("hidden.txt"), &Module { body });
}

#[test]
fn files_are_formatted_or_refused_as_terraform_does() {
    let recorded = format!("\n{}", golden("files.txt"));
    compare(recorded.split("\n==== text\n").skip(1).map(|case| {
        let (source, expected) = case.split_once("==== answer\n").unwrap_or((case, ""));
        let ours = hcl::format("main.tf", source).unwrap_or_else(|found| told(found, "main.tf", source, "\n"));
        (source, expected, ours)
    }));
}

/// The variables (not known yet) and local values of one file; no files beside it.
struct Module {
    body: Body,
}

impl Scope for Module {
    fn lookup(&self, reference: &Traversal) -> Result<Option<(Value, usize)>, Vec<Diagnostic>> {
        let Some(name) = reference.names().next() else { return Ok(None) };
        Ok(match reference.root.as_str() {
            "local" => self
                .body
                .blocks_of("locals")
                .find_map(|block| block.body.attribute(name))
                .map(|attribute| (eval(&attribute.expression, self).0, 1)),
            "var" => self.body.blocks_of("variable").find(|block| block.labels.contains(name)).map(|block| {
                let ty = block.body.attribute("type");
                let ty = ty.map(|ty| constraint::read(&ty.expression, constraint::Form::Variable).0.ty);
                (Value::unknown(ty.unwrap_or(Type::Dynamic)), 1)
            }),
            // Not created yet.
            "terraform_data" => {
                let types = [("id", Type::String), ("input", Type::Dynamic), ("output", Type::Dynamic)];
                let object = Type::object(types.into_iter().map(|(name, ty)| (name.into(), ty)).collect());
                Some((Value::unknown(object), 1))
            }
            _ => None,
        })
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(self)
    }
}

impl Files for Module {
    fn read(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
    fn is_folder(&self, _: &str) -> bool {
        false
    }
    fn folder(&self) -> String {
        "/demo".into()
    }
    fn home(&self) -> String {
        "/root".into()
    }
}

/// By hand, and made of everything by chance.
#[test]
fn errors_read_as_in_terraform() {
    for name in ["errors", "errors-made"] {
        let source = golden(&format!("{name}.tf"));
        let (body, mut found) = hcl::parse("main.tf", &source);
        let module = Module { body };
        for output in module.body.blocks_of("output") {
            found.extend(eval(&output.body.attribute("value").unwrap().expression, &module).1);
        }
        let ours = told(found, "main.tf", &source, "");
        let expected = golden(&format!("{name}.txt"));
        // Error by error, so that a difference is shown alone.
        let expected: Vec<&str> = expected.split("\nError: ").collect();
        let ours: Vec<&str> = ours.split("\nError: ").collect();
        assert_eq!(ours.len(), expected.len(), "{name}");
        compare(ours.into_iter().zip(expected).map(|(ours, expected)| (name, expected, ours.to_owned())));
    }
}

/// Deep, long and large texts get an answer.
#[test]
fn everything_has_a_limit() {
    let deep = 10_000;
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{a=", "1", "}"),
        ("\"${", "1", "}\""),
        ("!", "true", ""),
        ("-", "1", ""),
        ("f(", "1", ")"),
        ("", "a", "[0]"),
        ("", "a", "[*]"),
        ("", "a", ".*"),
        ("", "1", "+1"),
        ("", "true", "?1:2"),
        ("[for x in ", "y", ":x]"),
        ("\"%{if true}", "", "%{endif}\""),
    ] {
        let text = format!("{}{inner}{}", open.repeat(deep), close.repeat(deep));
        let (expr, found) = hcl::parse_expression("x", &text);
        assert!(expr.height <= 200, "{open}{close}");
        let _ = eval(&expr, &Empty);
        drop((expr, found));
    }
    let blocks = "a {\n".repeat(deep) + &"}\n".repeat(deep);
    assert!(hcl::has_errors(&hcl::parse("x.tf", &blocks).1));
    for long in ["range(0, 1e9)", "[for a in range(1024): [for b in range(1024): [for c in range(1024): 1]]]"] {
        let (expr, _) = hcl::parse_expression("x", long);
        let (_, found) = eval(&expr, &Empty);
        assert!(hcl::has_errors(&found), "{long}");
    }
}
