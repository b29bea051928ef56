//! Nodes to text.

use super::{Branch, Command, GoTemplate, Kind, Node, Pipe, Word, functions};
use crate::base::{Value, goquote};

const MOST_STEPS: usize = 2_000_000;
const MOST_BYTES: usize = 8 << 20;
const DEEPEST: usize = 30;

pub(super) fn run(template: &GoTemplate, object: &Value, allow_missing: bool) -> Result<String, (String, String)> {
    let variables = vec![("$".to_string(), object.clone())];
    let mut run =
        Run { template, allow_missing, variables, out: String::new(), steps: 0, name: template.dialect.name, depth: 0 };
    match run.list(&template.body, object) {
        Ok(_) => Ok(run.out),
        Err(error) => Err((run.out, error)),
    }
}

struct Run<'a> {
    template: &'a GoTemplate,
    allow_missing: bool,
    variables: Vec<(String, Value)>,
    out: String,
    steps: usize,
    name: &'a str,
    depth: usize,
}

#[derive(PartialEq)]
enum Flow {
    On,
    Break,
    Continue,
}

impl<'a> Run<'a> {
    fn error<T>(&self, at: usize, shown: &str, error: &str) -> Result<T, String> {
        let before = self.template.text.get(..at).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        let column = before.rfind('\n').map_or(at, |newline| at - newline - 1);
        let name = goquote::quote(self.name);
        let file = self.template.dialect.name;
        Err(format!("template: {file}:{line}:{column}: executing {name} at <{shown}>: {error}"))
    }

