//! Programs of images that are neither servers nor small tools: interpreters, compilers, clients of databases, package
//! managers. They are there as in the real image. What they would do is not simulated, but for a few answers (their
//! version, whether a server is up): such a program tells a gap, and runs on when it belongs to the container's first
//! process, so that a hole is never taken for a fault of the user's.

use super::image::Image;
use crate::base::gap;
use crate::process::{Program, Read, Signal, Sys, Turn, Wait};
use crate::shell::{self, Flavour};

/// Repository (of Docker Hub's library, or with its owner) and the programs it has beside its base; `+` stands for what
/// a full Debian image with build tools has.
static PROGRAMS: [(&str, &str); 36] = [
    ("python", "python python3 pip pip3 pydoc3 idle3 +"),
    ("node", "node npm npx yarn corepack nodejs +"),
    ("golang", "go gofmt +"),
    ("ruby", "ruby gem irb bundle rake erb +"),
    ("perl", "perl cpan cpanm perldoc +"),
    ("php", "php phpize pecl pear docker-php-ext-install curl"),
    ("wordpress", "php apache2 apachectl a2enmod curl"),
    ("rust", "rustc cargo rustup +"),
    ("openjdk", "java javac jshell jar jcmd"),
    ("eclipse-temurin", "java javac jshell jar jcmd jps jstack curl wget ps"),
    ("amazoncorretto", "java javac jshell jar jcmd"),
    ("maven", "mvn java javac jar curl git ps"),
    ("gradle", "gradle java javac jar curl git ps"),
    ("tomcat", "catalina.sh java curl ps"),
    ("gcc", "gcc g++ cc cpp gfortran +"),
    ("buildpack-deps", "+"),
    ("redis", "redis-cli redis-benchmark redis-sentinel redis-check-aof gosu"),
    ("valkey/valkey", "valkey-cli valkey-benchmark redis-cli"),
    ("postgres", "psql pg_isready pg_dump pg_dumpall pg_restore initdb pg_ctl createdb createuser dropdb gosu"),
    ("mysql", "mysql mysqladmin mysqldump mysqlsh mysql_config_editor gosu"),
    ("mariadb", "mariadb mariadb-admin mariadb-dump healthcheck.sh gosu"),
    ("mongo", "mongosh mongodump mongorestore mongos mongoexport mongoimport gosu ps"),
    ("memcached", ""),
    ("rabbitmq", "rabbitmqctl rabbitmq-diagnostics rabbitmq-plugins gosu"),
    ("nginx", "envsubst nginx-debug curl"),
    ("curlimages/curl", "curl"),
    ("httpd", "apachectl ab htpasswd rotatelogs"),
    ("ubuntu", "ps top free kill uptime watch pgrep pkill w vmstat"),
    ("bitnami/kubectl", "kubectl"),
    ("alpine/git", "git"),
    ("alpine/helm", "helm"),
    ("docker", "docker dockerd docker-compose"),
    ("nicolaka/netshoot", "dig curl tcpdump iperf3 ss mtr nmap tshark socat jq strace bash iftop host"),
    ("google-samples/kubernetes-bootcamp", "node npm +"),
    ("jocatalin/kubernetes-bootcamp", "node npm +"),
    ("e2e-test-images/jessie-dnsutils", "dig nslookup host curl ping ps nc wget telnet"),
];

const FULL: &str = "curl wget git hg svn gcc g++ make cmake perl ps top free kill pgrep pkill watch uptime ssh scp unzip \
                    openssl file patch autoconf pkg-config python3 mysql_config pg_config xz bzip2";

/// Of all Debian images; the rest comes with the small tools.
const DEBIAN: &str = "apt-cache apt-key apt-config dpkg-query dpkg-deb debconf login passwd useradd groupadd usermod \
                      chage lsblk dmesg findmnt zcat";
const ALPINE: &str = "apk";

/// Small tools of GNU that a Debian image has only when its list says so.
const OPTIONAL: [&str; 4] = ["ps", "curl", "wget", "kill"];

