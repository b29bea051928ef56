//! One client: its requests to the door, the answers, streams and taken-over connections back.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use engine::base::http::{Body, Frame, Mail, Method, Request, Response, User};
use engine::base::{Value, json};
use engine::docker;

use super::http::{Asked, Done, Wire, gone};
use super::{Call, Door, terminal};

/// How long a thread waits before it looks whether its client is still there.
const LOOK: Duration = Duration::from_millis(100);
const RAW: &str = "application/vnd.docker.raw-stream";
const MULTIPLEXED: &str = "application/vnd.docker.multiplexed-stream";

pub struct Connection {
    door: Door,
    wire: Wire,
    calls: Sender<Call>,
}

/// A request under way.
struct Pending {
    number: u64,
    mail: Receiver<Mail>,
}

impl Connection {
    pub fn new(door: Door, stream: TcpStream, calls: Sender<Call>) -> Done<Connection> {
        Ok(Connection { door, wire: Wire::new(stream)?, calls })
    }

    pub fn converse(&mut self) -> Done {
        loop {
            let asked = match self.wire.read_request()? {
                Ok(asked) => asked,
                Err((code, text)) => return self.refuse(code, text),
            };
            let close = asked.close;
            let goes_on = match self.door {
                Door::Docker => self.serve_docker(&asked)?,
                Door::Api => self.serve_api(&asked)?,
            };
            if !goes_on || close {
                return Ok(());
            }
        }
    }

    fn refuse(&mut self, code: u16, text: &str) -> Done {
        self.answer(&Response::new(code, engine::map! { "message" => text }), false)
    }

    /// Whether the connection goes on.
    fn serve_docker(&mut self, asked: &Asked) -> Done<bool> {
        let request = self.request(asked);
        let last = asked.path.rsplit('/').next().unwrap_or_default();
        let takes_over = request.method == Method::Post
            && (last == "attach" || last == "start" && request.path.contains("/exec/") && !is_detached(&asked.body));
        if last == "archive" || last == "export" {
            return self.serve_archive(asked, request);
        }
        let raw = self.has_terminal(&request.path);
        // A wait is confirmed at once, long before it is over.
        let early = last == "wait" && self.read(&format!("{}json", request.path.trim_end_matches("wait"))).code == 200;
        let logs = last == "logs";
        let kind = match (logs || takes_over, raw) {
            (true, true) => RAW,
            (true, false) => MULTIPLEXED,
            _ => "application/json",
        };
        let pending = self.ask(request)?;
        if early {
            self.open(200, kind)?;
        }
        let response = self.reply(&pending)?;
        if response.stream.is_none() {
            if last == "load" && response.code == 200 {
                self.open(200, kind)?;
                for line in response.value().items() {
                    let message = engine::map! { "stream" => format!("{}\n", line.str()) };
                    self.wire.chunk(self.door.text(&message).as_bytes())?;
                }
                self.wire.end_chunks()?;
                return Ok(true);
            }
            if early {
                self.wire.chunk(&self.body(&response))?;
                self.wire.end_chunks()?;
            } else {
                self.answer(&response, asked.method == Method::Head)?;
            }
            return Ok(true);
        }
        if takes_over {
            self.take_over(asked.upgrade, &pending, kind)?;
            return Ok(false);
        }
        self.open(200, kind)?;
        self.carry(&pending, kind == MULTIPLEXED)
    }

    /// Files in and out of containers: tar archives outside, lists of entries inside.
    fn serve_archive(&mut self, asked: &Asked, mut request: Request) -> Done<bool> {
        if asked.method == Method::Put {
            let Some(entries) = docker::from_tar(&asked.bytes) else {
                self.refuse(400, "archive/tar: invalid tar header")?;
                return Ok(true);
            };
            request.body = Body::Value(engine::map! { "entries" => entries });
        }
        let path = request.query("path").trim_end_matches('/').to_string();
        let pending = self.ask(request)?;
        let response = self.reply(&pending)?;
        if response.code != 200 || asked.method == Method::Put {
            self.answer(&response, asked.method == Method::Head)?;
            return Ok(true);
        }
        let found = response.value();
        let mut headers = self.door.headers();
        if !found["stat"].is_null() {
            let stat = json::compact(&found["stat"]);
            headers.push_str(&format!("X-Docker-Container-Path-Stat: {}\r\n", base64(stat.as_bytes())));
        }
        let body = docker::to_tar(&found["entries"], path.rsplit('/').next().unwrap_or_default());
        headers.push_str(&format!("Content-Type: application/x-tar\r\nContent-Length: {}\r\n", body.len()));
        self.wire.answer(200, &headers, if asked.method == Method::Head { &[] } else { &body })?;
        Ok(true)
    }

