//! wget, curl, nc, nslookup, ping and getent: they look names up as /etc/hosts and /etc/resolv.conf say, and send what they ask
//! through `Sys::call`; who carries it answers for the network (`base::http::Response::failed`).
//!
//! Not simulated: TLS, uploads, redirects, cookies, data over `nc`.

use super::{Flags, Output};
use crate::base::http::{Body, Method, Request, Response, User};
use crate::base::{Span, Time, gap};
use crate::process::{Call, Program, Sys, Turn, Wait};
use crate::shell::Flavour;

pub fn program(name: &str, args: &[String], flavour: Flavour) -> Option<Box<dyn Program>> {
    let tool = match (name, flavour) {
        ("wget", Flavour::Busybox) => Tool::Wget,
        ("curl", _) => Tool::Curl,
        ("nc", Flavour::Busybox) => Tool::Nc,
        ("nslookup", Flavour::Busybox) => Tool::Nslookup,
        ("ping", Flavour::Busybox) => Tool::Ping,
        ("getent", Flavour::Coreutils) => Tool::Getent,
        _ => return None,
    };
    Some(Box::new(Client {
        tool,
        args: args.to_vec(),
        state: State::Begin,
        started: Time::default(),
        deadline: None,
        host: String::new(),
        port: 0,
        path: String::new(),
        output: Output::default(),
        code: None,
    }))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Wget,
    Curl,
    Nc,
    Nslookup,
    Ping,
    Getent,
}

#[derive(Clone)]
struct Client {
    tool: Tool,
    args: Vec<String>,
    state: State,
    started: Time,
    deadline: Option<Time>,
    host: String,
    port: u16,
    path: String,
    output: Output,
    code: Option<i32>,
}

#[derive(Clone)]
enum State {
    Begin,
    /// A name is asked for; others are tried after it.
    Asking {
        call: Call,
        name: String,
        rest: Vec<String>,
        found: bool,
    },
    Connecting {
        call: Call,
        address: String,
    },
    /// So many answers have come; the next packet leaves then.
    Pinging {
        address: String,
        seen: u64,
        next: Time,
    },
}

/// Servers and names of /etc/resolv.conf.
struct Resolver {
    server: String,
    search: Vec<String>,
    dots: usize,
}

fn resolver(sys: &Sys<'_>) -> Resolver {
    let text = sys.files.read_text("/", "/etc/resolv.conf").unwrap_or_default();
    let words = |key: &str| -> Vec<String> {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_default().split_whitespace().map(str::to_string).collect()
    };
    let dots = words("options ").iter().find_map(|word| word.strip_prefix("ndots:")?.parse().ok());
    Resolver {
        server: words("nameserver ").into_iter().next().unwrap_or_default(),
        search: words("search "),
        dots: dots.unwrap_or(1),
    }
}

/// Whether a host is an address already, or has one in /etc/hosts.
fn known_address(sys: &Sys<'_>, host: &str) -> Option<String> {
    if host.parse::<std::net::Ipv4Addr>().is_ok() {
        return Some(host.to_string());
    }
    let hosts = sys.files.read_text("/", "/etc/hosts").unwrap_or_default();
    let found = hosts.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let address = words.next().filter(|word| word.parse::<std::net::Ipv4Addr>().is_ok())?;
        words.any(|word| word == host).then(|| address.to_string())
    });
    found.or_else(|| (host == "localhost").then(|| "127.0.0.1".to_string()))
}

/// The full names a resolver tries for a host, in order.
fn candidates(resolver: &Resolver, host: &str) -> Vec<String> {
    if let Some(full) = host.strip_suffix('.') {
        return vec![full.to_string()];
    }
    let searched = resolver.search.iter().map(|domain| format!("{host}.{domain}"));
    let own = std::iter::once(host.to_string());
    if host.matches('.').count() >= resolver.dots {
        own.chain(searched).collect()
    } else {
        searched.chain(own).collect()
    }
}

fn ask(sys: &mut Sys<'_>, address: &str, method: Method, path: &str, agent: &str) -> Call {
    let user = User { name: "".into(), groups: Vec::new() };
    let mut request = Request::new(&user, agent, method, path);
    request.host = address.into();
    sys.call(request)
}

fn text_of(response: &Response) -> &str {
    match &response.body {
        Body::Text(text) => text,
        _ => "",
    }
}

