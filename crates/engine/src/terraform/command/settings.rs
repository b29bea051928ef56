//! Values for the root module's variables, from all the places that may give them.

use crate::base::BTreeMap;

use super::arguments::Arguments;
use crate::base::SmolStr;
use crate::process::Sys;
use crate::terraform::config::{Module, Variable};
use crate::terraform::eval::{Empty, eval};
use crate::terraform::hcl::{self, Diagnostic, Range, has_errors};
use crate::terraform::value::{self, Value};

/// What was given, and from where.
#[derive(Clone, Debug)]
pub enum From {
    Environment,
    /// A file, and the place of the assignment.
    File(Range),
    /// The text behind `-var`.
    Flag(String),
    Typed,
}

#[derive(Clone, Debug, Default)]
pub struct Given {
    pub values: BTreeMap<SmolStr, (Value, Option<String>, Option<From>)>,
    pub diagnostics: Vec<Diagnostic>,
    /// What could not be read at all: told before everything else, alone.
    pub early: Vec<Diagnostic>,
    pub texts: BTreeMap<SmolStr, String>,
}

/// Everything given so far. Texts of untyped and primitive variables are taken as they stand.
pub fn gather(arguments: &Arguments, root: &Module, sys: &Sys<'_>) -> Given {
    let mut given = Given::default();
    for (name, text) in sys.env.iter() {
        if let Some(name) = name.strip_prefix("TF_VAR_")
            && let Some(variable) = root.variables.get(name)
        {
            let (value, found) = from_text(variable, text, "environment variable");
            given.diagnostics.extend(found);
            given.values.insert(name.into(), (value, None, Some(From::Environment)));
        }
    }
    let mut files: Vec<String> = Vec::new();
    for name in ["terraform.tfvars", "terraform.tfvars.json"] {
        if sys.files.exists(sys.cwd, name) {
            files.push(name.to_string());
        }
    }
    let mut auto: Vec<String> = sys.files.list(sys.cwd, ".").unwrap_or_default();
    auto.retain(|name| name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json"));
    auto.sort();
    files.extend(auto);
    for file in files {
        read_file(&file, root, sys, &mut given, false);
    }
    for (flag, text) in &arguments.flags {
        match flag.as_str() {
            "var-file" => read_file(text, root, sys, &mut given, true),
            "var" => from_flag(text, root, &mut given),
            _ => {}
        }
    }
    given
}

fn from_flag(text: &str, root: &Module, given: &mut Given) {
    let Some((name, value)) = text.split_once('=') else {
        let detail = format!(
            "The given -var option \"{text}\" is not correctly specified. Must be a variable name and value separated by an equals sign, like -var=\"key=value\"."
        );
        given.early.push(Diagnostic::sourceless("Invalid -var option", detail));
        return;
    };
    if name.ends_with(' ') {
        let detail = format!(
            "Variable name \"{name}\" is invalid due to trailing space. Did you mean -var=\"{}={}\"?",
            name.trim(),
            value.trim_start()
        );
        given.early.push(Diagnostic::sourceless("Invalid -var option", detail));
        return;
    }
    let Some(variable) = root.variables.get(name) else {
        let detail = format!(
            "A variable named \"{name}\" was assigned on the command line, but the root module does not declare a variable of that name. To use this value, add a \"variable\" block to the configuration."
        );
        given.diagnostics.push(Diagnostic::sourceless("Value for undeclared variable", detail));
        return;
    };
    let (value, found) = from_text(variable, value, "value");
    given.diagnostics.extend(found);
    given.values.insert(name.into(), (value, Some(text.to_string()), Some(From::Flag(text.to_string()))));
}

/// A text from the command line or the environment.
pub fn from_text(variable: &Variable, text: &str, _what: &str) -> (Value, Vec<Diagnostic>) {
    let ty = &variable.constraint.ty;
    if !variable.typed || ty.is_primitive() {
        return (Value::string(text), Vec::new());
    }
    let (expr, mut found) = hcl::parse_expression(&format!("<value for var.{}>", variable.name), text);
    if has_errors(&found) {
        return (Value::dynamic(), found);
    }
    let (value, diagnostics) = eval(&expr, &Empty);
    found.extend(diagnostics);
    (value, found)
}

fn read_file(file: &str, root: &Module, sys: &Sys<'_>, given: &mut Given, asked: bool) {
    let Ok(text) = sys.files.read_text(sys.cwd, file) else {
        if asked {
            let detail = format!("Given variables file {file} does not exist.");
            given.early.push(Diagnostic::sourceless("Failed to read variables file", detail));
        }
        return;
    };
    if file.ends_with(".json") {
        match value::decode(&text) {
            Ok(json) => {
                for (name, value) in json.entries().into_iter().flatten() {
                    if root.variables.contains_key(name) {
                        given.values.insert(name.clone(), (value.clone(), None, None));
                    }
                }
            }
            Err(error) => given.early.push(Diagnostic::sourceless("Failed to read variables file", error)),
        }
        return;
    }
    let (body, found) = hcl::parse(file, &text);
    given.texts.insert(file.into(), text);
    let failed = has_errors(&found);
    given.early.extend(found);
    if failed {
        return;
    }
    for block in &body.blocks {
        let detail = "Blocks are not allowed here.".to_string();
        given.diagnostics.push(Diagnostic::error(
            "Unexpected \"".to_string() + &block.kind + "\" block",
            detail,
            &block.kind_range,
        ));
    }
    let mut undeclared = 0;
    for attribute in &body.attributes {
        let (value, found) = eval(&attribute.expression, &Empty);
        given.diagnostics.extend(found);
        if root.variables.contains_key(&attribute.name) {
            let from = From::File(attribute.expression.range.clone());
            given.values.insert(attribute.name.clone(), (value, None, Some(from)));
            continue;
        }
        undeclared += 1;
        if undeclared > 2 {
            continue;
        }
        let detail = format!(
            "The root module does not declare a variable named \"{}\" but a value was found in file \"{file}\". If you meant to use this value, add a \"variable\" block to the configuration.\n\nTo silence these warnings, use TF_VAR_... environment variables to provide certain \"global\" settings to all configurations in your organization. To reduce the verbosity of these warnings, use the -compact-warnings option.",
            attribute.name
        );
        let warning = Diagnostic::sourceless("Value for undeclared variable", detail);
        given.diagnostics.push(Diagnostic { severity: hcl::Severity::Warning, ..warning });
    }
    if undeclared > 2 {
        let detail = format!(
            "In addition to the other similar warnings shown, {} other variable(s) defined without being declared.",
            undeclared - 2
        );
        let warning = Diagnostic::sourceless("Values for undeclared variables", detail);
        given.diagnostics.push(Diagnostic { severity: hcl::Severity::Warning, ..warning });
    }
}

/// The given values as the variables' types ask; what does not fit is told.
pub fn convert(given: &mut Given, root: &Module) -> BTreeMap<SmolStr, Value> {
    let mut values = BTreeMap::new();
    for (name, (value, _, from)) in &given.values {
        let Some(variable) = root.variables.get(name) else { continue };
        if value.is_null() && !variable.nullable && variable.default.is_some() {
            continue;
        }
        match variable.constraint.convert(value) {
            Ok(value) => {
                values.insert(name.clone(), value);
            }
            Err(error) => {
                let reason = error.with_path();
                let (detail, range) = match from {
                    Some(From::File(range)) => (
                        format!(
                            "The given value is not suitable for var.{name} declared at {}: {reason}.",
                            variable.range.text()
                        ),
                        range.clone(),
                    ),
                    Some(From::Flag(text)) => {
                        let shown = text.split_once('=').map_or(text.as_str(), |(name, _)| name);
                        (
                            format!("Unsuitable value for var.{name} set using -var=\"{shown}=...\": {reason}."),
                            variable.range.clone(),
                        )
                    }
                    Some(From::Environment) => (
                        format!(
                            "Unsuitable value for var.{name} set using the TF_VAR_{name} environment variable: {reason}."
                        ),
                        variable.range.clone(),
                    ),
                    _ => (
                        format!("Unsuitable value for var.{name} set using interactive input: {reason}."),
                        variable.range.clone(),
                    ),
                };
                given.diagnostics.push(Diagnostic::error("Invalid value for input variable", detail, &range));
            }
        }
    }
    values
}

/// Variables that must be given and are not.
pub fn missing(given: &Given, root: &Module) -> Vec<SmolStr> {
    let lacks = |(name, variable): (&SmolStr, &Variable)| {
        (variable.default.is_none() && !given.values.contains_key(name)).then(|| name.clone())
    };
    root.variables.iter().filter_map(lacks).collect()
}

pub fn not_given(variable: &Variable) -> Diagnostic {
    let detail = format!(
        "The root module input variable \"{}\" is not set, and has no default value. Use a -var or -var-file command line argument to provide a value for this variable.",
        variable.name
    );
    Diagnostic::error("No value for required variable", detail, &variable.range)
}