/// What is told of a program that only runs.
pub const IDLE: &str = "it runs, does nothing and never ends by itself";

/// The image's own program of that name.
pub fn find(image: &Image, name: &str, args: &[String]) -> Option<Box<dyn Program>> {
    let own = own(image);
    let has = |list: &str| list.split_whitespace().any(|word| word == name);
    let full = image.base == "debian" && is_full(image) && own.contains('+');
    let of_base = match image.base.as_str() {
        "debian" => has(DEBIAN),
        "busybox" => is_alpine(image) && has(ALPINE),
        _ => false,
    };
    let version = name.strip_prefix("python3.").or(name.strip_prefix("php8.")).is_some() && has("python3");
    if !(has(own) || full && has(FULL) || of_base || version) {
        return None;
    }
    match name {
        "curl" => return shell::network(name, args, Flavour::Busybox),
        // The small tools have them.
        "ps" | "kill" => return None,
        _ => {}
    }
    Some(Box::new(Own { name: name.to_string(), image: image.clone(), args: args.to_vec(), told: false }))
}

/// Whether a small tool that GNU machines have is missing in this image.
pub fn lacks(image: &Image, name: &str) -> bool {
    image.base == "debian" && OPTIONAL.contains(&name) && {
        let own = own(image);
        !own.split(' ').any(|word| word == name) && !(own.contains('+') && is_full(image))
    }
}

fn own(image: &Image) -> &'static str {
    PROGRAMS.iter().find(|(repository, _)| *repository == image.reference.short()).map_or("", |(_, names)| names)
}

fn is_full(image: &Image) -> bool {
    !image.reference.tag.contains("slim")
}

/// Alpine's images are told from bare busybox ones by their names.
pub fn is_alpine(image: &Image) -> bool {
    image.base == "busybox" && !image.reference.path.ends_with("busybox")
}

/// A program that is there and not simulated.
pub fn absent(name: &str, args: &[String], image: &Image) -> Box<dyn Program> {
    let name = name.rsplit('/').next().unwrap_or(name);
    Box::new(Own { name: name.to_string(), image: image.clone(), args: args.to_vec(), told: false })
}

#[derive(Clone)]
struct Own {
    name: String,
    image: Image,
    args: Vec<String>,
    told: bool,
}

impl Program for Own {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if !self.told {
            self.told = true;
            if let Some((text, code)) = self.answer(sys) {
                match code {
                    0 => sys.out(text),
                    _ => sys.err(text),
                };
                return Turn::Exit(code);
            }
            if !sys.is_of_first() || super::contents::is_tool(&self.name) {
                let line = gap::line(&format!("program: {}", self.name), "");
                sys.meet_gap(&line);
                sys.err(format!("{line}\n"));
                return Turn::Exit(1);
            }
            sys.meet_gap(&gap::line(&format!("program: {}", self.name), IDLE));
        }
        match sys.signal() {
            // Whoever has no handler is not reached as process 1, and dies of it otherwise.
            Some(signal @ (Signal::Term | Signal::Int)) if self.handles() => Turn::Exit(128 + signal as i32),
            Some(signal) => {
                sys.put_back(signal);
                Turn::Wait(vec![Wait::Signal])
            }
            None => Turn::Wait(vec![Wait::Signal]),
        }
    }
}

impl Own {
    /// Programs that end on SIGTERM even as process 1: the Java machine.
    fn handles(&self) -> bool {
        matches!(self.name.as_str(), "java" | "mvn" | "gradle" | "catalina.sh")
    }

