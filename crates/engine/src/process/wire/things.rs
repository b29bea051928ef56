//! Requests, files, waits and what else the two ends tell each other: how each is written, and below it how it is read.

use super::{Reader, Writer};
use crate::base::diagnostic::{Diagnostic, Place, Severity};
use crate::base::http::{Body, Frame, Method, Request, Response, User};
use crate::base::{Map, SmolStr, Value};
use crate::process::{Node, Signal, Stream, Turn, Wait};

/// Nesting of values read at most.
const DEEPEST: usize = 200;

impl Writer {
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.byte(0),
            Value::Bool(false) => self.byte(1),
            Value::Bool(true) => self.byte(2),
            Value::Int(number) => {
                self.byte(3);
                self.signed(*number);
            }
            Value::Float(number) => {
                self.byte(4);
                self.number(number.to_bits());
            }
            Value::Text(text) => {
                self.byte(5);
                self.text(text);
            }
            Value::List(items) => {
                self.byte(6);
                self.all(items.iter(), Writer::value);
            }
            Value::Map(map) => {
                self.byte(7);
                self.all(map.iter(), |to, (key, value)| {
                    to.text(key);
                    to.value(value);
                });
            }
        }
    }
}

impl Reader<'_> {
    pub fn value(&mut self) -> Value {
        self.value_within(DEEPEST)
    }

    fn value_within(&mut self, depth: usize) -> Value {
        let Some(depth) = depth.checked_sub(1) else {
            self.spoil();
            return Value::Null;
        };
        match self.byte() {
            1 => Value::Bool(false),
            2 => Value::Bool(true),
            3 => Value::Int(self.signed()),
            4 => Value::Float(f64::from_bits(self.number())),
            5 => Value::Text(self.smol()),
            6 => Value::list(self.all(|from| from.value_within(depth))),
            7 => self.all(|from| (from.smol(), from.value_within(depth))).into_iter().collect::<Map>().into(),
            _ => Value::Null,
        }
    }
}

impl Writer {
    pub fn body(&mut self, body: &Body) {
        match body {
            Body::None => self.byte(0),
            Body::Value(value) => {
                self.byte(1);
                self.value(value);
            }
            Body::Text(text) => {
                self.byte(2);
                self.text(text);
            }
        }
    }
}

impl Reader<'_> {
    pub fn body(&mut self) -> Body {
        match self.byte() {
            1 => Body::Value(self.value()),
            2 => Body::Text(self.string()),
            _ => Body::None,
        }
    }
}

const METHODS: [Method; 6] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete, Method::Head];

impl Writer {
    pub fn request(&mut self, request: &Request) {
        self.byte(METHODS.iter().position(|method| *method == request.method).unwrap_or_default() as u8);
        for text in [&request.host, &request.content_type, &request.accept, &request.agent, &request.user.name] {
            self.text(text);
        }
        self.text(&request.path);
        self.all(request.user.groups.iter(), |to, group| to.text(group));
        self.all(request.query.iter(), |to, (key, value)| {
            to.text(key);
            to.text(value);
        });
        self.body(&request.body);
    }
}

impl Reader<'_> {
    pub fn request(&mut self) -> Request {
        let method = METHODS.get(usize::from(self.byte())).copied().unwrap_or(Method::Get);
        let [host, content_type, accept, agent, name] = [(); 5].map(|()| self.smol());
        let path = self.string();
        let groups = self.all(Reader::smol);
        let query = self.all(|from| (from.smol(), from.string()));
        let user = User { name, groups };
        Request { host, method, path, query, content_type, accept, agent, user, body: self.body(), instead: None }
    }
}

impl Writer {
    pub fn response(&mut self, response: &Response) {
        self.number(response.code.into());
        self.texts(&response.warnings);
        self.text(&response.content_type);
        self.body(&response.body);
        self.maybe(response.stream, Writer::number);
    }
}

impl Reader<'_> {
    pub fn response(&mut self) -> Response {
        let code = self.number().try_into().unwrap_or_default();
        let warnings = self.texts();
        let content_type = self.smol();
        let body = self.body();
        Response { code, warnings, content_type, body, stream: self.maybe(Reader::number) }
    }
}

impl Writer {
    pub fn frame(&mut self, frame: &Frame) {
        match frame {
            Frame::End => self.byte(0),
            Frame::Event(value) => {
                self.byte(1);
                self.value(value);
            }
            Frame::Data(channel, bytes) => {
                self.byte(2);
                self.byte(*channel);
                self.bytes(bytes);
            }
        }
    }
}

impl Reader<'_> {
    pub fn frame(&mut self) -> Frame {
        match self.byte() {
            1 => Frame::Event(self.value()),
            2 => Frame::Data(self.byte(), self.bytes().to_vec()),
            _ => Frame::End,
        }
    }
}

