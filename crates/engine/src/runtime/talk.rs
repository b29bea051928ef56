//! What the small servers of tutorials answer: agnhost, hello-app, whoami, echoserver, the bootcamp's application.
//!
//! Not simulated: what depends on headers a client sent beyond its name, and agnhost's commands that act.

use super::container::Container;
use crate::base::Time;

/// One request as such a server sees it.
pub struct Asked<'a> {
    /// With the query.
    pub path: &'a str,
    pub agent: &'a str,
    pub from: &'a str,
    pub port: u16,
    pub now: Time,
}

/// Ports such a server opens, where its arguments or environment say so.
pub fn ports(container: &Container, name: &str, args: &[String]) -> Option<Vec<u16>> {
    let flag = |name: &str| {
        let at = args.iter().position(|arg| arg.trim_start_matches('-').split('=').next() == Some(name))?;
        let value = args.get(at)?.split_once('=').map(|(_, value)| value.to_string()).or(args.get(at + 1).cloned())?;
        value.parse().ok()
    };
    let variable = |name: &str| container.env.get(name).and_then(|value| value.parse().ok());
    Some(match name {
        "agnhost" => match args.get(1).map(String::as_str) {
            Some("netexec") => vec![flag("http-port").unwrap_or(8080)],
            Some("serve-hostname") => vec![flag("port").unwrap_or(9376)],
            Some("liveness" | "test-webserver") => vec![flag("port").unwrap_or(8080)],
            Some("pause") | None => Vec::new(),
            _ => return None,
        },
        "whoami" => vec![flag("port").or(variable("WHOAMI_PORT_NUMBER")).unwrap_or(80)],
        "hello-app" => vec![variable("PORT").unwrap_or(8080)],
        _ => return None,
    })
}

/// Code and body of the answer; `None` for a server that is not described here.
pub fn answer(container: &Container, name: &str, args: &[String], asked: &Asked<'_>) -> Option<(u16, String)> {
    let (path, query) = asked.path.split_once('?').unwrap_or((asked.path, ""));
    let host = container.hostname();
    let tag = container.image.reference.tag.as_str();
    Some(match name {
        "agnhost" => agnhost(container, args, path, query, asked),
        "server" => liveness(container, path, asked.now),
        "hello-app" => {
            let version = if tag.starts_with('2') { "2.0.0" } else { "1.0.0" };
            (200, format!("Hello, world!\nVersion: {version}\nHostname: {host}\n"))
        }
        "server.js" if container.image.reference.path.ends_with("node-hello") => (200, "Hello Kubernetes!".into()),
        "server.js" => {
            let number = tag.trim_start_matches('v');
            (200, format!("Hello Kubernetes bootcamp! | Running on: {host} | v={number}\n"))
        }
        "whoami" => {
            let own = address(container);
            let port = asked.from;
            (
                200,
                format!(
                    "Hostname: {host}\nIP: 127.0.0.1\nIP: ::1\nIP: {own}\nRemoteAddr: {port}:{}\nGET {} HTTP/1.1\nHost: {own}\n\
                     User-Agent: {}\nAccept: */*\n\n",
                    client_port(asked),
                    asked.path,
                    asked.agent
                ),
            )
        }
        "run.sh" => (200, echoserver(container, asked, path, query)),
        "echo-server" => {
            let own = address(container);
            (
                200,
                format!(
                    "Request served by {host}\n\nGET {} HTTP/1.1\n\nHost: {own}:{}\nAccept: */*\nUser-Agent: {}\n",
                    asked.path, asked.port, asked.agent
                ),
            )
        }
        _ => return None,
    })
}

