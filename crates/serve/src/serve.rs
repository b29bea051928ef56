//! `drydock serve`: the doors of the engine opened on this machine's loopback, for real clients: the Docker Engine's
//! (`--docker-port`), HTTP/1.1 with chunked streams and connections taken over for attach and exec, and the API
//! server's (`--api-port`), without TLS, where everybody is the cluster's administrator; exec, attach and port-forward
//! of a real kubectl are left out there.
//!
//! One thread owns the Lab and moves its clock with the real one; every connection has a thread of its own that speaks
//! HTTP and waits for mail. Nothing but loopback is listened on.

use std::collections::HashMap;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use engine::base::http::{Body, Frame, Mail, Method, Request, Response, User};
use engine::base::{Span, Value, json};
use engine::cluster::Setup;
use engine::docker;
use engine::lab::Lab;

const MOST_HEAD: usize = 64 << 10;
const MOST_BODY: usize = 16 << 20;
const MOST_CLIENTS: usize = 200;
/// How long a thread waits before it looks whether its client is still there.
const LOOK: Duration = Duration::from_millis(100);

pub struct Options {
    pub setup: Setup,
    pub docker_port: Option<u16>,
    pub api_port: Option<u16>,
    /// Virtual seconds in a real one.
    pub speed: u32,
}

/// Whom a client speaks with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    Docker,
    Api,
}

enum Call {
    Ask(Request, Sender<(u64, Sender<Mail>)>, Sender<Mail>),
    Send(u64, Frame),
    HangUp(u64),
    /// An answer past the clock.
    Read(Request, Sender<Response>),
}

pub fn serve(options: &Options) -> Result<(), String> {
    let mut lab = Lab::new(options.setup.clone());
    let (calls, inbox) = channel();
    let doors = [(Door::Docker, options.docker_port), (Door::Api, options.api_port)];
    for (door, port) in doors.into_iter().filter_map(|(door, port)| port.map(|port| (door, port))) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| format!("cannot listen on port {port}: {error}"))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let text = match door {
            Door::Docker => format!("the Docker Engine listens on tcp://{address}\n"),
            Door::Api => format!("the API server listens: kubectl -s http://{address}\n"),
        };
        let _ = std::io::stdout().write_all(text.as_bytes());
        let calls = calls.clone();
        let _doorman = std::thread::spawn(move || welcome(door, &listener, &calls));
    }
    turn(&mut lab, &inbox, options.speed);
    Ok(())
}