impl Writer {
    pub fn node(&mut self, node: &Node) {
        match node {
            Node::Directory { modified, read_only } => {
                self.byte(0);
                self.time(*modified);
                self.flag(*read_only);
            }
            Node::File { content, modified, mode, read_only } => {
                self.byte(1);
                self.bytes(content);
                self.time(*modified);
                self.number((*mode).into());
                self.flag(*read_only);
            }
            Node::Link { to } => {
                self.byte(2);
                self.text(to);
            }
        }
    }
}

impl Reader<'_> {
    pub fn node(&mut self) -> Node {
        match self.byte() {
            0 => Node::Directory { modified: self.time(), read_only: self.flag() },
            1 => {
                let content = self.bytes().to_vec().into();
                Node::File { content, modified: self.time(), mode: self.small(), read_only: self.flag() }
            }
            _ => Node::Link { to: self.string() },
        }
    }
}

/// What is different in a machine's files (`Files::changes`).
impl Writer {
    pub fn files(&mut self, changes: &[(String, Option<Node>)]) {
        self.all(changes.iter(), |to, (path, node)| {
            to.text(path);
            to.maybe(node.as_ref(), Writer::node);
        });
    }
}

impl Reader<'_> {
    pub fn files(&mut self) -> Vec<(String, Option<Node>)> {
        self.all(|from| (from.string(), from.maybe(Reader::node)))
    }
}

/// How far chance has come (`Chance::changes`).
impl Writer {
    pub fn draws(&mut self, changes: &[(SmolStr, u64)]) {
        self.all(changes.iter(), |to, (purpose, state)| {
            to.text(purpose);
            to.number(*state);
        });
    }
}

impl Reader<'_> {
    pub fn draws(&mut self) -> Vec<(SmolStr, u64)> {
        self.all(|from| (from.smol(), from.number()))
    }
}

impl Writer {
    pub fn diagnostic(&mut self, told: &Diagnostic) {
        self.byte(told.severity as u8);
        for place in [told.start, told.end] {
            self.number(place.line.into());
            self.number(place.column.into());
        }
        self.text(&told.message);
        self.text(&told.hint);
    }
}

impl Reader<'_> {
    pub fn diagnostic(&mut self) -> Diagnostic {
        let severity = match self.byte() {
            0 => Severity::Info,
            1 => Severity::Warning,
            _ => Severity::Error,
        };
        let [start, end] = [(); 2].map(|()| Place { line: self.small(), column: self.small() });
        Diagnostic { severity, start, end, message: self.string(), hint: self.string() }
    }
}

impl Writer {
    pub fn turn(&mut self, turn: &Turn) {
        match turn {
            Turn::Again | Turn::Hold => self.byte(0),
            Turn::Exit(code) => {
                self.byte(1);
                self.signed((*code).into());
            }
            Turn::Wait(waits) => {
                self.byte(2);
                self.all(waits.iter(), |to, wait| match wait {
                    Wait::Until(at) => {
                        to.byte(0);
                        to.time(*at);
                    }
                    Wait::Input => to.byte(1),
                    Wait::Room => to.byte(2),
                    Wait::Signal => to.byte(3),
                    Wait::Pipe(pipe) => {
                        to.byte(4);
                        to.number((*pipe).into());
                    }
                    Wait::Child(pid) => {
                        to.byte(5);
                        to.number((*pid).into());
                    }
                    Wait::Call(call) => {
                        to.byte(6);
                        to.number(*call);
                    }
                });
            }
        }
    }
}

impl Reader<'_> {
    pub fn turn(&mut self) -> Turn {
        match self.byte() {
            0 => Turn::Again,
            1 => Turn::Exit(self.signed().try_into().unwrap_or(1)),
            _ => Turn::Wait(self.all(|from| match from.byte() {
                0 => Wait::Until(from.time()),
                1 => Wait::Input,
                2 => Wait::Room,
                3 => Wait::Signal,
                4 => Wait::Pipe(from.small()),
                5 => Wait::Child(from.small()),
                _ => Wait::Call(from.number()),
            })),
        }
    }
}

const SIGNALS: [Signal; 8] =
    [Signal::Hup, Signal::Int, Signal::Quit, Signal::Kill, Signal::Usr1, Signal::Pipe, Signal::Term, Signal::Winch];

pub fn signal(number: u8) -> Option<Signal> {
    SIGNALS.into_iter().find(|signal| *signal as u8 == number)
}

pub fn stream(number: u8) -> Stream {
    if number == 0 { Stream::Out } else { Stream::Err }
}