    /// What it can say after all.
    fn answer(&self, sys: &mut Sys<'_>) -> Option<(String, i32)> {
        let words: Vec<&str> = self.args.iter().skip(1).map(String::as_str).collect();
        if let Some(text) = self.version(&words) {
            return Some((text, 0));
        }
        let running = |name: &str| {
            sys.processes().iter().any(|(_, args)| {
                args.iter().take(3).any(|word| word.rsplit('/').next().is_some_and(|plain| plain.starts_with(name)))
            })
        };
        if let ("perl", Some(text)) = (self.name.as_str(), printed_pi(&words)) {
            return Some((text, 0));
        }
        match (self.name.as_str(), words.as_slice()) {
            ("redis-cli" | "valkey-cli", [.., last]) if last.eq_ignore_ascii_case("ping") => {
                if running("redis-server") || running("valkey-server") {
                    return Some(("PONG\n".into(), 0));
                }
                let text = "Could not connect to Redis at 127.0.0.1:6379: Connection refused\n";
                return Some((text.into(), 1));
            }
            ("pg_isready", rest) => {
                let after = |flag: &str| {
                    let at = rest.iter().position(|word| *word == flag)?;
                    rest.get(at + 1).copied()
                };
                let host = after("-h").unwrap_or("/var/run/postgresql");
                let port = after("-p").unwrap_or("5432");
                return Some(match running("postgres") {
                    true => (format!("{host}:{port} - accepting connections\n"), 0),
                    false => {
                        sys.out(format!("{host}:{port} - no response\n"));
                        (String::new(), 2)
                    }
                });
            }
            ("mysqladmin" | "mariadb-admin", rest) if rest.contains(&"ping") => {
                return Some(match running("mysqld") || running("mariadbd") {
                    true => ("mysqld is alive\n".into(), 0),
                    false => (format!("{}: connect to server at 'localhost' failed\n", self.name), 1),
                });
            }
            // An interpreter that reads an empty program.
            ("python" | "python3" | "node" | "php" | "perl" | "ruby" | "irb", rest) => {
                let asks = rest.iter().all(|word| matches!(*word, "-" | "-a" | "-i" | "-u"));
                if asks && !sys.is_owner_input() && sys.read(1) == Read::End {
                    return Some((String::new(), 0));
                }
                let script = rest.iter().find(|word| !word.starts_with('-')).copied();
                if let (true, Some(path)) = (self.name.starts_with("python"), script)
                    && !rest.iter().any(|word| matches!(*word, "-c" | "-m"))
                    && !sys.files.exists(sys.cwd, path)
                {
                    let full = crate::process::clean(sys.cwd, path);
                    let program = sys.args.first().cloned().unwrap_or_default();
                    let program = if program.contains('/') { program } else { self.name.clone() };
                    return Some((
                        format!("{program}: can't open file '{full}': [Errno 2] No such file or directory\n"),
                        2,
                    ));
                }
            }
            _ => {}
        }
        None
    }

    /// The line by which a program tells its version, as far as the image's tag says which it is.
    fn version(&self, words: &[&str]) -> Option<String> {
        let asked = matches!(words, ["--version" | "-version" | "-V" | "version"])
            || matches!((self.name.as_str(), words), ("node" | "php" | "ruby" | "npm" | "perl", ["-v"]));
        if !asked {
            return None;
        }
        let version = version_of(&self.image, &self.name)?;
        Some(match self.name.as_str() {
            "node" => format!("v{version}\n"),
            "go" => format!("go version go{version} linux/amd64\n"),
            _ => format!("Python {version}\n"),
        })
    }
}

/// The version of an interpreter, as far as the image's tag says which it is.
pub fn version_of(image: &Image, name: &str) -> Option<String> {
    let number = image.reference.tag.split('-').next().unwrap_or_default();
    let (newest, patches): (&str, &[(&str, &str)]) = match (image.reference.short(), name) {
        ("python", "python" | "python3") => (
            "3.14.1",
            &[("3.13", "3.13.9"), ("3.12", "3.12.12"), ("3.11", "3.11.14"), ("3.10", "3.10.19"), ("3.9", "3.9.25")],
        ),
        ("node", "node") => ("25.2.1", &[("24", "24.11.1"), ("22", "22.21.1"), ("20", "20.19.6"), ("18", "18.20.8")]),
        ("golang", "go") => ("1.26.8", &[("1.25", "1.25.5"), ("1.24", "1.24.11"), ("1.23", "1.23.12")]),
        _ => return None,
    };
    if number.matches('.').count() == 2 {
        return Some(number.to_string());
    }
    Some(patches.iter().find(|(minor, _)| *minor == number).map_or(newest, |(_, full)| full).to_string())
}

