//! `drydock serve`: the doors of the engine opened on this machine's loopback, for real clients: the Docker Engine's
//! (`--docker-port`), HTTP/1.1 with chunked streams and connections taken over for attach and exec, and the API
//! server's (`--api-port`), without TLS, where everybody is the cluster's administrator; exec, attach and port-forward
//! of a real kubectl are left out there.
//!
//! One thread owns the Lab and moves its clock with the real one; every connection has a thread of its own that speaks
//! HTTP and waits for mail. Nothing but loopback is listened on.

mod connection;
mod http;
mod terminal;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use engine::base::Span;
use engine::base::http::{Frame, Mail, Request, Response};
use engine::cluster::Setup;
use engine::lab::Lab;

use connection::Connection;

const MOST_CLIENTS: usize = 200;

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
    /// Where its number is told, and where its mail goes.
    Ask(Request, Sender<u64>, Sender<Mail>),
    Send(u64, Frame),
    HangUp(u64),
    /// An answer past the clock.
    Read(Request, Sender<Response>),
}

pub fn serve(options: &Options) -> Result<(), String> {
    let (calls, inbox) = channel();
    let doors = [(Door::Docker, options.docker_port), (Door::Api, options.api_port)];
    for (door, port) in doors.into_iter().filter_map(|(door, port)| port.map(|port| (door, port))) {
        let address = open(door, port, calls.clone())?;
        let text = match door {
            Door::Docker => format!("the Docker Engine listens on tcp://{address}\n"),
            Door::Api => format!("the API server listens: kubectl -s http://{address}\n"),
        };
        let _ = std::io::stdout().write_all(text.as_bytes());
    }
    drop(calls);
    turn(&mut Lab::new(options.setup.clone()), &inbox, options.speed);
    Ok(())
}

/// Listens on a port (0: any) and lets clients in, in a thread of its own.
fn open(door: Door, port: u16, calls: Sender<Call>) -> Result<SocketAddr, String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("cannot listen on port {port}: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let _doorman = std::thread::spawn(move || welcome(door, &listener, &calls));
    Ok(address)
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
                let _ = told.send(number);
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
            let _ = Connection::new(door, stream, calls).and_then(|mut connection| connection.converse());
        }));
    }
}