/// Host, port and path of a URL; an error is what is not simulated.
fn split(url: &str) -> Result<(String, u16, String), String> {
    let rest = match url.split_once("://") {
        Some(("http", rest)) => rest,
        Some((scheme, _)) => return Err(gap::line(&format!("{scheme}:// addresses"), "")),
        None => url,
    };
    let (place, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().unwrap_or(80)),
        None => (place, 80),
    };
    Ok((host.to_string(), port, path.to_string()))
}

impl Program for Client {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if self.code.is_none() {
            match self.go_on(sys) {
                Ok(waits) => return Turn::Wait(waits),
                Err(code) => self.code = Some(code),
            }
        }
        self.output.flush(sys).unwrap_or(Turn::Exit(self.code.unwrap_or_default()))
    }
}

impl Client {
    fn flags(&self) -> Flags {
        match self.tool {
            Tool::Wget => Flags::read(
                &self.args,
                "OTPUYto",
                "qSc",
                &[
                    ("spider", 's'),
                    ("timeout", 'T'),
                    ("header", 'U'),
                    ("quiet", 'q'),
                    ("output-document", 'O'),
                    ("tries", 't'),
                ],
            ),
            Tool::Curl => Flags::read(
                &self.args,
                "oHXdAwmKu",
                "sSfiIvkLgN",
                &[
                    ("silent", 's'),
                    ("show-error", 'S'),
                    ("fail", 'f'),
                    ("include", 'i'),
                    ("head", 'I'),
                    ("verbose", 'v'),
                    ("insecure", 'k'),
                    ("location", 'L'),
                    ("output", 'o'),
                    ("header", 'H'),
                    ("request", 'X'),
                    ("data", 'd'),
                    ("user-agent", 'A'),
                    ("write-out", 'w'),
                    ("max-time", 'm'),
                    ("connect-timeout", 'K'),
                ],
            ),
            Tool::Nc => Flags::read(&self.args, "wpi", "zvnlu", &[]),
            Tool::Nslookup | Tool::Getent => Flags::read(&self.args, "", "", &[]),
            Tool::Ping => Flags::read(&self.args, "cwWiIs", "q46", &[]),
        }
    }

    /// What it waits for, or its exit code.
    fn go_on(&mut self, sys: &mut Sys<'_>) -> Result<Vec<Wait>, i32> {
        let flags = self.flags();
        if matches!(self.state, State::Begin) {
            self.begin(sys, &flags)?;
        }
        loop {
            if let State::Pinging { address, seen, next } = self.state.clone() {
                return self.ping(sys, &flags, &address, seen, next);
            }
            let call = match &self.state {
                State::Asking { call, .. } | State::Connecting { call, .. } => *call,
                State::Begin | State::Pinging { .. } => return Err(1),
            };
            let Some(response) = sys.reply(call) else {
                if self.deadline.is_some_and(|at| sys.now >= at) {
                    sys.hang_up(call);
                    return Err(self.timed_out(sys, &flags));
                }
                let until = self.deadline.map(Wait::Until);
                return Ok(std::iter::once(Wait::Call(call)).chain(until).collect());
            };
            match self.state.clone() {
                State::Asking { name, rest, found, .. } => self.looked_up(sys, &flags, &response, name, rest, found)?,
                State::Connecting { address, .. } if self.tool == Tool::Ping && response.code != 0 => {
                    self.output.out(format!("PING {} ({address}): 56 data bytes\n", self.host));
                    self.state = State::Pinging { address, seen: 0, next: sys.now };
                }
                State::Connecting { address, .. } => return Err(self.answered(sys, &flags, &response, &address)),
                State::Begin | State::Pinging { .. } => return Err(1),
            }
        }
    }

