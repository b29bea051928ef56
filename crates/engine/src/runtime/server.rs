//! Programs of images that are not small tools: servers. They say what the real ones say when they start and stop, and
//! wait in between; what they answer is asked of the container from outside.
//!
//! A server the catalogue does not know runs until it is stopped and says nothing: a Gap.

use super::container::Container;
use super::image::Image;
use super::{programs, talk};
use crate::base::http::{Request, Response};
use crate::base::{Time, gap};
use crate::process::{FileError, Files, Program, Signal, Spawn, Stream, Sys, Turn, Wait};
use crate::shell::{self, Flavour};

/// How a known server behaves: name, ports it opens, its exit code, its first words.
struct Known {
    name: &'static str,
    ports: &'static [u16],
    /// Exit code on SIGTERM.
    code: i32,
    greeting: fn(&Server, Time) -> String,
    speaks: Speaks,
}

/// What a server says to who connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaks {
    Other,
    Http,
    Https,
}

use Speaks::{Http, Https, Other};

const KNOWN: [Known; 33] = [
    known("nginx", &[80], 0, nginx_lines, Http),
    known("redis-server", &[6379], 0, redis_lines, Other),
    known("postgres", &[5432], 0, nothing, Other),
    known("mysqld", &[3306, 33060], 0, nothing, Other),
    known("mariadbd", &[3306], 0, nothing, Other),
    known("mongod", &[27017], 0, nothing, Other),
    known("memcached", &[11211], 0, nothing, Other),
    known("rabbitmq-server", &[5672], 0, nothing, Other),
    known("httpd-foreground", &[80], 0, httpd_lines, Http),
    known("apache2-foreground", &[80], 0, httpd_lines, Http),
    known("http-echo", &[5678], 0, echo_lines, Http),
    known("whoami", &[80], 0, whoami_lines, Http),
    known("hello-app", &[8080], 2, hello_app_lines, Http),
    known("echo-server", &[8080], 2, nothing, Http),
    known("run.sh", &[8080], 0, nothing, Http),
    known("coredns", &[53, 8080, 8181, 9153], 0, coredns_lines, Http),
    known("local-path-provisioner", &[], 0, nothing, Other),
    known("metrics-server", &[10250], 0, nothing, Https),
    known("etcd", &[2379, 2380, 2381], 0, nothing, Http),
    known("kube-apiserver", &[6443], 0, nothing, Https),
    known("kube-controller-manager", &[10257], 0, nothing, Https),
    known("kube-scheduler", &[10259], 0, nothing, Https),
    known("kube-proxy", &[10249, 10256], 0, nothing, Http),
    known("kindnetd", &[], 0, nothing, Other),
    known("traefik", &[8000, 8080, 8443, 9100], 0, nothing, Http),
    known("entry", &[], 0, nothing, Other),
    known("agnhost", &[8080], 2, nothing, Http),
    known("server.js", &[8080], 0, server_js_lines, Http),
    known("server", &[8080], 2, nothing, Http),
    known("pause", &[], 0, nothing, Other),
    known("stress", &[], 143, nothing, Other),
    known("hello", &[], 0, nothing, Other),
    known(BUSYBOX_HTTPD, &[80], 0, nothing, Http),
];

/// The web server that busybox has: it handles no signal, so as process 1 only SIGKILL ends it.
const BUSYBOX_HTTPD: &str = "httpd";

/// Servers of which there is no more than an open port.
const MUTE: [&str; 6] = ["postgres", "mysqld", "mariadbd", "mongod", "memcached", "rabbitmq-server"];

const fn known(
    name: &'static str,
    ports: &'static [u16],
    code: i32,
    greeting: fn(&Server, Time) -> String,
    speaks: Speaks,
) -> Known {
    Known { name, ports, code, greeting, speaks }
}

fn find(name: &str) -> Option<&'static Known> {
    let plain = name.rsplit('/').next().unwrap_or(name);
    KNOWN.iter().find(|known| known.name == plain)
}

/// The arguments of the server itself: entry-point scripts hand over to what follows them.
fn server_args(args: &[String]) -> &[String] {
    match args.first().map(|name| name.rsplit('/').next().unwrap_or(name)) {
        Some("docker-entrypoint.sh" | "entrypoint.sh") => args.get(1..).unwrap_or_default(),
        _ => args,
    }
}

