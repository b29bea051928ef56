//! Values for the root module's variables, from all the places that may give them.

use crate::base::BTreeMap;

use super::arguments::Arguments;
use crate::base::SmolStr;
use crate::process::Sys;
use crate::terraform::config::{Module, Variable};
use crate::terraform::eval::eval_constant;
use crate::terraform::hcl::{self, Diagnostic, Pos, Range, has_errors};
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
    /// Values that do not fit their variables' types.
    pub unfit: BTreeMap<SmolStr, Diagnostic>,
    /// Variables that were given what is no value.
    pub wrong: Vec<SmolStr>,
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
            let (value, found) = from_text(variable, text);
            if has_errors(&found) {
                given.wrong.push(name.into());
            } else {
                given.values.insert(name.into(), (value, None, Some(From::Environment)));
            }
            given.diagnostics.extend(found);
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
    let (value, found) = from_text(variable, value);
    if has_errors(&found) {
        given.values.remove(name);
        given.wrong.push(name.into());
    } else {
        given.values.insert(name.into(), (value, Some(text.to_string()), Some(From::Flag(text.to_string()))));
    }
    given.diagnostics.extend(found);
}

/// A text from the command line or the environment.
pub fn from_text(variable: &Variable, text: &str) -> (Value, Vec<Diagnostic>) {
    let ty = &variable.constraint.ty;
    if !variable.typed || ty.is_primitive() {
        return (Value::string(text), Vec::new());
    }
    let (expr, mut found) = hcl::parse_expression(&format!("<value for var.{}>", variable.name), text);
    if has_errors(&found) {
        return (Value::dynamic(), found);
    }
    let (value, diagnostics) = eval_constant(&expr);
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
        return read_json(file, text, root, given);
    }
    let (body, found) = hcl::parse(file, &text);
    given.texts.insert(file.into(), text);
    let failed = has_errors(&found);
    given.early.extend(found);
    if failed {
        return;
    }
    for block in &body.blocks {
        let name = block.labels.first().filter(|_| block.kind == "variable");
        let (summary, detail) = match name {
            Some(name) => (
                "Variable declaration in .tfvars file".to_string(),
                format!(
                    "A .tfvars file is used to assign values to variables that have already been declared in .tf files, not to declare new variables. To declare variable \"{name}\", place this block in one of your .tf files, such as variables.tf.\n\nTo set a value for this variable in {file}, use the definition syntax instead:\n    {name} = <value>"
                ),
            ),
            None => (format!("Unexpected \"{}\" block", block.kind), "Blocks are not allowed here.".to_string()),
        };
        given.early.push(Diagnostic::error(summary, detail, &block.kind_range));
    }
    let mut undeclared = Vec::new();
    for attribute in &body.attributes {
        let (value, found) = eval_constant(&attribute.expression);
        let failed = has_errors(&found);
        given.diagnostics.extend(found);
        if root.variables.contains_key(&attribute.name) && failed {
            given.wrong.push(attribute.name.clone());
            continue;
        }
        if root.variables.contains_key(&attribute.name) {
            let from = From::File(attribute.expression.range.clone());
            given.values.insert(attribute.name.clone(), (value, None, Some(from)));
            continue;
        }
        undeclared.push(attribute.name.clone());
    }
    warn(file, &undeclared, given);
}

/// Names that the root module does not have: the first two each, then how many more.
fn warn(file: &str, undeclared: &[SmolStr], given: &mut Given) {
    let mut told = |summary: &str, detail: String| {
        let warning = Diagnostic::sourceless(summary, detail);
        given.diagnostics.push(Diagnostic { severity: hcl::Severity::Warning, ..warning });
    };
    for name in undeclared.iter().take(2) {
        let detail = format!(
            "The root module does not declare a variable named \"{name}\" but a value was found in file \"{file}\". If you meant to use this value, add a \"variable\" block to the configuration.\n\nTo silence these warnings, use TF_VAR_... environment variables to provide certain \"global\" settings to all configurations in your organization. To reduce the verbosity of these warnings, use the -compact-warnings option."
        );
        told("Value for undeclared variable", detail);
    }
    if undeclared.len() > 2 {
        let detail = format!(
            "In addition to the other similar warnings shown, {} other variable(s) defined without being declared.",
            undeclared.len() - 2
        );
        told("Values for undeclared variables", detail);
    }
}