    fn serve_api(&mut self, asked: &Asked) -> Done<bool> {
        let request = self.request(asked);
        let last = request.path.rsplit('/').next().unwrap_or_default();
        if matches!(last, "exec" | "attach" | "portforward") {
            self.refuse(501, &format!("drydock serve does not carry {last}"))?;
            return Ok(true);
        }
        let kind = if last == "log" { "text/plain" } else { "application/json" };
        let pending = self.ask(request)?;
        let response = self.reply(&pending)?;
        if response.stream.is_none() {
            self.answer(&response, asked.method == Method::Head)?;
            return Ok(true);
        }
        self.open(response.code, kind)?;
        self.carry(&pending, false)
    }

    /// What the engine is asked.
    fn request(&self, asked: &Asked) -> Request {
        let agent = asked.agent.split('/').next().unwrap_or_default();
        let mut request = Request::new(&self.door.user(), agent, asked.method, asked.path.clone());
        request.query = asked.query.iter().map(|(name, value)| (name.as_str().into(), value.clone())).collect();
        if self.door == Door::Api {
            request.content_type = asked.content_type.as_str().into();
            request.accept = asked.accept.as_str().into();
        } else {
            request.host = "docker".into();
        }
        if !asked.body.is_empty() {
            let is_tree = self.door == Door::Api && !asked.content_type.contains("yaml");
            let tree = is_tree.then(|| json::parse(&asked.body).ok()).flatten();
            request.body = tree.map_or_else(|| Body::Text(asked.body.clone()), Body::Value);
        }
        request
    }

    fn ask(&self, request: Request) -> Done<Pending> {
        let (told, number) = channel();
        let (client, mail) = channel();
        let _ = self.calls.send(Call::Ask(request, told, client));
        number.recv().map_or_else(|_| gone(), |number| Ok(Pending { number, mail }))
    }

    fn reply(&self, pending: &Pending) -> Done<Response> {
        match self.next(pending)? {
            Mail::Reply(response) => Ok(response),
            Mail::Frame(_) => gone(),
        }
    }

    /// Carries the frames of a stream in chunks; always true, as the connection goes on.
    fn carry(&mut self, pending: &Pending, multiplexed: bool) -> Done<bool> {
        loop {
            match self.next(pending)? {
                Mail::Frame(Frame::Data(channel, bytes)) if multiplexed => self.wire.chunk(&framed(channel, &bytes))?,
                Mail::Frame(Frame::Data(_, bytes)) => self.wire.chunk(&bytes)?,
                Mail::Frame(Frame::Event(value)) => self.wire.chunk(self.door.text(&value).as_bytes())?,
                Mail::Frame(Frame::End) | Mail::Reply(_) => break,
            }
        }
        self.wire.end_chunks()?;
        Ok(true)
    }