/// The program of an image for these arguments, when it is a server; `None` leaves it to the small tools.
pub fn program(image: &Image, name: &str, args: &[String]) -> Option<Box<dyn Program>> {
    let wrapped = server_args(args);
    let by_script = wrapped.len() < args.len();
    let inner = wrapped.first().map_or(name, String::as_str);
    let entry = image.entrypoint.iter().chain(&image.command).any(|word| {
        word.rsplit('/').next() == inner.rsplit('/').next() || word.rsplit('/').next() == name.rsplit('/').next()
    });
    if let Some(known) = find(inner) {
        // A server is there only when the image is one of that server's.
        let of_busybox = known.name == BUSYBOX_HTTPD && image.base == "busybox";
        if !entry && !image.reference.path.contains(known.name) && !of_busybox {
            return None;
        }
        return Some(Box::new(Server {
            args: wrapped.to_vec(),
            image: image.clone(),
            name: known.name,
            by_script,
            state: 0,
        }));
    }
    if let Some(curl) = behind_curl(image, inner, wrapped) {
        return Some(curl);
    }
    let plain = inner.rsplit('/').next().unwrap_or(inner);
    if let Some(own) = programs::find(image, plain, wrapped) {
        return Some(own);
    }
    if by_script && !wrapped.is_empty() {
        return None;
    }
    // A program of the image's own that nobody has described: it runs and keeps quiet.
    let shells = ["sh", "bash", "ash", "dash"];
    let own =
        image.entrypoint.first().or(image.command.first()).is_some_and(|word| word.rsplit('/').next() == Some(plain));
    if own && !shells.contains(&plain) {
        return Some(Box::new(Server { args: wrapped.to_vec(), image: image.clone(), name: "", by_script, state: 0 }));
    }
    None
}

/// The script of curl's own image hands curl what is no command.
fn behind_curl(image: &Image, inner: &str, args: &[String]) -> Option<Box<dyn Program>> {
    let is_no_command = inner.starts_with('-') || inner.contains("://");
    if image.reference.path != "curlimages/curl" || !is_no_command {
        return None;
    }
    let args: Vec<String> = std::iter::once("curl".to_string()).chain(args.iter().cloned()).collect();
    shell::network("curl", &args, Flavour::Busybox)
}

#[derive(Clone)]
pub struct Server {
    args: Vec<String>,
    image: Image,
    /// Of the table, "" for an unknown one.
    name: &'static str,
    /// Started by the image's entry-point script, which has words of its own.
    by_script: bool,
    state: u8,
}

impl Program for Server {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if self.state == 0 {
            self.state = 1;
            if let Some(code) = self.begin(sys) {
                return Turn::Exit(code);
            }
        }
        while let Some(signal) = sys.signal() {
            if let Some(code) = self.signalled(sys, signal) {
                return Turn::Exit(code);
            }
        }
        Turn::Wait(vec![Wait::Signal])
    }
}

