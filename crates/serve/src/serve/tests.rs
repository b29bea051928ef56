use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use engine::cluster::Preset;

use super::*;

/// A door to a fresh cluster whose clock runs a hundred times as fast.
fn door(door: Door) -> SocketAddr {
    let (calls, inbox) = channel();
    let address = open(door, 0, calls).unwrap();
    std::thread::spawn(move || turn(&mut Lab::new(Setup::new(Preset::Kind)), &inbox, 100));
    address
}

/// Sends what a client would and reads until the door closes the connection.
fn talk(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut out = Vec::new();
    stream.read_to_end(&mut out).unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n")
}

fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

#[test]
fn the_docker_engine_answers_streams_and_hands_connections_over() {
    let address = door(Door::Docker);
    let ping = talk(address, &get("/_ping"));
    assert!(ping.starts_with("HTTP/1.1 200 OK\r\nApi-Version: 1.51\r\n") && ping.ends_with("\r\n\r\nOK"), "{ping}");
    let pull = talk(address, &post("/v1.51/images/create?fromImage=busybox&tag=1.36", ""));
    assert!(pull.contains("Transfer-Encoding: chunked") && pull.ends_with("0\r\n\r\n"), "{pull}");
    assert!(pull.contains("Downloaded newer image for busybox:1.36"), "{pull}");
    let body = r#"{"Image":"busybox:1.36","Cmd":["cat"],"OpenStdin":true,"StdinOnce":true,"AttachStdin":true,"AttachStdout":true}"#;
    let made = talk(address, &post("/v1.51/containers/create?name=reader", body));
    assert!(made.starts_with("HTTP/1.1 201 Created\r\n"), "{made}");
    // Input that comes before the container starts waits for it.
    let attached = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        let start =
            "POST /v1.51/containers/reader/attach?stream=1&stdin=1&stdout=1 HTTP/1.1\r\nUpgrade: tcp\r\n\r\nheard\n";
        stream.write_all(start.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut out = Vec::new();
        stream.read_to_end(&mut out).unwrap();
        out
    });
    std::thread::sleep(Duration::from_millis(300));
    let started = talk(address, &post("/v1.51/containers/reader/start", ""));
    assert!(started.starts_with("HTTP/1.1 204 No Content\r\n"), "{started}");
    let heard = attached.join().unwrap();
    assert!(heard.starts_with(b"HTTP/1.1 101 UPGRADED\r\n"), "{}", String::from_utf8_lossy(&heard));
    assert!(heard.ends_with(b"\x01\0\0\0\0\0\0\x06heard\n"), "{heard:?}");
    let missing = talk(address, &get("/v1.51/containers/nobody/json"));
    assert!(missing.starts_with("HTTP/1.1 404 Not Found\r\n"), "{missing}");
    assert!(missing.ends_with("{\"message\":\"No such container: nobody\"}\n"), "{missing}");
}

#[test]
fn the_api_server_answers_and_watches() {
    let address = door(Door::Api);
    let body = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v"}}"#;
    let made = talk(address, &post("/api/v1/namespaces/default/configmaps", body));
    assert!(made.starts_with("HTTP/1.1 201 Created\r\n") && made.contains("\"data\":{\"k\":\"v\"}"), "{made}");
    let watch = talk(
        address,
        &get("/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=5&fieldSelector=metadata.name%3Da"),
    );
    assert!(watch.contains("\"type\":\"ADDED\"") && watch.ends_with("0\r\n\r\n"), "{watch}");
    let exec = talk(address, &post("/api/v1/namespaces/default/pods/a/exec", ""));
    assert!(exec.starts_with("HTTP/1.1 501 Not Implemented\r\n"), "{exec}");
}

#[test]
fn what_is_no_request_is_refused() {
    let address = door(Door::Docker);
    let answer = |text: &str| talk(address, text).lines().next().unwrap_or_default().to_string();
    assert_eq!(answer("BREW /pot HTTP/1.1\r\n\r\n"), "HTTP/1.1 405 Method Not Allowed");
    assert_eq!(answer("GET /_ping HTTP/1.1\r\nno header\r\n\r\n"), "HTTP/1.1 400 Bad Request");
    assert_eq!(
        answer("POST /x HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"),
        "HTTP/1.1 413 Request Entity Too Large"
    );
    let chunked = "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert_eq!(answer(&format!("{chunked}ffffffffffffffff\r\n")), "HTTP/1.1 413 Request Entity Too Large");
    assert_eq!(answer(&format!("{chunked}1\r\nab\r\nzz\r\n")), "HTTP/1.1 400 Bad Request");
    let header = format!("X: {}\r\n", "x".repeat(30_000));
    assert_eq!(
        answer(&format!("GET / HTTP/1.1\r\n{}\r\n", header.repeat(3))),
        "HTTP/1.1 431 Request Header Fields Too Large"
    );
}