    fn begin(&mut self, sys: &mut Sys<'_>, flags: &Flags) -> Result<(), i32> {
        self.started = sys.now;
        let patience = match self.tool {
            Tool::Wget => flags.value('T'),
            Tool::Curl => flags.value('m').or(flags.value('K')),
            Tool::Nc => flags.value('w'),
            Tool::Nslookup | Tool::Ping | Tool::Getent => None,
        };
        self.deadline = patience
            .and_then(crate::base::float::parse)
            .map(|seconds| sys.now + Span::seconds_f64(seconds.clamp(0.0, 1e9)));
        let Some(target) = flags.rest.first() else { return Err(self.usage()) };
        match self.tool {
            Tool::Wget | Tool::Curl => match split(target) {
                Ok((host, port, path)) => (self.host, self.port, self.path) = (host, port, path),
                Err(text) => {
                    self.output.err(format!("{text}\n"));
                    return Err(1);
                }
            },
            Tool::Nc if flags.has('l') || !flags.has('z') => {
                self.output.err(format!("{}\n", gap::line("nc without -z", "")));
                return Err(1);
            }
            Tool::Nc => {
                self.host = target.clone();
                self.port = flags.rest.get(1).and_then(|port| port.parse().ok()).unwrap_or(0);
            }
            Tool::Nslookup | Tool::Ping => self.host = target.clone(),
            Tool::Getent => match (target.as_str(), flags.rest.get(1)) {
                ("hosts" | "ahosts" | "ahostsv4", Some(host)) => self.host = host.clone(),
                _ => return Err(self.entries(sys, target, flags.rest.get(1..).unwrap_or_default())),
            },
        }
        if self.tool == Tool::Curl
            && (flags.has('d') || flags.value('X').is_some_and(|verb| verb != "GET" && verb != "HEAD"))
        {
            self.output.err(format!("{}\n", gap::line("curl that sends data", "")));
            return Err(1);
        }
        let resolver = resolver(sys);
        if self.tool == Tool::Nslookup {
            let server = &resolver.server;
            self.output.out(format!("Server:\t\t{server}\nAddress:\t{server}:53\n\n"));
            let names = if self.host.contains('.') || resolver.search.is_empty() {
                vec![self.host.trim_end_matches('.').to_string()]
            } else {
                resolver.search.iter().map(|domain| format!("{}.{domain}", self.host)).collect()
            };
            return self.ask_next(sys, &resolver, names, true);
        }
        match known_address(sys, &self.host) {
            Some(address) if self.tool == Tool::Getent => {
                // `hosts` asks for the longer addresses first.
                let hosts = sys.files.read_text("/", "/etc/hosts").unwrap_or_default();
                let longer = hosts.lines().filter(|_| flags.rest.first().is_some_and(|base| base == "hosts"));
                let longer = longer.map(|line| line.split_whitespace().collect::<Vec<_>>()).find_map(|words| {
                    let (own, names) = words.split_first()?;
                    (own.contains(':') && names.contains(&self.host.as_str())).then(|| (*own).to_string())
                });
                Err(self.entry(sys, &longer.unwrap_or(address)))
            }
            Some(address) => {
                self.connect(sys, flags, address);
                Ok(())
            }
            None => {
                let names = candidates(&resolver, &self.host);
                self.ask_next(sys, &resolver, names, false)
            }
        }
    }

    fn ask_next(
        &mut self,
        sys: &mut Sys<'_>,
        resolver: &Resolver,
        mut names: Vec<String>,
        found: bool,
    ) -> Result<(), i32> {
        if names.is_empty() || resolver.server.is_empty() {
            return Err(match self.tool {
                Tool::Nslookup => i32::from(!found),
                _ => self.no_name(),
            });
        }
        let name = names.remove(0);
        let call = ask(sys, &format!("{}:53", resolver.server), Method::Get, &name, "dns");
        self.state = State::Asking { call, name, rest: names, found };
        Ok(())
    }

    fn looked_up(
        &mut self,
        sys: &mut Sys<'_>,
        flags: &Flags,
        response: &Response,
        name: String,
        rest: Vec<String>,
        found: bool,
    ) -> Result<(), i32> {
        let resolver = resolver(sys);
        if self.tool == Tool::Nslookup {
            match response.code {
                200 => {
                    // Docker's own server passes on what it knows.
                    let passed_on = resolver.server == "127.0.0.11";
                    // Both A and AAAA are asked for; the answer without an address is an empty line.
                    self.output.out(if passed_on { "Non-authoritative answer:\n" } else { "\n" });
                    for address in text_of(response).lines() {
                        self.output.out(format!("Name:\t{name}\nAddress: {address}\n"));
                    }
                    self.output.out("\n");
                    if passed_on {
                        self.output.out("Non-authoritative answer:\n\n");
                    }
                }
                404 => {
                    let times = if resolver.server == "127.0.0.11" { 1 } else { 2 };
                    self.output.out(format!("** server can't find {name}: NXDOMAIN\n\n").repeat(times));
                }
                _ => {
                    self.output.out(";; connection timed out; no servers could be reached\n\n");
                    return Err(1);
                }
            }
            return self.ask_next(sys, &resolver, rest, found && response.code == 200);
        }
        if response.code == 200 && self.tool == Tool::Getent {
            self.host = name;
            let addresses: Vec<String> = text_of(response).lines().map(str::to_string).collect();
            return Err(addresses.iter().map(|address| self.entry(sys, address)).max().unwrap_or(2));
        }
        if response.code == 200 {
            let address = text_of(response).lines().next().unwrap_or_default().to_string();
            self.connect(sys, flags, address);
            return Ok(());
        }
        self.ask_next(sys, &resolver, rest, found)
    }