impl Server {
    /// The first words, and what stops a server at once.
    fn begin(&mut self, sys: &mut Sys<'_>) -> Option<i32> {
        match self.name {
            "hello" => {
                sys.out(HELLO);
                return Some(0);
            }
            // Without -f it goes on in the background.
            BUSYBOX_HTTPD if !self.args.iter().any(|arg| arg.starts_with('-') && arg.contains('f')) => {
                let mut args = self.args.clone();
                args.push("-f".into());
                let (stdin, stdout, stderr) = sys.streams();
                let (env, cwd) = (sys.env.clone(), sys.cwd.clone());
                let started = sys.spawn(Spawn { args, env, cwd, stdin, stdout, stderr });
                return Some(i32::from(started.is_err()));
            }
            "postgres"
                if sys.env.get("POSTGRES_PASSWORD").is_none_or(String::is_empty)
                    && sys.env.get("POSTGRES_HOST_AUTH_METHOD").is_none_or(|method| method != "trust") =>
            {
                sys.err(POSTGRES_NO_PASSWORD);
                return Some(1);
            }
            "mysqld" => {
                let keys = ["MYSQL_ROOT_PASSWORD", "MYSQL_ALLOW_EMPTY_PASSWORD", "MYSQL_RANDOM_ROOT_PASSWORD"];
                if keys.iter().all(|key| sys.env.get(key).is_none_or(String::is_empty)) {
                    sys.err(
                        "[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n    \
                         You need to specify one of the following as an environment variable:\n    \
                         - MYSQL_ROOT_PASSWORD\n    - MYSQL_ALLOW_EMPTY_PASSWORD\n    - MYSQL_RANDOM_ROOT_PASSWORD\n",
                    );
                    return Some(1);
                }
            }
            "nginx" => {
                if let Some((said, code)) = nginx_only_says(self) {
                    sys.err(nginx_script(self));
                    sys.err(said);
                    return Some(code);
                }
                if let Some(why) = nginx_cannot(self, sys) {
                    let stamp = stamp(sys.now);
                    sys.err(nginx_script(self));
                    sys.err(format!("{stamp} [emerg] 1#1: {why}\nnginx: [emerg] {why}\n"));
                    return Some(1);
                }
                for name in nginx_gaps(sys.files) {
                    sys.meet_gap(&gap::line(&format!("nginx: {name}"), "files are served as they lie in the root"));
                }
            }
            // The chart is unpacked and installed; who asked for it watches the Job.
            "entry" if self.image.reference.path.ends_with("klipper-helm") => return Some(0),
            "agnhost" => match self.args.get(1).map_or("pause", String::as_str) {
                "pause" => {
                    sys.out("Paused\n");
                }
                "netexec" | "serve-hostname" | "liveness" | "test-webserver" => {}
                verb => sys.meet_gap(&gap::line(&format!("program: agnhost {verb}"), programs::IDLE)),
            },
            _ => {}
        }
        if self.name.is_empty() {
            let name = self.args.first().map_or("", |name| name.rsplit('/').next().unwrap_or(name));
            sys.meet_gap(&gap::line(&format!("program: {name}"), programs::IDLE));
        } else if MUTE.contains(&self.name) {
            let what = format!("program: {}", self.name);
            sys.meet_gap(&gap::line(&what, "it runs and its port is open, but it answers no client"));
        }
        let greeting = find(self.name).map_or(String::new(), |known| (known.greeting)(self, sys.now));
        let greeting = greeting.replace("Linux KERNEL", &format!("Linux {}", crate::process::kernel(sys.files)));
        sys.err(greeting);
        None
    }

    fn signalled(&self, sys: &mut Sys<'_>, signal: Signal) -> Option<i32> {
        let nginx = self.name == "nginx";
        match signal {
            _ if self.name == BUSYBOX_HTTPD => None,
            Signal::Quit | Signal::Term if nginx => {
                let stamp = stamp(sys.now);
                let word = if signal == Signal::Quit {
                    "signal 3 (SIGQUIT) received, shutting down"
                } else {
                    "signal 15 (SIGTERM) received, exiting"
                };
                sys.err(format!(
                    "{stamp} [notice] 1#1: {word}\n{stamp} [notice] 29#29: gracefully shutting down\n\
                     {stamp} [notice] 29#29: exiting\n{stamp} [notice] 29#29: exit\n\
                     {stamp} [notice] 1#1: signal 17 (SIGCHLD) received from 29\n\
                     {stamp} [notice] 1#1: worker process 29 exited with code 0\n{stamp} [notice] 1#1: exit\n"
                ));
                Some(0)
            }
            Signal::Term | Signal::Int | Signal::Quit | Signal::Winch => {
                Some(find(self.name).map_or(0, |known| known.code))
            }
            _ => None,
        }
    }
}

fn nothing(_: &Server, _: Time) -> String {
    String::new()
}