    fn work(&mut self, steps: usize) -> Result<(), String> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MOST_STEPS || self.out.len() > MOST_BYTES {
            return Err("template: output: too much work for one template".into());
        }
        Ok(())
    }

    fn list(&mut self, nodes: &'a [Node], dot: &Value) -> Result<Flow, String> {
        for node in nodes {
            self.work(1)?;
            let flow = match node {
                Node::Text(text) => {
                    self.out.push_str(text);
                    Flow::On
                }
                Node::Action(pipe) => {
                    let value = self.pipe(pipe, dot)?;
                    if pipe.variables.is_empty() {
                        let last = pipe.commands.last().and_then(|command| command.words.first());
                        let name = last.and_then(|word| word.fields.last()).map_or("", String::as_str);
                        let shown = (self.template.dialect.shown)(&value, name);
                        self.out.push_str(&shown.unwrap_or_else(|| functions::printed(&value)));
                    }
                    Flow::On
                }
                Node::If(branch) => self.conditional(branch, dot, false)?,
                Node::With(branch) => self.conditional(branch, dot, true)?,
                Node::Range(branch) => self.range(branch, dot)?,
                Node::Template { name, pipe, at } => {
                    self.call(name, pipe.as_ref(), *at, dot)?;
                    Flow::On
                }
                Node::Break => Flow::Break,
                Node::Continue => Flow::Continue,
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn conditional(&mut self, branch: &'a Branch, dot: &Value, with: bool) -> Result<Flow, String> {
        let variables = self.variables.len();
        let value = self.pipe(&branch.pipe, dot)?;
        let flow = if functions::truth(&value) {
            self.list(&branch.then, if with { &value } else { dot })
        } else {
            self.list(&branch.otherwise, dot)
        };
        self.variables.truncate(variables);
        flow
    }

    fn range(&mut self, branch: &'a Branch, dot: &Value) -> Result<Flow, String> {
        let variables = self.variables.len();
        let value = self.operand_pipe(&branch.pipe, dot)?;
        let count = match &value {
            Value::Int(n) => usize::try_from(*n).unwrap_or(0),
            other => other.items().len() + other.entries().len(),
        };
        // Rounds without anything in them are work too.
        self.work(count.saturating_add(1))?;
        let pairs: Vec<(Value, Value)> = match &value {
            Value::List(items) => items.iter().enumerate().map(|(at, item)| (Value::from(at), item.clone())).collect(),
            Value::Map(map) => map.iter().map(|(key, item)| (key.into(), item.clone())).collect(),
            Value::Int(n) => (0..*n).map(|n| (n.into(), n.into())).collect(),
            Value::Null => Vec::new(),
            other => {
                let first = branch.pipe.commands.first().and_then(|command| command.words.first());
                let error = format!("range can't iterate over {}", goquote::plain(other));
                return self.error(first.map_or(0, |word| word.at), &branch.pipe.to_string(), &error);
            }
        };
        if pairs.is_empty() {
            let flow = self.list(&branch.otherwise, dot);
            self.variables.truncate(variables);
            return flow;
        }
        for (key, item) in pairs {
            match branch.pipe.variables.as_slice() {
                [one] => self.bind(one, item.clone(), branch.pipe.assigns),
                [first, second, ..] => {
                    self.bind(first, key, branch.pipe.assigns);
                    self.bind(second, item.clone(), branch.pipe.assigns);
                }
                [] => {}
            }
            let flow = self.list(&branch.then, &item)?;
            self.variables.truncate(variables);
            if flow == Flow::Break {
                break;
            }
        }
        Ok(Flow::On)
    }

    fn bind(&mut self, name: &str, value: Value, assigns: bool) {
        if assigns && let Some(variable) = self.variables.iter_mut().rev().find(|variable| variable.0 == name) {
            variable.1 = value;
            return;
        }
        self.variables.push((name.to_string(), value));
    }

    fn call(&mut self, name: &'a str, pipe: Option<&'a Pipe>, at: usize, dot: &Value) -> Result<(), String> {
        let Some(body) = self.template.named.get(name) else {
            let shown = format!("{{{{template {}}}}}", goquote::quote(name));
            return self.error(at, &shown, &format!("template {} not defined", goquote::quote(name)));
        };
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("template: output: templates called deeper than {DEEPEST}"));
        }
        let value = pipe.map_or(Ok(Value::Null), |pipe| self.pipe(pipe, dot))?;
        let outer = std::mem::replace(&mut self.variables, vec![("$".into(), value.clone())]);
        let outer_name = std::mem::replace(&mut self.name, name);
        self.list(body, &value)?;
        (self.variables, self.name) = (outer, outer_name);
        self.depth -= 1;
        Ok(())
    }

    fn pipe(&mut self, pipe: &'a Pipe, dot: &Value) -> Result<Value, String> {
        let value = self.operand_pipe(pipe, dot)?;
        for name in &pipe.variables {
            self.bind(name, value.clone(), pipe.assigns);
        }
        Ok(value)
    }

    fn operand_pipe(&mut self, pipe: &'a Pipe, dot: &Value) -> Result<Value, String> {
        let mut last = None;
        for command in &pipe.commands {
            last = Some(self.command(command, dot, last)?);
        }
        Ok(last.unwrap_or_default())
    }

    fn command(&mut self, command: &'a Command, dot: &Value, last: Option<Value>) -> Result<Value, String> {
        let Some((first, rest)) = command.words.split_first() else { return Ok(Value::Null) };
        let Kind::Function(name) = &first.kind else {
            if !rest.is_empty() || last.is_some() {
                if let Kind::Pipe(_) | Kind::Constant(..) | Kind::Nil = first.kind {
                    return self.error(
                        first.at,
                        &first.to_string(),
                        &format!("can't give argument to non-function {first}"),
                    );
                }
                if let Some((method, path)) = first.fields.split_last() {
                    let mut receiver = (*first).clone();
                    receiver.fields = path.to_vec();
                    let object = self.word_value(&receiver, dot)?;
                    let mut arguments = Vec::new();
                    for word in rest {
                        arguments.push(self.word(word, dot)?);
                    }
                    arguments.extend(last.clone());
                    if let Some(value) = (self.template.dialect.method)(&object, method, &arguments) {
                        return Ok(value);
                    }
                }
                let has = first.fields.last().map_or_else(|| first.to_string(), Clone::clone);
                let error = match (&first.kind, first.fields.is_empty()) {
                    (_, false) => format!("{has} is not a method but has arguments"),
                    _ => format!("can't give argument to non-function {first}"),
                };
                return self.error(first.at, &first.to_string(), &error);
            }
            if matches!(first.kind, Kind::Nil) {
                return self.error(first.at, "nil", "nil is not a command");
            }
            return self.word(first, dot);
        };
        let shown = command.to_string();
        let count = rest.len() + usize::from(last.is_some());
        if let Some(wants) = functions::wrong_count(name, count, self.template.dialect) {
            let error = format!("wrong number of args for {name}: want {wants} got {count}");
            return self.error(first.at, name, &error);
        }
        let mut arguments = Vec::with_capacity(count);
        for word in rest {
            let value = self.word(word, dot)?;
            // `and` and `or` stop at the first argument that decides.
            if (name == "and" && !functions::truth(&value)) || (name == "or" && functions::truth(&value)) {
                return Ok(value);
            }
            arguments.push(value);
        }
        arguments.extend(last);
        let called = match arguments.as_slice() {
            [Value::Text(format), values @ ..] if name == "printf" => {
                let types: Vec<_> = rest.iter().skip(1).zip(values).map(|(word, value)| type_of(word, value)).collect();
                Ok(functions::sprintf(format, values, &types).into())
            }
            _ => functions::call(name, &arguments, self.template.dialect),
        };
        let value = match called {
            Ok(value) => value,
            Err(mut error) => {
                if error == "incompatible types for comparison" {
                    let types: Vec<_> =
                        rest.iter().zip(&arguments).take(2).map(|(word, value)| type_of(word, value)).collect();
                    error = format!("{error}: {}", types.join(" and "));
                }
                if let (Some(kind), Some(word)) = (error.strip_prefix("non-function "), rest.first()) {
                    error = format!("non-function {word} {kind}");
                }
                return self.error(first.at, &shown, &format!("error calling {name}: {error}"));
            }
        };
        // What is made may grow by itself: `$x = print $x $x`.
        self.work(value.str().len() / 16)?;
        self.fields(first, value)
    }

    fn word(&mut self, word: &'a Word, dot: &Value) -> Result<Value, String> {
        let base = match &word.kind {
            Kind::Dot => dot.clone(),
            Kind::Variable(name) => self.variable(name),
            Kind::Constant(value, _) => value.clone(),
            Kind::Nil => Value::Null,
            Kind::Pipe(pipe) => self.pipe(pipe, dot)?,
            Kind::Function(name) => match functions::wrong_count(name, 0, self.template.dialect) {
                Some(wants) => {
                    let error = format!("wrong number of args for {name}: want {wants} got 0");
                    return self.error(word.at, name, &error);
                }
                None => match functions::call(name, &[], self.template.dialect) {
                    Ok(value) => value,
                    Err(error) => return self.error(word.at, name, &format!("error calling {name}: {error}")),
                },
            },
        };
        self.fields(word, base)
    }

    /// What a method belongs to.
    fn word_value(&self, word: &Word, dot: &Value) -> Result<Value, String> {
        let base = match &word.kind {
            Kind::Variable(name) => self.variable(name),
            _ => dot.clone(),
        };
        self.fields(word, base)
    }

    fn variable(&self, name: &str) -> Value {
        let found = self.variables.iter().rev().find(|variable| variable.0 == name);
        found.map(|variable| variable.1.clone()).unwrap_or_default()
    }

    fn fields(&self, word: &Word, mut value: Value) -> Result<Value, String> {
        let mut found = false;
        for field in &word.fields {
            value = match &value {
                Value::Null if found => {
                    let error = format!("nil pointer evaluating interface {{}}.{field}");
                    return self.error(word.at, &word.to_string(), &error);
                }
                Value::Map(map) => match map.get(field) {
                    Some(value) => {
                        found = true;
                        value.clone()
                    }
                    None if self.allow_missing => {
                        found = false;
                        Value::Null
                    }
                    None => {
                        let error = format!("map has no entry for key {}", goquote::quote(field));
                        return self.error(word.at, &word.to_string(), &error);
                    }
                },
                Value::Null if self.allow_missing => Value::Null,
                Value::Null => {
                    let error = format!("nil data; no entry for key {}", goquote::quote(field));
                    return self.error(word.at, &word.to_string(), &error);
                }
                _ => {
                    let error = format!("can't evaluate field {field} in type interface {{}}");
                    return self.error(word.at, &word.to_string(), &error);
                }
            };
        }
        Ok(value)
    }
}

/// Whole numbers of the template are `int`, those of an object `int64`.
fn type_of(word: &Word, value: &Value) -> &'static str {
    match (&word.kind, value) {
        (Kind::Constant(..), Value::Int(_)) => "int",
        (Kind::Pipe(pipe), Value::Int(_))
            if pipe.commands.last().is_some_and(|last| last.to_string().starts_with("len ")) =>
        {
            "int"
        }
        _ => functions::go_type(value),
    }
}
