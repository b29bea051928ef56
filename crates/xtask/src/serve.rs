//! `cargo xtask serve`: builds the page and serves `dist/` on this machine only.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use crate::run::{Result, say};

pub fn run(args: &[String]) -> Result<()> {
    let port = match args {
        [] => 8080,
        [flag, port] if flag == "--port" => port.parse().map_err(|_| format!("not a port: {port}"))?,
        _ => return Err("usage: cargo xtask serve [--port N]".into()),
    };
    let dist = crate::build::build()?;
    let listener = listen(port)?;
    say(&format!("Drydock is on http://127.0.0.1:{port}/ (Ctrl+C ends)"));
    answer_all(&listener, dist);
    Ok(())
}

/// Serves a folder in the background; the port that was free.
pub fn in_background(folder: PathBuf) -> Result<u16> {
    let listener = listen(0)?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    std::thread::spawn(move || answer_all(&listener, folder));
    Ok(port)
}

fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", port)).map_err(|error| format!("127.0.0.1:{port}: {error}"))
}

fn answer_all(listener: &TcpListener, folder: PathBuf) {
    for stream in listener.incoming().flatten() {
        let folder = folder.clone();
        std::thread::spawn(move || {
            let _ = answer(stream, &folder);
        });
    }
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut line = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    reader.read_line(&mut line)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let path = line.split(' ').nth(1).unwrap_or("/").split(['?', '#']).next().unwrap_or("/");
    let mut path = path.trim_start_matches('/').to_string();
    // Any folder will do as the root: the page must work from every sub-path.
    if let Some(rest) = path.strip_prefix("sub/path/") {
        path = rest.into();
    }
    if path.is_empty() || path.ends_with('/') {
        path.push_str("index.html");
    }
    let is_inside = !path.split('/').any(|part| part == "..");
    match std::fs::read(folder.join(&path)) {
        Ok(body) if is_inside => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
                media_type(&path),
                body.len()
            );
            stream.write_all(head.as_bytes())?;
            stream.write_all(&body)
        }
        _ => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}
