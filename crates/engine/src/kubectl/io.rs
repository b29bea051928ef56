//! What a verb reaches while it runs: requests under an identity, the streams and files of `process::rerun`, and how
//! kubectl words what went wrong.

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::log;
use crate::base::Time;
use crate::base::Value;
use crate::base::http::{Method, Request, Response, User};
use crate::process::{Call, Sys, rerun};

pub use crate::process::rerun::{Failure, Heard, Memory, Outcome, Stop, body, fail, fail_full, flush};

/// A wrong use: the error and where help is.
pub fn usage<T>(command: &str, text: impl AsRef<str>) -> Outcome<T> {
    fail(format!("{}\nSee 'kubectl {command} -h' for help and examples", text.as_ref()))
}

pub struct Io<'a, 'b> {
    machine: rerun::Io<'a, 'b>,
    pub user: User,
    pub namespace: String,
    /// `--namespace` was given.
    pub namespace_forced: bool,
    /// The API server's address.
    pub server: String,
    /// `-v`
    pub verbosity: i64,
    /// The command and its words.
    pub words: (String, Vec<String>),
}

impl<'a, 'b> Deref for Io<'a, 'b> {
    type Target = rerun::Io<'a, 'b>;
    fn deref(&self) -> &Self::Target {
        &self.machine
    }
}

impl DerefMut for Io<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.machine
    }
}

impl<'a, 'b> Io<'a, 'b> {
    pub fn new(sys: &'a mut Sys<'b>, memory: &'a mut Memory, start: Time) -> Io<'a, 'b> {
        let user = User { name: "kubernetes-admin".into(), groups: Vec::new() };
        let machine = rerun::Io::new(sys, memory, start);
        let namespace = "default".to_string();
        Io {
            machine,
            user,
            namespace,
            namespace_forced: false,
            server: String::new(),
            verbosity: 0,
            words: Default::default(),
        }
    }

    /// Sends a request and goes on with its answer; `-v` tells of both.
    pub fn send(&mut self, request: Request) -> Outcome<Response> {
        self.open(request).map(|(_, response)| response)
    }

    /// As `send`, with the call whose frames follow.
    pub fn open(&mut self, request: Request) -> Outcome<(Call, Response)> {
        if self.verbosity < 6 {
            return self.machine.open(request);
        }
        let before = self.now();
        log::request(self, &request);
        let (call, response) = self.machine.open(request.clone())?;
        let took = self.now() - before;
        log::response(self, &request, &response, took);
        Ok((call, response))
    }

    pub fn request(&self, method: Method, path: impl Into<String>) -> Request {
        Request::new(&self.user, "kubectl", method, path)
    }

    /// A part of the verb that is done once: later runs get its result, and what it heard is forgotten.
    pub fn once<T: Any + Send + Sync>(&mut self, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<Arc<T>> {
        match self.made() {
            Ok(result) => Ok(result),
            Err(index) => {
                let result = work(self)?;
                Ok(self.make(index, result))
            }
        }
    }

    /// A loop over objects: each is done once, so that a thousand cost a thousand times as much as one.
    pub fn each<T: Any + Send + Sync + Clone>(
        &mut self,
        count: usize,
        mut work: impl FnMut(&mut Self, usize) -> Outcome<T>,
    ) -> Outcome<Arc<Vec<T>>> {
        let (index, done) = self.rounds::<T>();
        for round in done..count {
            let result = work(self, round)?;
            self.round(index, result);
        }
        Ok(self.results(index))
    }

    /// As `each`, for work that prints and notes what failed.
    pub fn over<T>(
        &mut self,
        items: &[T],
        mut work: impl FnMut(&mut Self, &T, &mut Vec<Failure>) -> Outcome,
    ) -> Outcome<Vec<Failure>> {
        let failures = self.each(items.len(), |io, at| {
            let mut failures = Vec::new();
            if let Some(item) = items.get(at) {
                work(io, item, &mut failures)?;
            }
            Ok(failures)
        })?;
        Ok(failures.iter().flatten().cloned().collect())
    }

    /// Sends a request; an error answer ends the verb as kubectl shows it.
    pub fn must(&mut self, request: Request) -> Outcome<Value> {
        let response = self.send(request)?;
        if response.ok() { Ok(body(&response)) } else { Err(Stop::Fail(vec![server_failure(&response)], 1)) }
    }
}

/// How kubectl words an error the server answered with.
pub fn server_failure(response: &Response) -> Failure {
    // A path nobody serves is answered in plain text.
    if response.code == 404 && response.value()["reason"].str().is_empty() {
        return Failure::Full("Error from server (NotFound): the server could not find the requested resource".into());
    }
    status_failure(&body(response), None)
}

/// Whether an answer was no Status but the text of a path that nobody serves.
pub fn is_page(status: &Value) -> bool {
    status.is_null() || status.as_str().is_some()
}

/// `context` is put before the message (`error when creating "f.yaml": `).
pub fn status_failure(status: &Value, context: Option<&str>) -> Failure {
    let message = status["message"].str();
    let reason = status["reason"].str();
    let causes = status.at(&["details", "causes"]).items();
    let context_of = context.unwrap_or_default();
    match reason {
        // Plain text: nobody serves the path.
        _ if is_page(status) => Failure::Full(format!(
            "Error from server (NotFound): {context_of}the server could not find the requested resource"
        )),
        "Unauthorized" => Failure::Plain(format!("You must be logged in to the server ({message})")),
        "Invalid" => Failure::Among {
            alone: invalid(status, message, causes),
            text: format!("Error from server (Invalid): {}{message}", context.unwrap_or_default()),
        },
        _ => {
            let context = context.unwrap_or_default();
            let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
            Failure::Full(format!("Error from server{reason}: {context}{message}"))
        }
    }
}

fn invalid(status: &Value, message: &str, causes: &[Value]) -> String {
    let details = &status["details"];
    let subject = match (details["kind"].str(), details["name"].str()) {
        ("", _) => "The request is invalid".to_string(),
        (kind, name) => format!("The {kind} \"{name}\" is invalid"),
    };
    let mut lines: Vec<String> = Vec::new();
    for cause in causes {
        let (field, message) = (cause["field"].str(), cause["message"].str());
        let line = if field.is_empty() { message.to_string() } else { format!("{field}: {message}") };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    match lines.as_slice() {
        [] if subject == "The request is invalid" => format!("{subject}: {message}"),
        [] => format!("{subject}: {}", message.split_once("is invalid: ").map_or(message, |(_, rest)| rest)),
        [line] => format!("{subject}: {line}"),
        lines => {
            let list: String = lines.iter().map(|line| format!("\n* {line}")).collect();
            format!("{subject}: {list}")
        }
    }
}