/// As nginx and Go write it into logs.
fn stamp(now: Time) -> String {
    let (year, month, day, hour, minute, second) = now.civil();
    format!("{year}/{month:02}/{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// What the entry-point script says of its own.
fn nginx_script(server: &Server) -> String {
    if !server.by_script {
        return String::new();
    }
    let (script, five) = ("/docker-entrypoint.sh", "10-listen-on-ipv6-by-default.sh");
    format!(
        "{script}: /docker-entrypoint.d/ is not empty, will attempt to perform configuration\n\
         {script}: Looking for shell scripts in /docker-entrypoint.d/\n\
         {script}: Launching /docker-entrypoint.d/{five}\n\
         {five}: info: Getting the checksum of /etc/nginx/conf.d/default.conf\n\
         {five}: info: Enabled listen on IPv6 in /etc/nginx/conf.d/default.conf\n\
         {script}: Sourcing /docker-entrypoint.d/15-local-resolvers.envsh\n\
         {script}: Launching /docker-entrypoint.d/20-envsubst-on-templates.sh\n\
         {script}: Launching /docker-entrypoint.d/30-tune-worker-processes.sh\n\
         {script}: Configuration complete; ready for start up\n"
    )
}

/// Why nginx cannot begin: it wants its cache directories.
fn nginx_cannot(server: &Server, sys: &mut Sys<'_>) -> Option<String> {
    let path = "/var/cache/nginx/client_temp";
    let status = sys.files.read_text("/", "/proc/self/status").unwrap_or_default();
    let uid = status.split_whitespace().nth(1).unwrap_or("0");
    let stranger = uid != "0" && server.image.user == 0;
    let made = sys.files.make_directory(sys.now, "/", path);
    // The recorded image leaves nothing there.
    let _ = made.is_ok().then(|| sys.files.remove("/", path));
    match made {
        Ok(()) if stranger => Some(format!("mkdir() \"{path}\" failed (13: Permission denied)")),
        Err(FileError::ReadOnly) => Some(format!("mkdir() \"{path}\" failed (30: Read-only file system)")),
        _ => None,
    }
}

/// Arguments with which nginx only says something and ends.
fn nginx_only_says(server: &Server) -> Option<(String, i32)> {
    let (mut test, mut version) = (false, false);
    let mut words = server.args.iter().skip(1);
    while let Some(word) = words.next() {
        let Some(letters) = word.strip_prefix('-') else {
            return Some((format!("nginx: invalid option: \"{word}\"\n"), 1));
        };
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            match letter {
                't' | 'T' => test = true,
                'v' | 'V' => version = true,
                'q' => {}
                'p' | 'e' | 'c' | 'g' | 's' => {
                    if letters.as_str().is_empty() && words.next().is_none() {
                        let what = if letter == 'g' { "global directives" } else { "parameter" };
                        return Some((format!("nginx: option \"-{letter}\" requires {what}\n"), 1));
                    }
                    break;
                }
                other => return Some((format!("nginx: invalid option: \"{other}\"\n"), 1)),
            }
        }
    }
    if version {
        return Some((format!("nginx version: nginx/{}\n", server.image.version()), 0));
    }
    let conf = "configuration file /etc/nginx/nginx.conf";
    test.then(|| (format!("nginx: the {conf} syntax is ok\nnginx: {conf} test is successful\n"), 0))
}

fn nginx_lines(server: &Server, now: Time) -> String {
    let stamp = stamp(now);
    let alpine = server.image.base == "busybox";
    let mut text = nginx_script(server);
    let built = if alpine { "gcc 14.2.0 (Alpine 14.2.0)" } else { "gcc 12.2.0 (Debian 12.2.0-14+deb12u1)" };
    let first = if alpine { 30 } else { 29 };
    text += &format!(
        "{stamp} [notice] 1#1: using the \"epoll\" event method\n{stamp} [notice] 1#1: nginx/{}\n\
         {stamp} [notice] 1#1: built by {built} \n{stamp} [notice] 1#1: OS: Linux KERNEL\n\
         {stamp} [notice] 1#1: getrlimit(RLIMIT_NOFILE): 1048576:1048576\n\
         {stamp} [notice] 1#1: start worker processes\n{stamp} [notice] 1#1: start worker process {first}\n\
         {stamp} [notice] 1#1: start worker process {}\n",
        server.image.version(),
        first + 1
    );
    text
}

fn redis_lines(_: &Server, now: Time) -> String {
    let (year, _, day, hour, minute, second) = now.civil();
    let month = now.month_name();
    let stamp = format!("1:M {day:02} {month} {year} {hour:02}:{minute:02}:{second:02}.000");
    format!("{stamp} * Server initialized\n{stamp} * Ready to accept connections tcp\n")
}

fn httpd_lines(_: &Server, _: Time) -> String {
    "AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using 127.0.0.1. \
     Set the 'ServerName' directive globally to suppress this message\n"
        .into()
}

fn echo_lines(server: &Server, now: Time) -> String {
    let port =
        server.args.iter().find_map(|arg| arg.trim_start_matches('-').strip_prefix("listen=:")).unwrap_or("5678");
    format!("{} [INFO] server is listening on :{port}\n", stamp(now))
}

fn whoami_lines(_: &Server, now: Time) -> String {
    format!("{} Starting up on port 80\n", stamp(now))
}

fn hello_app_lines(_: &Server, now: Time) -> String {
    format!("{} Server listening on port 8080\n", stamp(now))
}

fn server_js_lines(server: &Server, now: Time) -> String {
    if !server.image.reference.path.ends_with("bootcamp") {
        return String::new();
    }
    format!("Kubernetes Bootcamp App Started At: {}\n", now.rfc3339_micros())
}

fn coredns_lines(_: &Server, _: Time) -> String {
    ".:53\n[INFO] plugin/reload: Running configuration SHA512 = e7b5d5d0\nCoreDNS-1.14.2\nlinux/amd64, go1.26.8, \n"
        .into()
}

/// What a server in a container answers to a GET.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpAnswer {
    pub code: u16,
    pub body: String,
    pub server: String,
}

