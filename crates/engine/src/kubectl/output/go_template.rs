//! `-o go-template`: Go's text/template over objects, with kubectl's `exists` and `base64decode`.
//!
//! Left out: `call`, methods, complex numbers. Steps, output and nesting have limits.

mod evaluate;
mod functions;
mod parse;

use crate::base::BTreeMap;

use crate::base::{Value, goquote, json};

#[derive(Clone, Debug)]
pub struct GoTemplate {
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
    pub fn parse(text: &str) -> Result<GoTemplate, String> {
        parse::parse(text).map_err(|(line, error)| format!("template: output:{line}: {error}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let object = json::parse(
            r#"{"kind":"List","items":[{"name":"a","n":1},{"name":"b","n":2,"l":{"y":"2","x":"1"}}],"s":"aGk=","nul":null}"#,
        )
        .unwrap();
        let check = |template: &str, want: &str| {
            let got = match GoTemplate::parse(template) {
                Err(error) => error,
                Ok(parsed) => parsed.print(&object, true).unwrap_or_else(|(out, error)| out + &error),
            };
            assert_eq!(got, want, "for {template}");
        };
        check(r#"{{range .items}}{{.name}}{{"\n"}}{{end}}"#, "a\nb\n");
        check("{{range $i, $e := .items}}{{if $i}}, {{end}}{{$i}}={{$e.name}}{{end}}", "0=a, 1=b");
        check(
            "{{.no}} {{.no.such}} {{.nul}} {{.items}}",
            "<no value> <no value> <no value> [map[n:1 name:a] map[l:map[x:1 y:2] n:2 name:b]]",
        );
        check(r#"{{if and (eq .kind "List") (gt (len .items) 1)}}yes{{else}}no{{end}}"#, "yes");
        check(r#"{{printf "%-5s|%03d|%q|%v" .kind 7 "x" .nul}}"#, "List |007|\"x\"|<nil>");
        check("{{ .s | base64decode }}{{- /* gone */ -}}  !", "hi!");
        check("{{range $k, $v := (index .items 1).l}}{{$k}}{{$v}} {{else}}none{{end}}", "x1 y2 ");
        check("{{with .nul}}a{{else}}b{{end}}{{range .no}}{{else}}c{{end}}", "bc");
        check("{{define \"t\"}}[{{.}}]{{end}}{{template \"t\" .kind}}", "[List]");
        check("{{.kind", "template: output:1: unclosed action");
        check("{{shout .kind}}", "template: output:1: function \"shout\" not defined");
        check(
            "{{index .no 0}}",
            "template: output:1:2: executing \"output\" at <index .no 0>: error calling index: index of untyped nil",
        );
        check("{{if exists . \"items\" 0 \"name\"}}e{{end}}{{html \"<a>\"}}", "e&lt;a&gt;");
    }
}