/// Moves the Lab's clock with the real one and hands out mail.
fn turn(lab: &mut Lab, inbox: &Receiver<Call>, speed: u32) {
    let (began, start) = (Instant::now(), lab.now());
    let mut clients: HashMap<u64, Sender<Mail>> = HashMap::new();
    loop {
        let passed = i64::try_from(began.elapsed().as_micros()).unwrap_or(i64::MAX).saturating_mul(i64::from(speed));
        lab.advance(start + Span::micros(passed), 20_000);
        for (number, mail) in lab.take_answers() {
            let gone = clients.get(&number).is_some_and(|client| client.send(mail).is_err());
            if gone {
                clients.remove(&number);
                lab.hang_up(number);
            }
        }
        drop(lab.take_output());
        for notice in lab.take_notices() {
            let _ = std::io::stderr().write_all(format!("drydock: {notice}\n").as_bytes());
        }
        match inbox.recv_timeout(Duration::from_millis(2)) {
            Ok(Call::Ask(request, told, client)) => {
                let number = lab.ask(request);
                let _ = told.send((number, client.clone()));
                clients.insert(number, client);
            }
            Ok(Call::Send(number, frame)) => lab.send_up(number, frame),
            Ok(Call::HangUp(number)) => {
                clients.remove(&number);
                lab.hang_up(number);
            }
            Ok(Call::Read(request, reader)) => {
                let _ = reader.send(lab.read(&request));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn welcome(door: Door, listener: &TcpListener, calls: &Sender<Call>) {
    let mut threads: Vec<std::thread::JoinHandle<()>> = Vec::new();
    for stream in listener.incoming().flatten() {
        threads.retain(|thread| !thread.is_finished());
        if threads.len() >= MOST_CLIENTS {
            continue;
        }
        let calls = calls.clone();
        threads.push(std::thread::spawn(move || {
            // A client that goes away in the middle is no fault.
            let _ = Connection { door, stream, calls, kept: Vec::new() }.converse();
        }));
    }
}

/// What of a request is about the connection.
struct Head {
    request: Request,
    /// The client wants to take the connection over.
    upgrade: bool,
    close: bool,
}

struct Connection {
    door: Door,
    stream: TcpStream,
    calls: Sender<Call>,
    /// Read and not used yet.
    kept: Vec<u8>,
}

type Done<T = ()> = std::io::Result<T>;

fn gone<T>() -> Done<T> {
    Err(ErrorKind::BrokenPipe.into())
}

impl Connection {
    fn converse(&mut self) -> Done {
        self.stream.set_nodelay(true)?;
        loop {
            let head = match self.read_request()? {
                Ok(head) => head,
                Err((code, text)) => {
                    self.answer(&Response::new(code, engine::map! { "message" => text }), false)?;
                    return Ok(());
                }
            };
            if !self.serve(&head)? || head.close {
                return Ok(());
            }
        }
    }

    /// Whether the connection goes on.
    fn serve(&mut self, head: &Head) -> Done<bool> {
        if self.door == Door::Api {
            return self.serve_api(&head.request);
        }
        let request = &head.request;
        let last = request.path.rsplit('/').next().unwrap_or_default();
        let takes_over = request.method == Method::Post
            && (last == "attach" || last == "start" && request.path.contains("/exec/") && !is_detached(request));
        let raw = self.has_terminal(request);
        let (told, number) = channel();
        let (client, mail) = channel();
        if self.calls.send(Call::Ask(request.clone(), told, client)).is_err() {
            return gone();
        }
        let Ok((number, _)) = number.recv() else { return gone() };
        // A wait is confirmed at once, long before it is over.
        let early = last == "wait" && self.read(&format!("{}json", request.path.trim_end_matches("wait"))).code == 200;
        if early {
            self.open(200, "application/json")?;
        }
        let Mail::Reply(response) = self.next(number, &mail)? else { return gone() };
        let Some(_) = response.stream else {
            if early {
                self.chunk(body_bytes(&response).as_slice())?;
                self.stream.write_all(b"0\r\n\r\n")?;
            } else {
                self.answer(&response, request.method == Method::Head)?;
            }
            return Ok(true);
        };
        if takes_over {
            self.take_over(head, number, &mail, raw)?;
            return Ok(false);
        }
        let logs = last == "logs";
        let kind = match (logs, raw) {
            (true, true) => "application/vnd.docker.raw-stream",
            (true, false) => "application/vnd.docker.multiplexed-stream",
            _ => "application/json",
        };
        self.open(200, kind)?;
        loop {
            match self.next(number, &mail)? {
                Mail::Frame(Frame::Data(channel, bytes)) if logs && !raw => self.chunk(&framed(channel, &bytes))?,
                Mail::Frame(Frame::Data(_, bytes)) => self.chunk(&bytes)?,
                Mail::Frame(Frame::Event(value)) => {
                    self.chunk(format!("{}\n", docker::body_text(&value)).as_bytes())?
                }
                Mail::Frame(Frame::End) | Mail::Reply(_) => break,
            }
        }
        self.stream.write_all(b"0\r\n\r\n")?;
        Ok(true)
    }

    fn serve_api(&mut self, request: &Request) -> Done<bool> {
        let last = request.path.rsplit('/').next().unwrap_or_default();
        if matches!(last, "exec" | "attach" | "portforward") {
            let text = format!("drydock serve does not carry {last}");
            self.answer(&Response::new(501, engine::map! { "message" => text }), false)?;
            return Ok(true);
        }
        let (told, number) = channel();
        let (client, mail) = channel();
        if self.calls.send(Call::Ask(request.clone(), told, client)).is_err() {
            return gone();
        }
        let Ok((number, _)) = number.recv() else { return gone() };
        let Mail::Reply(response) = self.next(number, &mail)? else { return gone() };
        if response.stream.is_none() {
            self.answer(&response, request.method == Method::Head)?;
            return Ok(true);
        }
        self.open(response.code, if last == "log" { "text/plain" } else { "application/json" })?;
        loop {
            match self.next(number, &mail)? {
                Mail::Frame(Frame::Data(_, bytes)) => self.chunk(&bytes)?,
                Mail::Frame(Frame::Event(value)) => self.chunk(format!("{}\n", json::compact(&value)).as_bytes())?,
                Mail::Frame(Frame::End) | Mail::Reply(_) => break,
            }
        }
        self.stream.write_all(b"0\r\n\r\n")?;
        Ok(true)
    }

    /// The connection becomes the stream of a container: standard input up, output down.
    fn take_over(&mut self, head: &Head, number: u64, mail: &Receiver<Mail>, raw: bool) -> Done {
        let kind = if raw { "application/vnd.docker.raw-stream" } else { "application/vnd.docker.multiplexed-stream" };
        let start = if head.upgrade {
            format!("HTTP/1.1 101 UPGRADED\r\nContent-Type: {kind}\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
        } else {
            format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n")
        };
        self.stream.write_all(start.as_bytes())?;
        let (mut up, calls, kept) = (self.stream.try_clone()?, self.calls.clone(), std::mem::take(&mut self.kept));
        let _reader = std::thread::spawn(move || {
            let mut bytes = kept;
            let mut buffer = [0; 8192];
            loop {
                if !bytes.is_empty() && calls.send(Call::Send(number, Frame::Data(0, bytes))).is_err() {
                    return;
                }
                match up.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => bytes = buffer.get(..count).unwrap_or_default().to_vec(),
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                        bytes = Vec::new();
                    }
                    Err(_) => break,
                }
            }
            let _ = calls.send(Call::Send(number, Frame::End));
        });
        while let Ok(mail) = mail.recv() {
            match mail {
                Mail::Frame(Frame::Data(channel, bytes)) => {
                    let sent = if raw { bytes } else { framed(channel, &bytes) };
                    if let Err(error) = self.stream.write_all(&sent) {
                        let _ = self.calls.send(Call::HangUp(number));
                        return Err(error);
                    }
                }
                Mail::Frame(Frame::End) => break,
                _ => {}
            }
        }
        self.stream.shutdown(Shutdown::Both)
    }

    /// The next piece of mail; an end when the client has gone meanwhile.
    fn next(&mut self, number: u64, mail: &Receiver<Mail>) -> Done<Mail> {
        loop {
            match mail.recv_timeout(LOOK) {
                Ok(mail) => return Ok(mail),
                Err(RecvTimeoutError::Timeout) => {
                    self.stream.set_read_timeout(Some(Duration::from_millis(1)))?;
                    let seen = self.stream.peek(&mut [0]);
                    self.stream.set_read_timeout(None)?;
                    let is_there = match seen {
                        Ok(count) => count > 0,
                        Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
                    };
                    if !is_there {
                        let _ = self.calls.send(Call::HangUp(number));
                        return gone();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return gone(),
            }
        }
    }

    fn read(&self, path: &str) -> Response {
        let (told, answer) = channel();
        let mut request = Request::new(&nobody(), "drydock", Method::Get, path);
        request.host = "docker".into();
        let _ = self.calls.send(Call::Read(request, told));
        answer.recv().unwrap_or_else(|_| Response::failed("the engine is gone"))
    }

    /// Whether the container or exec of a request has a terminal: its output is not told apart then.
    fn has_terminal(&self, request: &Request) -> bool {
        let path = request.path.as_str();
        if let Some(exec) = path.strip_suffix("/start").filter(|path| path.contains("/exec/")) {
            return self.read(&format!("{exec}/json")).value()["ProcessConfig"]["tty"].is_true();
        }
        match path.strip_suffix("/attach").or_else(|| path.strip_suffix("/logs")) {
            Some(container) => self.read(&format!("{container}/json")).value()["Config"]["Tty"].is_true(),
            None => false,
        }
    }

    fn open(&mut self, code: u16, kind: &str) -> Done {
        let head = format!("{}Content-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n", start_line(self.door, code));
        self.stream.write_all(head.as_bytes())
    }

    fn chunk(&mut self, bytes: &[u8]) -> Done {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut out = format!("{:x}\r\n", bytes.len()).into_bytes();
        out.extend_from_slice(bytes);
        out.extend_from_slice(b"\r\n");
        self.stream.write_all(&out)
    }

    fn answer(&mut self, response: &Response, head_only: bool) -> Done {
        let body = match (&response.body, self.door) {
            (Body::Value(value), Door::Api) => format!("{}\n", json::compact(value)).into_bytes(),
            _ => body_bytes(response),
        };
        let mut out = start_line(self.door, response.code).into_bytes();
        for warning in &response.warnings {
            out.extend_from_slice(format!("Warning: 299 - {warning:?}\r\n").as_bytes());
        }
        if !matches!(response.code, 204 | 304) {
            let kind = match &response.body {
                Body::Text(_) => "text/plain; charset=utf-8",
                Body::Value(value) if value["kind"].str() == "APIGroupDiscoveryList" => {
                    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
                }
                _ => "application/json",
            };
            out.extend_from_slice(format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len()).as_bytes());
        }
        out.extend_from_slice(b"\r\n");
        if !head_only && !matches!(response.code, 204 | 304) {
            out.extend_from_slice(&body);
        }
        self.stream.write_all(&out)
    }

    /// More bytes of the client; an end when there are none.
    fn fill(&mut self) -> Done {
        let mut buffer = [0; 8192];
        match self.stream.read(&mut buffer)? {
            0 => gone(),
            count => {
                self.kept.extend_from_slice(buffer.get(..count).unwrap_or_default());
                Ok(())
            }
        }
    }

    fn take(&mut self, count: usize) -> Done<Vec<u8>> {
        while self.kept.len() < count {
            self.fill()?;
        }
        Ok(self.kept.drain(..count).collect())
    }

    fn take_line(&mut self) -> Done<String> {
        loop {
            if let Some(end) = self.kept.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.kept.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line).trim_end().to_string());
            }
            if self.kept.len() > MOST_HEAD {
                return gone();
            }
            self.fill()?;
        }
    }

    fn read_request(&mut self) -> Done<Result<Head, (u16, String)>> {
        let refuse = |code: u16, text: &str| Ok(Err((code, text.to_string())));
        let line = self.take_line()?;
        let mut words = line.split(' ');
        let method = match words.next() {
            Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            Some("POST") => Method::Post,
            Some("PUT") => Method::Put,
            Some("PATCH") => Method::Patch,
            Some("DELETE") => Method::Delete,
            _ => return refuse(405, "method not allowed"),
        };
        let Some(target) = words.next() else { return refuse(400, "no path in the request") };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (mut length, mut chunked, mut upgrade, mut close, mut agent, mut size) = (0, false, false, false, None, 0);
        let (mut accept, mut media) = (String::new(), String::new());
        loop {
            let line = self.take_line()?;
            size += line.len();
            if size > MOST_HEAD {
                return refuse(431, "request header fields too large");
            }
            let Some((name, value)) = line.split_once(':') else {
                if line.is_empty() {
                    break;
                }
                return refuse(400, "malformed header");
            };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => match value.parse::<usize>() {
                    Ok(count) => length = count,
                    Err(_) => return refuse(400, "bad Content-Length"),
                },
                "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
                "upgrade" => upgrade = true,
                "connection" => close = value.eq_ignore_ascii_case("close"),
                "accept" => accept = value.to_string(),
                "content-type" => media = value.to_string(),
                "user-agent" => agent = Some(value.to_string()),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if chunked {
            loop {
                let line = self.take_line()?;
                let Ok(count) = usize::from_str_radix(line.split(';').next().unwrap_or_default(), 16) else {
                    return refuse(400, "bad chunk");
                };
                if body.len() + count > MOST_BODY {
                    return refuse(413, "request body too large");
                }
                body.extend(self.take(count)?);
                let _ = self.take_line()?;
                if count == 0 {
                    break;
                }
            }
        } else if length > MOST_BODY {
            return refuse(413, "request body too large");
        } else {
            body = self.take(length)?;
        }
        let agent = agent.unwrap_or_default();
        let mut request = Request::new(&nobody(), agent.split('/').next().unwrap_or_default(), method, unescaped(path));
        match self.door {
            Door::Docker => request.host = "docker".into(),
            Door::Api => {
                request.user = User { name: "kubernetes-admin".into(), groups: vec!["system:masters".into()] };
                request.content_type = media.as_str().into();
                request.accept = accept.as_str().into();
            }
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = unescaped(&value.replace('+', " "));
            request.query.push((unescaped(name).into(), value));
        }
        if !body.is_empty() {
            let text = String::from_utf8_lossy(&body).into_owned();
            request.body = match json::parse(&text) {
                Ok(value) if self.door == Door::Api && !media.contains("yaml") => Body::Value(value),
                _ => Body::Text(text),
            };
        }
        Ok(Ok(Head { request, upgrade, close }))
    }
}

fn nobody() -> User {
    User { name: "docker".into(), groups: Vec::new() }
}

fn is_detached(request: &Request) -> bool {
    match &request.body {
        Body::Text(text) => json::parse(text).is_ok_and(|body: Value| body["Detach"].is_true()),
        _ => false,
    }
}

/// A piece of output with the eight bytes before it that say whose and how long it is.
fn framed(channel: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![channel, 0, 0, 0];
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
    out
}

fn body_bytes(response: &Response) -> Vec<u8> {
    match &response.body {
        Body::None | Body::Value(Value::Null) => Vec::new(),
        Body::Value(value) => format!("{}\n", docker::body_text(value)).into_bytes(),
        Body::Text(text) => text.clone().into_bytes(),
    }
}

fn start_line(door: Door, code: u16) -> String {
    let reason = match code {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        304 => "Not Modified",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        403 => "Forbidden",
        409 => "Conflict",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Entity",
        501 => "Not Implemented",
        _ => "Internal Server Error",
    };
    if door == Door::Api {
        return format!("HTTP/1.1 {code} {reason}\r\n");
    }
    format!(
        "HTTP/1.1 {code} {reason}\r\nApi-Version: {}\r\nDocker-Experimental: false\r\nOstype: linux\r\nServer: Docker/{} (linux)\r\n",
        docker::API,
        docker::VERSION
    )
}

/// A part of an address with its `%xx` read.
fn unescaped(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        match (byte, digit(ahead.next()), digit(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                out.extend(u8::try_from(high * 16 + low));
                bytes = ahead;
            }
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