/// How long the value is that a text begins with.
fn json_length(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if quoted => {
                quoted = false;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ if quoted => {}
            '"' => quoted = true,
            '[' | '{' => depth += 1,
            ']' | '}' if depth > 1 => depth -= 1,
            ']' | '}' if depth == 1 => return at + 1,
            ',' | ' ' | '\n' | '\r' | '\t' | ']' | '}' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Values as JSON. Texts are taken as they stand: templates in them are left out.
fn read_json(file: &str, text: String, root: &Module, given: &mut Given) {
    let whole = |start: usize, end: usize| {
        let at = |byte: usize| {
            let before = text.get(..byte).unwrap_or(&text);
            let line = before.matches('\n').count() as u32 + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() as u32 + 1;
            Pos { line, column, byte }
        };
        Range { file: file.into(), start: at(start), end: at(end) }
    };
    let json = value::decode_at(&text);
    let mut undeclared = Vec::new();
    match json.as_ref().map(|json| (json, json.entries())) {
        Ok((_, Some(entries))) => {
            for (name, value) in entries {
                if !root.variables.contains_key(name) {
                    undeclared.push(name.clone());
                    continue;
                }
                let start = text.find(&format!("\"{name}\"")).unwrap_or_default();
                let end = start + name.len() + 2;
                let colon = text.get(end..).and_then(|rest| rest.find(':')).map_or(end, |at| end + at + 1);
                let blank = text.get(colon..).map_or(0, |rest| rest.len() - rest.trim_start().len());
                let from = colon + blank;
                let range = whole(from, from + json_length(text.get(from..).unwrap_or_default()));
                given.values.insert(name.clone(), (value.clone(), None, Some(From::File(range))));
            }
        }
        Ok(_) => {
            let detail = "A JSON object is required here, setting the arguments for this block.";
            let at = whole(0, 1);
            given.early.push(Diagnostic::error("Incorrect JSON value type", detail, &at));
        }
        Err((_, at)) if *at >= text.len() => {
            let tail = text.len();
            let tell = |summary: &str, detail: &str, at: usize| Diagnostic::error(summary, detail, &whole(at, at + 1));
            given.early.push(tell("Missing value", "The JSON data ends prematurely.", tail));
            if text.trim_start().starts_with('{') {
                let detail = "No closing brace was found for this JSON object.";
                given.early.push(tell("Unclosed object", detail, 0));
            }
            let detail =
                "The root value in a JSON-based configuration must be either a JSON object or a JSON array of objects.";
            given.early.push(tell("Root value must be object", detail, 0));
        }
        Err((error, at)) => {
            let at = at.saturating_sub(1);
            given.early.push(Diagnostic::error("Invalid JSON keyword", error.clone(), &whole(at, at + 1)));
        }
    }
    warn(file, &undeclared, given);
    given.texts.insert(file.into(), text);
}

/// The given values as the variables' types ask; what does not fit is told when the variable is looked at.
pub fn convert(given: &mut Given, root: &Module) -> BTreeMap<SmolStr, Value> {
    let mut values = BTreeMap::new();
    let lacks = |name: &&SmolStr| !given.values.contains_key(*name);
    let lacking = given.wrong.iter().filter(lacks).filter_map(|name| root.variables.get(name));
    let lacking: Vec<Diagnostic> = lacking.filter(|variable| variable.default.is_none()).map(not_given).collect();
    // What is no value at all is told alone.
    let early = has_errors(&given.diagnostics);
    given.diagnostics.extend(lacking);
    for (name, (value, _, from)) in &given.values {
        let Some(variable) = root.variables.get(name) else { continue };
        if value.is_null() && !variable.nullable && variable.default.is_some() {
            continue;
        }
        match variable.constraint.convert(value) {
            Ok(value) => {
                values.insert(name.clone(), value);
            }
            Err(_) if early => {}
            Err(error) => {
                let reason = error.to_string();
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
                let error = Diagnostic::error("Invalid value for input variable", detail, &range);
                given.unfit.insert(name.clone(), error);
            }
        }
    }
    values
}

/// Variables that must be given and are not.
pub fn missing(given: &Given, root: &Module) -> Vec<SmolStr> {
    let lacks = |(name, variable): (&SmolStr, &Variable)| {
        let told = given.values.contains_key(name) || given.wrong.contains(name);
        (variable.default.is_none() && !told).then(|| name.clone())
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