/// Digits of pi a one-liner may ask for.
const MOST_DIGITS: usize = 5000;

/// What `perl -Mbignum=bpi -wle 'print bpi(N)'` prints: the program of the Job in every introduction.
fn printed_pi(words: &[&str]) -> Option<String> {
    let (flags, program) = match words {
        [flags @ .., program] if words.contains(&"-Mbignum=bpi") => (flags, *program),
        _ => return None,
    };
    let letters = flags.iter().find(|word| word.starts_with('-') && word.ends_with('e') && !word.starts_with("-M"))?;
    let inner = program.trim().trim_end_matches(';').strip_prefix("print")?.trim().strip_prefix("bpi(")?;
    let digits: usize = inner.strip_suffix(')')?.trim().parse().ok()?;
    let line_end = if letters.contains('l') { "\n" } else { "" };
    (1..=MOST_DIGITS).contains(&digits).then(|| pi(digits) + line_end)
}

/// Pi rounded to so many digits, by Machin's formula in parts of nine digits.
fn pi(digits: usize) -> String {
    const PART: u64 = 1_000_000_000;
    let size = digits / 9 + 4;
    let divide = |number: &mut [u64], by: u64| {
        let mut rest = 0;
        for part in number.iter_mut() {
            let whole = rest * PART + *part;
            (*part, rest) = (whole / by, whole % by);
        }
    };
    let add = |to: &mut [u64], other: &[u64], minus: bool| {
        let mut carry = 0_i64;
        for (part, other) in to.iter_mut().zip(other).rev() {
            let other = if minus { -(*other as i64) } else { *other as i64 };
            let sum = *part as i64 + other + carry;
            carry = sum.div_euclid(PART as i64);
            *part = sum.rem_euclid(PART as i64) as u64;
        }
    };
    let arctan = |times: u64, of: u64| {
        let mut term = vec![0; size];
        if let Some(first) = term.first_mut() {
            *first = times;
        }
        divide(&mut term, of);
        let (mut sum, mut odd, mut minus) = (term.clone(), 1, false);
        while term.iter().any(|part| *part != 0) {
            divide(&mut term, of * of);
            (odd, minus) = (odd + 2, !minus);
            let mut next = term.clone();
            divide(&mut next, odd);
            add(&mut sum, &next, minus);
        }
        sum
    };
    let mut all = arctan(16, 5);
    add(&mut all, &arctan(4, 239), true);
    let text: String = all.iter().skip(1).map(|part| format!("{part:09}")).collect();
    // The digit after the last rounds it.
    let mut kept: Vec<u8> = std::iter::once(b'3').chain(text.bytes()).take(digits + 1).collect();
    let mut up = kept.pop().is_some_and(|last| last >= b'5');
    for digit in kept.iter_mut().rev() {
        if !up {
            break;
        }
        up = *digit == b'9';
        *digit = if up { b'0' } else { *digit + 1 };
    }
    let text = String::from_utf8_lossy(&kept).into_owned();
    match text.split_at_checked(1) {
        Some((whole, "")) => whole.to_string(),
        Some((whole, rest)) => format!("{whole}.{rest}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_job_of_every_introduction_prints_pi() {
        let say = |digits: &str| printed_pi(&["-Mbignum=bpi", "-wle", &format!("print bpi({digits})")]);
        assert_eq!(say("1").unwrap(), "3\n");
        assert_eq!(say("20").unwrap(), "3.1415926535897932385\n");
        let long = say("2000").unwrap();
        assert_eq!((long.len(), &long[long.len() - 11..]), (2002, "4780275901\n"));
        assert_eq!(say("0"), None);
        assert_eq!(printed_pi(&["-e", "print bpi(5)"]), None);
    }
}