    fn connect(&mut self, sys: &mut Sys<'_>, flags: &Flags, address: String) {
        if self.tool == Tool::Wget && !flags.has('q') {
            self.output.err(format!("Connecting to {} ({address}:{})\n", self.host, self.port));
        }
        let (method, agent) = match self.tool {
            Tool::Curl if flags.has('I') => (Method::Head, "curl/8.10.1"),
            Tool::Curl => (Method::Get, "curl/8.10.1"),
            Tool::Wget if flags.has('s') => (Method::Head, "Wget"),
            Tool::Ping => (Method::Get, "ping"),
            _ => (Method::Get, "Wget"),
        };
        let agent = flags.value('A').unwrap_or(agent).to_string();
        let call = ask(sys, &format!("{address}:{}", self.port), method, &self.path, &agent);
        self.state = State::Connecting { call, address };
    }

    /// What getent says of a host: its address and its names.
    fn entry(&mut self, sys: &Sys<'_>, address: &str) -> i32 {
        let hosts = sys.files.read_text("/", "/etc/hosts").unwrap_or_default();
        let own = hosts.lines().find_map(|line| {
            let (known, names) = line.split_once(char::is_whitespace)?;
            let names: Vec<&str> = names.split_whitespace().collect();
            (known == address && names.contains(&self.host.as_str())).then(|| names.join(" "))
        });
        let names = own.unwrap_or_else(|| self.host.clone());
        match self.args.get(1).map(String::as_str) {
            Some("hosts") => self.output.out(format!("{address:<15} {names}\n")),
            _ => {
                let lines = ["STREAM", "DGRAM", "RAW"].iter().enumerate();
                for (at, kind) in lines {
                    let name = if at == 0 { names.split(' ').next().unwrap_or_default() } else { "" };
                    self.output.out(format!("{address:<15} {kind:<6} {name}\n"));
                }
            }
        }
        0
    }

    /// getent on the files of accounts.
    fn entries(&mut self, sys: &Sys<'_>, base: &str, keys: &[String]) -> i32 {
        if !["hosts", "passwd", "group", "ahosts", "ahostsv4"].contains(&base) {
            self.output.err(format!(
                "Unknown database: {base}\nTry `getent --help' or `getent --usage' for more information.\n"
            ));
            return 1;
        }
        let text = sys.files.read_text("/", &format!("/etc/{base}")).unwrap_or_default();
        let mut code = 0;
        if keys.is_empty() {
            self.output.out(text.clone());
        }
        for key in keys {
            let found = text.lines().find(|line| {
                let mut fields = line.split(':');
                fields.next() == Some(key) || fields.nth(1) == Some(key)
            });
            match found {
                Some(line) => self.output.out(format!("{line}\n")),
                None => code = 2,
            }
        }
        code
    }

    fn usage(&mut self) -> i32 {
        match self.tool {
            Tool::Getent => {
                self.output.err(
                    "getent: wrong number of arguments\nTry `getent --help' or `getent --usage' for more information.\n",
                );
                1
            }
            Tool::Curl => {
                self.output.err(
                    "curl: (2) no URL specified\ncurl: try 'curl --help' or 'curl --manual' for more information\n",
                );
                2
            }
            _ => {
                self.output.err("BusyBox v1.37.0 multi-call binary.\n");
                1
            }
        }
    }

    fn complain(&mut self, text: String, code: i32) -> i32 {
        let flags = self.flags();
        if self.tool != Tool::Curl || !flags.has('s') || flags.has('S') {
            self.output.err(format!("{text}\n"));
        }
        if let Some(format) = flags.value('w').filter(|_| self.tool == Tool::Curl) {
            self.output.out(write_out(format, "000"));
        }
        code
    }

    fn no_name(&mut self) -> i32 {
        let host = self.host.clone();
        match self.tool {
            Tool::Wget => self.complain(format!("wget: bad address '{host}'"), 1),
            Tool::Curl => self.complain(format!("curl: (6) Could not resolve host: {host}"), 6),
            Tool::Ping => self.complain(format!("ping: bad address '{host}'"), 1),
            Tool::Nc | Tool::Nslookup => self.complain(format!("nc: bad address '{host}'"), 1),
            Tool::Getent => 2,
        }
    }

