//! HTTP/1.1 as far as the doors need it: requests read with limits, whole answers and chunked streams written.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use engine::base::http::Method;

const MOST_HEAD: usize = 64 << 10;
const MOST_BODY: usize = 16 << 20;

pub type Done<T = ()> = std::io::Result<T>;

pub fn gone<T>() -> Done<T> {
    Err(ErrorKind::BrokenPipe.into())
}

/// One request, as it was sent.
pub struct Asked {
    pub method: Method,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub accept: String,
    pub content_type: String,
    pub agent: String,
    pub body: String,
    /// The body as it came: archives.
    pub bytes: Vec<u8>,
    /// The client wants to take the connection over.
    pub upgrade: bool,
    pub close: bool,
}

/// A request that cannot be read: status code and reason.
pub type Refused = (u16, &'static str);

/// A connection and what was read from it too early.
pub struct Wire {
    pub stream: TcpStream,
    pub kept: Vec<u8>,
}

impl Wire {
    pub fn new(stream: TcpStream) -> Done<Wire> {
        stream.set_nodelay(true)?;
        Ok(Wire { stream, kept: Vec::new() })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Done {
        self.stream.write_all(bytes)
    }

    /// Status line, headers (each with its line end) and the whole body.
    pub fn answer(&mut self, code: u16, headers: &str, body: &[u8]) -> Done {
        let mut out = format!("HTTP/1.1 {code} {}\r\n{headers}\r\n", reason(code)).into_bytes();
        out.extend_from_slice(body);
        self.write(&out)
    }

    /// The head of an answer that comes in chunks.
    pub fn open(&mut self, code: u16, headers: &str) -> Done {
        self.answer(code, &format!("{headers}Transfer-Encoding: chunked\r\n"), &[])
    }

    pub fn chunk(&mut self, bytes: &[u8]) -> Done {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut out = format!("{:x}\r\n", bytes.len()).into_bytes();
        out.extend_from_slice(bytes);
        out.extend_from_slice(b"\r\n");
        self.write(&out)
    }

    pub fn end_chunks(&mut self) -> Done {
        self.write(b"0\r\n\r\n")
    }

    pub fn shut(&self) -> Done {
        self.stream.shutdown(Shutdown::Both)
    }

    /// Whether the client is still there.
    pub fn is_there(&self) -> Done<bool> {
        self.stream.set_read_timeout(Some(Duration::from_millis(1)))?;
        let seen = self.stream.peek(&mut [0]);
        self.stream.set_read_timeout(None)?;
        Ok(match seen {
            Ok(count) => count > 0,
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        })
    }

    pub fn read_request(&mut self) -> Done<Result<Asked, Refused>> {
        let line = self.take_line()?;
        let mut words = line.split(' ');
        let method = match words.next() {
            Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            Some("POST") => Method::Post,
            Some("PUT") => Method::Put,
            Some("PATCH") => Method::Patch,
            Some("DELETE") => Method::Delete,
            _ => return Ok(Err((405, "method not allowed"))),
        };
        let Some(target) = words.next() else { return Ok(Err((400, "no path in the request"))) };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (unescaped(name), unescaped(&value.replace('+', " ")))
        };
        let mut asked = Asked {
            method,
            path: unescaped(path),
            query: pairs.map(pair).collect(),
            accept: String::new(),
            content_type: String::new(),
            agent: String::new(),
            body: String::new(),
            bytes: Vec::new(),
            upgrade: false,
            close: false,
        };
        let (mut length, mut chunked, mut size) = (0, false, 0);
        loop {
            let line = self.take_line()?;
            size += line.len();
            if size > MOST_HEAD {
                return Ok(Err((431, "request header fields too large")));
            }
            let Some((name, value)) = line.split_once(':') else {
                if line.is_empty() {
                    break;
                }
                return Ok(Err((400, "malformed header")));
            };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => match value.parse::<usize>() {
                    Ok(count) => length = count,
                    Err(_) => return Ok(Err((400, "bad Content-Length"))),
                },
                "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
                "upgrade" => asked.upgrade = true,
                "connection" => asked.close = value.eq_ignore_ascii_case("close"),
                "accept" => asked.accept = value.to_string(),
                "content-type" => asked.content_type = value.to_string(),
                "user-agent" => asked.agent = value.to_string(),
                _ => {}
            }
        }
        let body = if chunked { self.take_chunks()? } else { self.take_body(length)? };
        Ok(body.map(|bytes| Asked { body: String::from_utf8_lossy(&bytes).into_owned(), bytes, ..asked }))
    }

    fn take_body(&mut self, length: usize) -> Done<Result<Vec<u8>, Refused>> {
        if length > MOST_BODY {
            return Ok(Err((413, "request body too large")));
        }
        self.take(length).map(Ok)
    }

    fn take_chunks(&mut self) -> Done<Result<Vec<u8>, Refused>> {
        let mut body = Vec::new();
        loop {
            let line = self.take_line()?;
            let Ok(count) = usize::from_str_radix(line.split(';').next().unwrap_or_default(), 16) else {
                return Ok(Err((400, "bad chunk")));
            };
            if count > MOST_BODY - body.len() {
                return Ok(Err((413, "request body too large")));
            }
            body.extend(self.take(count)?);
            self.take_line()?;
            if count == 0 {
                return Ok(Ok(body));
            }
        }
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
}

fn reason(code: u16) -> &'static str {
    match code {
        101 => "UPGRADED",
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        304 => "Not Modified",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Request Entity Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Entity",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        _ => "Internal Server Error",
    }
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
