//! Go's text/template over values, with what a program adds to it (`Dialect`): kubectl's `-o go-template`, docker's
//! `--format`.
//!
//! Left out: `call`, complex numbers. Steps, output and nesting have limits.

mod evaluate;
mod functions;
mod parse;

use crate::base::BTreeMap;

use crate::base::{Value, goquote, json};

pub use functions::go_type;

/// What one program adds to Go's templates.
pub struct Dialect {
    /// The template's name in errors.
    pub name: &'static str,
    /// Functions besides Go's own, and how many arguments each wants at least and at most.
    pub functions: &'static [(&'static str, usize, usize)],
    pub call: fn(&str, &[Value]) -> Result<Value, String>,
    /// Methods of objects: `.Label "app"`.
    pub method: fn(&Value, &str, &[Value]) -> Option<Value>,
    /// How a value is printed that has this name, where that is not as Go prints maps.
    pub shown: fn(&Value, &str) -> Option<String>,
}

impl std::fmt::Debug for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[derive(Clone, Debug)]
pub struct GoTemplate {
    dialect: &'static Dialect,
    text: String,
    body: Vec<Node>,
    named: BTreeMap<String, Vec<Node>>,
}

#[derive(Clone, Debug)]
enum Node {
    Text(String),
    Action(Pipe),
    If(Branch),
    With(Branch),
    Range(Branch),
    Template { name: String, pipe: Option<Pipe>, at: usize },
    Break,
    Continue,
}

#[derive(Clone, Debug)]
struct Branch {
    pipe: Pipe,
    then: Vec<Node>,
    otherwise: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Pipe {
    variables: Vec<String>,
    /// `=` to a variable that exists.
    assigns: bool,
    commands: Vec<Command>,
}

#[derive(Clone, Debug)]
struct Command {
    words: Vec<Word>,
}

/// An operand, with its place in the text.
#[derive(Clone, Debug)]
struct Word {
    at: usize,
    kind: Kind,
    /// `.a.b` behind it.
    fields: Vec<String>,
}

#[derive(Clone, Debug)]
enum Kind {
    Dot,
    Variable(String),
    Function(String),
    /// With its source.
    Constant(Value, String),
    Nil,
    Pipe(Box<Pipe>),
}

impl GoTemplate {
    /// The error is what follows `error parsing template <text>, `.
    pub fn parse(text: &str, dialect: &'static Dialect) -> Result<GoTemplate, String> {
        parse::parse(text, dialect).map_err(|(line, error)| format!("template: {}:{line}: {error}", dialect.name))
    }

    /// The text, or what was printed so far and the error: `template: output:1:2: executing …`.
    pub fn print(&self, object: &Value, allow_missing: bool) -> Result<String, (String, String)> {
        evaluate::run(self, object, allow_missing)
    }

    /// What kubectl writes to standard output behind what was already printed, and what follows `error: `.
    pub fn complaint(&self, error: &str, object: &Value) -> (String, String) {
        let text = &self.text;
        let report = format!(
            "Error executing template: {error}. Printing more information for debugging the template:\n\ttemplate \
             was:\n\t\t{text}\n\traw data was:\n\t\t{}\n\tobject given to template engine was:\n\t\t{}\n\n",
            json::compact(object),
            goquote::plain(object)
        );
        (report, format!("error executing template {}: {error}", goquote::quote(text)))
    }
}

impl std::fmt::Display for Pipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.variables.is_empty() {
            write!(f, "{} {} ", self.variables.join(", "), if self.assigns { "=" } else { ":=" })?;
        }
        for (index, command) in self.commands.iter().enumerate() {
            write!(f, "{}{command}", if index > 0 { " | " } else { "" })?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, word) in self.words.iter().enumerate() {
            write!(f, "{}{word}", if index > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            Kind::Dot if self.fields.is_empty() => f.write_str(".")?,
            Kind::Dot => {}
            Kind::Variable(name) | Kind::Function(name) => f.write_str(name)?,
            Kind::Constant(_, source) => f.write_str(source)?,
            Kind::Nil => f.write_str("nil")?,
            Kind::Pipe(pipe) => write!(f, "({pipe})")?,
        }
        self.fields.iter().try_for_each(|field| write!(f, ".{field}"))
    }
}