    fn timed_out(&mut self, sys: &Sys<'_>, flags: &Flags) -> i32 {
        let millis = (sys.now - self.started).as_millis().saturating_add(1);
        match self.tool {
            Tool::Wget => self.complain("wget: download timed out".into(), 1),
            Tool::Curl => {
                let text = if flags.has('K') && !flags.has('m') {
                    format!(
                        "curl: (28) Failed to connect to {} port {} after {millis} ms: Timeout was reached",
                        self.host, self.port
                    )
                } else {
                    format!("curl: (28) Connection timed out after {millis} milliseconds")
                };
                self.complain(text, 28)
            }
            Tool::Nc => {
                self.complain(format!("nc: {} ({}:{}): Connection timed out", self.host, self.address(), self.port), 1)
            }
            Tool::Nslookup | Tool::Ping => 1,
            Tool::Getent => 2,
        }
    }

    fn address(&self) -> String {
        match &self.state {
            State::Connecting { address, .. } => address.clone(),
            _ => self.host.clone(),
        }
    }

    /// The exit code.
    fn answered(&mut self, sys: &mut Sys<'_>, flags: &Flags, response: &Response, address: &str) -> i32 {
        if response.code == 0 {
            return self.no_answer(sys, text_of(response), address);
        }
        match self.tool {
            Tool::Nc => {
                if flags.has('v') {
                    self.output.err(format!("{} ({address}:{}) open\n", self.host, self.port));
                }
                0
            }
            Tool::Wget => self.wget(sys, flags, response),
            _ => self.curl(sys, flags, response),
        }
    }

    fn no_answer(&mut self, sys: &Sys<'_>, why: &str, address: &str) -> i32 {
        let (host, port) = (self.host.clone(), self.port);
        let millis = (sys.now - self.started).as_millis();
        match (self.tool, why) {
            (Tool::Ping, "Network is unreachable") => {
                self.output.out(format!("PING {host} ({address}): 56 data bytes\n"));
                self.complain("ping: sendto: Network is unreachable".into(), 1)
            }
            (Tool::Ping, _) => {
                self.output.out(format!(
                    "PING {host} ({address}): 56 data bytes\n\n--- {host} ping statistics ---\n1 packets transmitted, 0 packets received, 100% packet loss\n"
                ));
                1
            }
            (Tool::Nc, "Empty reply") => 0,
            (Tool::Nc, why) => self.complain(format!("nc: {host} ({address}:{port}): {why}"), 1),
            (Tool::Wget, "Empty reply") => self.complain("wget: error getting response".into(), 1),
            (Tool::Wget, why) => self.complain(format!("wget: can't connect to remote host ({address}): {why}"), 1),
            (_, "Empty reply") => self.complain("curl: (52) Empty reply from server".into(), 52),
            (_, "Connection timed out") => {
                let text = format!(
                    "curl: (28) Failed to connect to {host} port {port} after {millis} ms: Could not connect to server"
                );
                self.complain(text, 28)
            }
            _ => {
                let text = format!(
                    "curl: (7) Failed to connect to {host} port {port} after {millis} ms: Could not connect to server"
                );
                self.complain(text, 7)
            }
        }
    }

    /// A packet each second; the count when it ends.
    fn ping(
        &mut self,
        sys: &mut Sys<'_>,
        flags: &Flags,
        address: &str,
        mut seen: u64,
        mut next: Time,
    ) -> Result<Vec<Wait>, i32> {
        let most = flags.value('c').and_then(|count| count.parse().ok()).unwrap_or(u64::MAX);
        let ended = sys.signal().is_some();
        if !ended && sys.now >= next && seen < most {
            if !flags.has('q') {
                self.output.out(format!("64 bytes from {address}: seq={seen} ttl=64 time=0.100 ms\n"));
            }
            seen += 1;
            next = sys.now + Span::seconds(1);
            self.state = State::Pinging { address: address.into(), seen, next };
        }
        if ended || seen >= most {
            self.output.out(format!(
                "\n--- {} ping statistics ---\n{seen} packets transmitted, {seen} packets received, 0% packet loss\n\
                 round-trip min/avg/max = 0.100/0.100/0.100 ms\n",
                self.host
            ));
            return Err(0);
        }
        if let Some(turn) = self.output.flush(sys) {
            return match turn {
                Turn::Exit(code) => Err(code),
                Turn::Wait(waits) => Ok(waits),
                Turn::Again | Turn::Hold => Ok(vec![Wait::Until(sys.now)]),
            };
        }
        Ok(vec![Wait::Until(next)])
    }

