//! Plain data as bytes, for a program that runs in another module (`remote`). Both ends are of one build, so there are
//! no versions; reading is total all the same: bytes that make no sense end the reading, never the reader.

use super::{Node, Signal, Stream, Turn, Wait};
use crate::base::diagnostic::{Diagnostic, Place, Severity};
use crate::base::http::{Body, Frame, Method, Request, Response, User};
use crate::base::{Map, SmolStr, Time, Value};

/// Nesting of values read at most.
const DEEPEST: usize = 200;

#[derive(Default)]
pub struct Writer(pub Vec<u8>);

/// Every read answers with a default once the bytes have ended or make no sense; `good` says whether they did not.
pub struct Reader<'a> {
    rest: &'a [u8],
    pub good: bool,
}

impl Writer {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits a byte, lowest first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    pub fn time(&mut self, time: Time) {
        self.signed(time.0);
    }

    pub fn flag(&mut self, flag: bool) {
        self.byte(flag.into());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// How many, then each.
    pub fn all<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut each: impl FnMut(&mut Writer, T)) {
        self.count(items.len());
        for item in items {
            each(self, item);
        }
    }

    pub fn texts(&mut self, texts: &[String]) {
        self.all(texts.iter(), |to, text| to.text(text));
    }

    pub fn maybe<T>(&mut self, item: Option<T>, each: impl FnOnce(&mut Writer, T)) {
        self.flag(item.is_some());
        if let Some(item) = item {
            each(self, item);
        }
    }

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

    pub fn response(&mut self, response: &Response) {
        self.number(response.code.into());
        self.texts(&response.warnings);
        self.text(&response.content_type);
        self.body(&response.body);
        self.maybe(response.stream, Writer::number);
    }

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

    pub fn diagnostic(&mut self, told: &Diagnostic) {
        self.byte(told.severity as u8);
        for place in [told.start, told.end] {
            self.number(place.line.into());
            self.number(place.column.into());
        }
        self.text(&told.message);
        self.text(&told.hint);
    }

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

const METHODS: [Method; 6] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete, Method::Head];

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, good: true }
    }

    /// Nothing more can be read.
    fn spoil(&mut self) {
        (self.rest, self.good) = (&[], false);
    }

    pub fn byte(&mut self) -> u8 {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                *first
            }
            [] => {
                self.spoil();
                0
            }
        }
    }

    pub fn number(&mut self) -> u64 {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
        }
        self.spoil();
        0
    }

    pub fn small(&mut self) -> u32 {
        self.number().try_into().unwrap_or_default()
    }

    pub fn signed(&mut self) -> i64 {
        let number = self.number();
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }

    pub fn time(&mut self) -> Time {
        Time(self.signed())
    }

    pub fn flag(&mut self) -> bool {
        self.byte() == 1
    }

    /// How many things follow; each takes a byte at least.
    pub fn count(&mut self) -> usize {
        let count = usize::try_from(self.number()).unwrap_or(usize::MAX);
        if count > self.rest.len() {
            self.spoil();
            return 0;
        }
        count
    }

    pub fn bytes(&mut self) -> &'a [u8] {
        let count = self.count();
        let (bytes, rest) = self.rest.split_at_checked(count).unwrap_or_default();
        self.rest = rest;
        bytes
    }

    pub fn text(&mut self) -> &'a str {
        std::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    pub fn string(&mut self) -> String {
        self.text().to_string()
    }

    pub fn smol(&mut self) -> SmolStr {
        SmolStr::new(self.text())
    }

    pub fn all<T>(&mut self, mut each: impl FnMut(&mut Reader<'a>) -> T) -> Vec<T> {
        let mut items = Vec::new();
        for _ in 0..self.count() {
            items.push(each(self));
        }
        items
    }

    pub fn texts(&mut self) -> Vec<String> {
        self.all(Reader::string)
    }

    pub fn maybe<T>(&mut self, each: impl FnOnce(&mut Reader<'a>) -> T) -> Option<T> {
        self.flag().then(|| each(self))
    }

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

    pub fn body(&mut self) -> Body {
        match self.byte() {
            1 => Body::Value(self.value()),
            2 => Body::Text(self.string()),
            _ => Body::None,
        }
    }

    pub fn request(&mut self) -> Request {
        let method = METHODS.get(usize::from(self.byte())).copied().unwrap_or(Method::Get);
        let [host, content_type, accept, agent, name] = [(); 5].map(|()| self.smol());
        let path = self.string();
        let groups = self.all(Reader::smol);
        let query = self.all(|from| (from.smol(), from.string()));
        let user = User { name, groups };
        Request { host, method, path, query, content_type, accept, agent, user, body: self.body() }
    }

    pub fn response(&mut self) -> Response {
        let code = self.number().try_into().unwrap_or_default();
        let warnings = self.texts();
        let content_type = self.smol();
        let body = self.body();
        Response { code, warnings, content_type, body, stream: self.maybe(Reader::number) }
    }

    pub fn frame(&mut self) -> Frame {
        match self.byte() {
            1 => Frame::Event(self.value()),
            2 => Frame::Data(self.byte(), self.bytes().to_vec()),
            _ => Frame::End,
        }
    }

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

    pub fn diagnostic(&mut self) -> Diagnostic {
        let severity = match self.byte() {
            0 => Severity::Info,
            1 => Severity::Warning,
            _ => Severity::Error,
        };
        let [start, end] = [(); 2].map(|()| Place { line: self.small(), column: self.small() });
        Diagnostic { severity, start, end, message: self.string(), hint: self.string() }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let text = r#"{"a":[1,-5,2.5,"é",null,true,false,{}],"b":{"c":[]},"n":9223372036854775807}"#;
        let value = crate::base::json::parse(text).unwrap();
        let mut writer = Writer::default();
        writer.value(&value);
        let bytes = writer.0;
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.value(), value);
        assert!(reader.good && reader.rest.is_empty());
        for cut in 0..bytes.len() {
            let _ = Reader::new(&bytes[..cut]).value();
        }
        for at in 0..bytes.len() {
            for byte in [0, 1, 6, 7, 0x7f, 0xff] {
                let mut wrong = bytes.clone();
                wrong[at] = byte;
                let _ = Reader::new(&wrong).value();
            }
        }
    }

    #[test]
    fn numbers_at_their_ends() {
        let all = [0, 1, -1, 63, 64, -64, -65, i64::MAX, i64::MIN];
        let mut writer = Writer::default();
        for number in all {
            writer.signed(number);
        }
        let mut reader = Reader::new(&writer.0);
        assert_eq!(all.map(|_| reader.signed()), all);
        assert!(reader.good);
        Reader::new(&[0xff; 20]).number();
    }
}