    /// The connection becomes the stream of a container: standard input up, output down.
    fn take_over(&mut self, upgrade: bool, pending: &Pending, kind: &str) -> Done {
        let kept = std::mem::take(&mut self.wire.kept);
        if upgrade {
            self.wire.answer(101, &format!("Content-Type: {kind}\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"), &[])?;
        } else {
            self.wire.answer(200, &format!("Content-Type: {kind}\r\n"), &[])?;
        }
        let (mut up, calls, number) = (self.wire.stream.try_clone()?, self.calls.clone(), pending.number);
        let mut terminal = (kind == RAW).then(terminal::Terminal::default);
        let _reader = std::thread::spawn(move || {
            let mut bytes = kept;
            let mut buffer = [0; 8192];
            loop {
                if let Some(terminal) = &mut terminal {
                    let (input, echo) = terminal.typed(&bytes);
                    bytes = input;
                    if up.write_all(&echo).is_err() {
                        return;
                    }
                }
                if !bytes.is_empty() && calls.send(Call::Send(number, Frame::Data(0, bytes))).is_err() {
                    return;
                }
                match up.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => bytes = buffer.get(..count).unwrap_or_default().to_vec(),
                    Err(error) if error.kind() == ErrorKind::Interrupted => bytes = Vec::new(),
                    Err(_) => break,
                }
            }
            let _ = calls.send(Call::Send(number, Frame::End));
        });
        while let Ok(mail) = pending.mail.recv() {
            match mail {
                Mail::Frame(Frame::Data(channel, bytes)) => {
                    let sent = if kind == RAW { terminal::shown(&bytes) } else { framed(channel, &bytes) };
                    if let Err(error) = self.wire.write(&sent) {
                        let _ = self.calls.send(Call::HangUp(number));
                        return Err(error);
                    }
                }
                Mail::Frame(Frame::End) => break,
                _ => {}
            }
        }
        self.wire.shut()
    }

    /// The next piece of mail; an end when the client has gone meanwhile.
    fn next(&self, pending: &Pending) -> Done<Mail> {
        loop {
            match pending.mail.recv_timeout(LOOK) {
                Ok(mail) => return Ok(mail),
                Err(RecvTimeoutError::Timeout) if self.wire.is_there()? => {}
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.calls.send(Call::HangUp(pending.number));
                    return gone();
                }
                Err(RecvTimeoutError::Disconnected) => return gone(),
            }
        }
    }

    /// An answer of the Docker Engine past the clock.
    fn read(&self, path: &str) -> Response {
        let (told, answer) = channel();
        let mut request = Request::new(&self.door.user(), "drydock", Method::Get, path);
        request.host = "docker".into();
        let _ = self.calls.send(Call::Read(request, told));
        answer.recv().unwrap_or_else(|_| Response::failed("the engine is gone"))
    }

    /// Whether the container or exec of a request has a terminal: its output is not told apart then.
    fn has_terminal(&self, path: &str) -> bool {
        if let Some(exec) = path.strip_suffix("/start").filter(|path| path.contains("/exec/")) {
            return self.read(&format!("{exec}/json")).value()["ProcessConfig"]["tty"].is_true();
        }
        match path.strip_suffix("/attach").or_else(|| path.strip_suffix("/logs")) {
            Some(container) => self.read(&format!("{container}/json")).value()["Config"]["Tty"].is_true(),
            None => false,
        }
    }

    fn open(&mut self, code: u16, kind: &str) -> Done {
        self.wire.open(code, &format!("{}Content-Type: {kind}\r\n", self.door.headers()))
    }

    fn answer(&mut self, response: &Response, head_only: bool) -> Done {
        let has_body = !matches!(response.code, 204 | 304);
        let body = if has_body { self.body(response) } else { Vec::new() };
        let mut headers = self.door.headers();
        for warning in &response.warnings {
            headers.push_str(&format!("Warning: 299 - {warning:?}\r\n"));
        }
        if has_body {
            let kind = match &response.body {
                Body::Text(_) if response.content_type.is_empty() => "text/plain; charset=utf-8",
                Body::Text(_) => response.content_type.as_str(),
                Body::Value(value) if value["kind"].str() == "APIGroupDiscoveryList" => {
                    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
                }
                _ => "application/json",
            };
            headers.push_str(&format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len()));
        }
        self.wire.answer(response.code, &headers, if head_only { &[] } else { &body })
    }

    fn body(&self, response: &Response) -> Vec<u8> {
        match &response.body {
            Body::None => Vec::new(),
            Body::Value(Value::Null) if self.door == Door::Docker => Vec::new(),
            Body::Value(value) => self.door.text(value).into_bytes(),
            Body::Text(text) => text.clone().into_bytes(),
        }
    }
}

impl Door {
    /// Who a client of this door is.
    fn user(self) -> User {
        match self {
            Door::Docker => User { name: "docker".into(), groups: Vec::new() },
            Door::Api => User { name: "kubernetes-admin".into(), groups: vec!["system:masters".into()] },
        }
    }

    /// A tree as this door writes it, on a line.
    fn text(self, value: &Value) -> String {
        match self {
            Door::Docker => docker::body_text(value) + "\n",
            Door::Api => engine::api::schema::json_of(value) + "\n",
        }
    }

    /// Headers of every answer.
    fn headers(self) -> String {
        match self {
            Door::Docker => format!(
                "Api-Version: {}\r\nSwarm: inactive\r\nDocker-Experimental: false\r\nOstype: linux\r\nServer: Docker/{} (linux)\r\n",
                docker::API,
                docker::VERSION
            ),
            Door::Api => String::new(),
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * place) & 63) as usize);
            out.push(digit.filter(|_| place <= group.len()).map_or('=', |digit| char::from(*digit)));
        }
    }
    out
}

fn is_detached(body: &str) -> bool {
    json::parse(body).is_ok_and(|body: Value| body["Detach"].is_true())
}

/// A piece of output with the eight bytes before it that say whose and how long it is.
fn framed(channel: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![channel, 0, 0, 0];
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
    out
}