    fn wget(&mut self, sys: &mut Sys<'_>, flags: &Flags, response: &Response) -> i32 {
        let quiet = flags.has('q');
        if response.code >= 400 {
            let text = format!("wget: server returned error: HTTP/1.1 {} {}", response.code, reason(response.code));
            return self.complain(text, 1);
        }
        if flags.has('s') {
            if !quiet {
                self.output.err("remote file exists\n");
            }
            return 0;
        }
        let body = text_of(response).to_string();
        let plain = self.path.split('?').next().unwrap_or_default();
        let from_path = plain.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("index.html").to_string();
        let asked = flags.value('O').map(str::to_string);
        let to_stdout = asked.as_deref() == Some("-");
        let file = asked.clone().unwrap_or(from_path);
        if !quiet {
            self.output.err(if to_stdout {
                "writing to stdout\n".to_string()
            } else {
                format!("saving to '{file}'\n")
            });
        }
        if to_stdout {
            self.output.out(&body);
        } else {
            if asked.is_none() && sys.files.exists(sys.cwd, &file) {
                return self.complain(format!("wget: can't open '{file}': File exists"), 1);
            }
            let cwd = sys.cwd.clone();
            if let Err(error) = sys.files.write(sys.now, &cwd, &file, body.as_bytes()) {
                return self.complain(format!("wget: can't open '{file}': {}", error.text()), 1);
            }
        }
        if !quiet {
            let name: String = file.chars().take(20).collect();
            self.output.err(format!("{name:<20} 100% |{}| {:>5}  0:00:00 ETA\n", "*".repeat(32), body.len()));
            self.output.err(if to_stdout { "written to stdout\n".to_string() } else { format!("'{file}' saved\n") });
        }
        0
    }

    fn curl(&mut self, sys: &mut Sys<'_>, flags: &Flags, response: &Response) -> i32 {
        let mut body = text_of(response).to_string();
        let head = format!(
            "HTTP/1.1 {} {}\r\n{}Date: {}\r\nContent-Length: {}\r\nConnection: keep-alive\r\n\r\n",
            response.code,
            reason(response.code),
            response.warnings.first().map(|server| format!("Server: {server}\r\n")).unwrap_or_default(),
            http_date(sys.now),
            body.len()
        );
        if flags.has('I') {
            body = head;
        } else if flags.has('i') {
            body = head + &body;
        }
        let failed = flags.has('f') && response.code >= 400;
        if failed {
            body.clear();
        }
        if !flags.has('s') && (flags.has('o') || sys.terminal.is_none()) {
            let size = body.len();
            self.output.err("  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n");
            self.output.err("                                 Dload  Upload   Total   Spent    Left  Speed\n");
            self.output.err("\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0");
            let speed = match size.saturating_mul(500) {
                speed if speed < 100_000 => speed.to_string(),
                speed => format!("{}k", speed / 1024),
            };
            self.output.err(format!(
                "\r100 {size:>5}  100 {size:>5}    0     0 {speed:>6}      0 --:--:-- --:--:-- --:--:-- {speed:>5}\n"
            ));
        }
        match flags.value('o') {
            Some("/dev/null") => {}
            Some("-") | None => self.output.out(&body),
            Some(file) => {
                let cwd = sys.cwd.clone();
                if sys.files.write(sys.now, &cwd, file, body.as_bytes()).is_err() {
                    return self.complain("curl: (23) Failure writing output to destination".into(), 23);
                }
            }
        }
        let code = format!("{:03}", response.code);
        if failed {
            return self.complain(format!("curl: (22) The requested URL returned error: {}", response.code), 22);
        }
        if let Some(format) = flags.value('w') {
            self.output.out(write_out(format, &code));
        }
        0
    }
}

fn write_out(format: &str, code: &str) -> String {
    let text = format.replace("%{http_code}", code).replace("%{response_code}", code);
    text.replace("\\n", "\n").replace("\\t", "\t")
}

fn http_date(now: Time) -> String {
    let (year, _, day, hour, minute, second) = now.civil();
    let month = now.month_name();
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let weekday = days.get((now.0 / 1_000_000 / 86_400).rem_euclid(7) as usize).copied().unwrap_or("Mon");
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

fn reason(code: u16) -> &'static str {
    match code {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        412 => "Precondition Failed",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Time-out",
        _ => "Unknown",
    }
}