/// The known servers that run in a container.
fn servers(container: &Container) -> impl Iterator<Item = (&'static Known, &[String])> {
    container.programs().filter_map(|args| {
        let args = server_args(args);
        Some((find(args.first()?)?, args))
    })
}

/// The known server that runs in a container and accepts connections at a port.
fn serving(container: &Container, port: u16) -> Option<(&'static Known, Vec<String>)> {
    let found = servers(container).find(|(known, args)| opens(container, known, args, port));
    found.map(|(known, args)| (known, args.to_vec()))
}

/// Whether something in the container accepts connections at a port.
pub fn listens(container: &Container, port: u16) -> bool {
    container.is_running() && serving(container, port).is_some()
}

fn opens(container: &Container, known: &Known, args: &[String], port: u16) -> bool {
    let named: Option<u16> = match known.name {
        BUSYBOX_HTTPD => after(args, "-p").and_then(|word| word.rsplit(':').next()?.parse().ok()),
        _ => args.iter().find_map(|arg| arg.trim_start_matches('-').strip_prefix("listen=:")?.parse().ok()),
    };
    match named {
        Some(own) => port == own,
        None if known.name == "nginx" => match nginx_listens(container) {
            own if own.is_empty() => container.image.ports.contains(&port),
            own => own.contains(&port),
        },
        None => match talk::ports(container, known.name, args) {
            Some(own) => own.contains(&port),
            None => known.ports.contains(&port),
        },
    }
}

/// The word after a flag, or what is written to it.
fn after<'a>(args: &'a [String], flag: &str) -> Option<&'a str> {
    let at = args.iter().position(|arg| arg.starts_with(flag))?;
    let rest = args.get(at)?.strip_prefix(flag)?;
    if rest.is_empty() { args.get(at + 1).map(String::as_str) } else { Some(rest) }
}

/// Whether the server in the container wants TLS.
pub fn speaks_tls(container: &Container) -> bool {
    servers(container).next().is_some_and(|(known, _)| known.speaks == Https)
}

/// Statements of nginx's configuration, its main file first: words without comments.
fn nginx_statements(files: &Files) -> Vec<Vec<String>> {
    let directory = "/etc/nginx/conf.d";
    let names = files.list("/", directory).unwrap_or_default().into_iter().filter(|name| name.ends_with(".conf"));
    let paths = std::iter::once("/etc/nginx/nginx.conf".to_string()).chain(names.map(|n| format!("{directory}/{n}")));
    let text: String = paths.filter_map(|path| files.read_text("/", &path).ok()).collect();
    let plain: String =
        text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let all = plain.split([';', '{', '}']).map(|one| one.split_whitespace().map(str::to_string).collect::<Vec<_>>());
    all.filter(|words| !words.is_empty()).collect()
}