fn agnhost(container: &Container, args: &[String], path: &str, query: &str, asked: &Asked<'_>) -> (u16, String) {
    let of = |key: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(own, _)| *own == key).map(|(_, value)| value.replace('+', " ").replace("%20", " ")).next()
    };
    match (args.get(1).map_or("", String::as_str), path) {
        ("liveness", _) => return liveness(container, path, asked.now),
        ("serve-hostname", _) => return (200, container.hostname().to_string()),
        ("netexec", _) => {}
        _ => return (200, String::new()),
    }
    match path {
        "/hostname" | "/hostName" => (200, container.hostname().to_string()),
        "/clientip" => (200, format!("{}:{}", asked.from, client_port(asked))),
        "/echo" => (200, of("msg").unwrap_or_default()),
        "/healthz" | "/header" | "/redirect" => (200, String::new()),
        _ => {
            let (year, month, day, hour, minute, second) = asked.now.civil();
            let nanos = asked.now.0.rem_euclid(1_000_000) * 1000 + 389;
            let up = (asked.now - container.started).0.max(0);
            (
                200,
                format!(
                    "NOW: {year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanos:09} +0000 UTC m=+{}.{:06}211",
                    up / 1_000_000,
                    up % 1_000_000
                ),
            )
        }
    }
}

/// Well for ten seconds, and ill from then on.
fn liveness(container: &Container, path: &str, now: Time) -> (u16, String) {
    let up = (now - container.started).0.max(0);
    match path {
        "/healthz" if up <= 10_000_000 => (200, "ok".into()),
        "/healthz" => (500, format!("error: {}.{:06}", up / 1_000_000, up % 1_000_000)),
        "/started" => (200, format!("{}.{:06}s", up / 1_000_000, up % 1_000_000)),
        _ => (404, "404 page not found\n".into()),
    }
}

fn echoserver(container: &Container, asked: &Asked<'_>, path: &str, query: &str) -> String {
    let own = format!("{}:{}", address(container), asked.port);
    if container.image.reference.tag == "1.4" {
        return format!(
            "CLIENT VALUES:\nclient_address={}\ncommand=GET\nreal path={path}\nquery={}\nrequest_version=1.1\n\
             request_uri=http://{own}{path}\n\nSERVER VALUES:\nserver_version=nginx: 1.10.0 - lua: 10001\n\n\
             HEADERS RECEIVED:\naccept=*/*\nhost={own}\nuser-agent={}\nBODY:\n-no body in request-",
            asked.from,
            if query.is_empty() { "nil" } else { query },
            asked.agent
        );
    }
    let variable = |name: &str| container.env.get(name).map(String::as_str);
    let about: String = [
        ("node name", "NODE_NAME"),
        ("pod name", "POD_NAME"),
        ("pod namespace", "POD_NAMESPACE"),
        ("pod IP", "POD_IP"),
    ]
    .iter()
    .filter_map(|(label, name)| Some(format!("\t{label}:\t{}\n", variable(name)?)))
    .collect();
    let about = if about.is_empty() { "\t-no pod information available-\n".into() } else { about };
    format!(
        "\n\nHostname: {}\n\nPod Information:\n{about}\nServer values:\n\tserver_version=nginx: 1.13.3 - lua: 10008\n\n\
         Request Information:\n\tclient_address={}\n\tmethod=GET\n\treal path={path}\n\tquery={query}\n\
         \trequest_version=1.1\n\trequest_scheme=http\n\trequest_uri=http://{own}{path}\n\nRequest Headers:\n\taccept=*/*\n\
         \thost={own}\n\tuser-agent={}\n\nRequest Body:\n\t-no body in request-\n\n",
        container.hostname(),
        asked.from,
        asked.agent
    )
}

/// The container's own address, as its hosts file has it.
fn address(container: &Container) -> String {
    let hosts = container.files.read_text("/", "/etc/hosts").unwrap_or_default();
    let name = container.hostname();
    let line = hosts.lines().find(|line| line.split_whitespace().skip(1).any(|word| word == name));
    line.and_then(|line| line.split_whitespace().next()).unwrap_or("127.0.0.1").to_string()
}

/// A port such as clients get, the same for the same moment.
fn client_port(asked: &Asked<'_>) -> i64 {
    32_768 + (asked.now.0 / 1000).rem_euclid(28_000)
}