/// Ports the configuration of nginx names.
fn nginx_listens(container: &Container) -> Vec<u16> {
    let all = nginx_statements(&container.files);
    let listens = all.iter().filter(|words| words.first().is_some_and(|word| word == "listen"));
    listens.filter_map(|words| words.get(1)?.rsplit(':').next()?.parse().ok()).collect()
}

/// What nginx is told to do and does not do here.
fn nginx_gaps(files: &Files) -> Vec<String> {
    const DONE: [&str; 25] = [
        "user",
        "worker_processes",
        "error_log",
        "pid",
        "events",
        "worker_connections",
        "http",
        "include",
        "default_type",
        "log_format",
        "access_log",
        "sendfile",
        "keepalive_timeout",
        "server",
        "listen",
        "server_name",
        "location",
        "root",
        "index",
        "error_page",
        "types",
        "text/html",
        "text/css",
        "gzip",
        "tcp_nopush",
    ];
    let mut found: Vec<String> = Vec::new();
    for words in nginx_statements(files) {
        let Some(name) = words.first() else { continue };
        let is_name = name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        if is_name && !DONE.contains(&name.as_str()) && !found.contains(name) {
            found.push(name.clone());
        }
    }
    found
}

/// The answer to a GET at a port, `None` when nobody listens.
pub fn answer(
    container: &mut Container,
    now: Time,
    port: u16,
    path: &str,
    agent: &str,
    from: &str,
) -> Option<HttpAnswer> {
    let (known, args) = serving(container, port).filter(|_| container.is_running())?;
    if known.speaks == Other {
        return None;
    }
    let plain = path.split('?').next().unwrap_or(path);
    let (code, body) = match known.name {
        "nginx" => return Some(nginx_answer(container, now, plain, agent, from)),
        "http-echo" => {
            let text = args.iter().find_map(|arg| arg.trim_start_matches('-').strip_prefix("text="));
            (200, format!("{}\n", text.unwrap_or("hello-world")))
        }
        "httpd-foreground" | "apache2-foreground" => match httpd_file(container, plain) {
            Some(page) => (200, page),
            None => (404, "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n</body></html>\n".into()),
        },
        BUSYBOX_HTTPD => busybox_page(container, &args, plain),
        "coredns" if port == 8080 || port == 8181 => (200, "OK".into()),
        "traefik" if plain != "/ping" => (404, "404 page not found\n".into()),
        name => {
            let asked = talk::Asked { path, agent, from, port, now };
            talk::answer(container, name, &args, &asked).unwrap_or((200, String::new()))
        }
    };
    Some(HttpAnswer { code, body, server: known.name.into() })
}

/// busybox's httpd shows the files below its home.
fn busybox_page(container: &Container, args: &[String], path: &str) -> (u16, String) {
    let home = after(args, "-h").unwrap_or(container.cwd());
    let file = if path.ends_with('/') { format!("{path}index.html") } else { path.into() };
    match container.files.read_text(home, file.trim_start_matches('/')) {
        Ok(text) => (200, text),
        Err(_) => (
            404,
            "<HTML><HEAD><TITLE>404 Not Found</TITLE></HEAD>\n<BODY><H1>404 Not Found</H1>\n\
             The requested URL was not found\n</BODY></HTML>\n"
                .into(),
        ),
    }
}

/// What a request to a port of the container leads to: an empty path only connects.
pub fn respond(container: &mut Container, now: Time, port: u16, request: &Request, from: &str) -> Response {
    if !listens(container, port) {
        return Response::failed("Connection refused");
    }
    if request.path.is_empty() {
        return Response::text(200, String::new());
    }
    let agent = if request.agent == "Wget" { "Wget".into() } else { request.agent.clone() };
    let query: Vec<String> = request.query.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let path = match query.is_empty() {
        true => request.path.clone(),
        false => format!("{}?{}", request.path, query.join("&")),
    };
    match answer(container, now, port, &path, &agent, from) {
        Some(answer) => Response { warnings: vec![answer.server], ..Response::text(answer.code, answer.body) },
        None => Response::failed("Empty reply"),
    }
}

/// A file below Apache's document root.
fn httpd_file(container: &Container, path: &str) -> Option<String> {
    let path = if path.ends_with('/') { format!("{path}index.html") } else { path.to_string() };
    let roots = ["/usr/local/apache2/htdocs", "/var/www/html"];
    roots.iter().find_map(|root| container.files.read_text("/", &format!("{root}{path}")).ok())
}

fn nginx_answer(container: &mut Container, now: Time, path: &str, agent: &str, from: &str) -> HttpAnswer {
    let statements = nginx_statements(&container.files);
    let root = statements.iter().find(|words| words.first().is_some_and(|word| word == "root"));
    let root = root.and_then(|words| words.get(1)).map_or("/usr/share/nginx/html", String::as_str);
    let mut on_disk = format!("{}{path}", root.trim_end_matches('/'));
    let is_directory = container.files.is_directory("/", &on_disk);
    if path.ends_with('/') {
        let indexes = ["index.html", "index.htm"].map(|name| format!("{on_disk}{name}"));
        if let Some(found) = indexes.into_iter().find(|name| container.files.exists("/", name)) {
            on_disk = found;
        }
    }
    let found = container.files.read_text("/", &on_disk).ok();
    let version = format!("nginx/{}", container.image.version());
    let page = |title: &str| {
        format!(
            "<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n<center><h1>{title}</h1></center>\r\n\
             <hr><center>{version}</center>\r\n</body>\r\n</html>\r\n"
        )
    };
    let (code, body) = match found {
        Some(body) => (200, body),
        None if is_directory && !path.ends_with('/') => (301, page("301 Moved Permanently")),
        None if is_directory => (403, page("403 Forbidden")),
        None => (404, page("404 Not Found")),
    };
    let (year, _, day, hour, minute, second) = now.civil();
    let trouble = match code {
        403 => format!("directory index of \"{on_disk}\" is forbidden"),
        404 => format!("open() \"{on_disk}\" failed (2: No such file or directory)"),
        _ => String::new(),
    };
    if !trouble.is_empty() {
        let stamp = stamp(now);
        container.log_line(
            now,
            Stream::Err,
            &format!("{stamp} [error] 29#29: *1 {trouble}, client: {from}, server: localhost, request: \"GET {path} HTTP/1.1\", host: \"localhost\"\n"),
        );
    }
    let month = now.month_name();
    container.log_line(
        now,
        Stream::Out,
        &format!("{from} - - [{day:02}/{month}/{year}:{hour:02}:{minute:02}:{second:02} +0000] \"GET {path} HTTP/1.1\" {code} {} \"-\" \"{agent}\" \"-\"\n", body.len()),
    );
    HttpAnswer { code, body, server: version }
}

/// The page nginx has before anybody else puts one there.
pub const WELCOME: &str = "<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n<style>\nhtml { color-scheme: light dark; }\nbody { width: 35em; margin: 0 auto;\nfont-family: Tahoma, Verdana, Arial, sans-serif; }\n</style>\n</head>\n<body>\n<h1>Welcome to nginx!</h1>\n<p>If you see this page, the nginx web server is successfully installed and\nworking. Further configuration is required.</p>\n\n<p>For online documentation and support please refer to\n<a href=\"http://nginx.org/\">nginx.org</a>.<br/>\nCommercial support is available at\n<a href=\"http://nginx.com/\">nginx.com</a>.</p>\n\n<p><em>Thank you for using nginx.</em></p>\n</body>\n</html>\n";

const POSTGRES_NO_PASSWORD: &str = "Error: Database is uninitialized and superuser password is not specified.\n       You must specify POSTGRES_PASSWORD to a non-empty value for the\n       superuser. For example, \"-e POSTGRES_PASSWORD=password\" on \"docker run\".\n\n       You may also use \"POSTGRES_HOST_AUTH_METHOD=trust\" to allow all\n       connections without a password. This is *not* recommended.\n\n       See PostgreSQL documentation about \"trust\":\n       https://www.postgresql.org/docs/current/auth-trust.html\n";

const HELLO: &str =
    "\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n\n";
