//! `drydock`: the engine on a command line.

mod serve;

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use engine::base::{Span, Time};
use engine::cluster::{Preset, Setup};
use engine::lab::{Input, Lab};
use engine::process::Stream;

const USAGE: &str = "usage: drydock run [options] [SCRIPT|-]
       drydock serve --docker-port N | --api-port N [options]

run plays a shell script at the workstation of a simulated cluster, on virtual time, as fast as this machine can.

  --cluster NAME     kind (default), k3s, bare, bare-workers
  --nodes N          nodes in all
  --seed N           what chance draws from (default 1)
  --start RFC3339    the instant the script starts at (default 2026-01-05T09:00:00Z)
  --dir DIR          files that stand in the working directory
  --echo             print each line of commands before it runs, as `$ line`
  --timestamps       with --echo: the virtual time before each
  --limit DURATION   virtual time after which the script is stopped (default 24h)
  --trace FILE       write what happened, one line an entry

serve opens a door of the simulation on 127.0.0.1 for real clients, until it is stopped; its clock goes with the real one.

  --docker-port N    the Docker Engine's (DOCKER_HOST=tcp://127.0.0.1:N docker ps)
  --api-port N       the API server's, without TLS (kubectl -s http://127.0.0.1:N get pods)
  --speed N          virtual seconds in a real one (default 1)
  --cluster, --nodes, --seed, --start as above
";

/// Slices of computing a script may use up: some seconds of real time.
const MOST_BUSY: u64 = 2_000;
/// Virtual time for which a program may compute without a pause.
const MOST_WORK: Span = Span::seconds(600);
/// Bytes a script may write, and programs it may start: a loop that never ends does little else.
const MOST_SHOWN: usize = 32 << 20;
const MOST_PROGRAMS: u32 = 10_000;
/// What a file of the simulated machine may hold.
const MOST_FILE: usize = engine::process::FILE_LIMIT;

struct Options {
    setup: Setup,
    dir: Option<PathBuf>,
    echo: bool,
    timestamps: bool,
    limit: Span,
    trace: Option<PathBuf>,
    docker_port: Option<u16>,
    api_port: Option<u16>,
    speed: u32,
    /// A file, or `-` for standard input.
    script: Option<String>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.split_first() {
        Some((_, rest)) if rest.first().is_some_and(|word| word == "--help" || word == "-h") => {
            let _ = std::io::stdout().write_all(USAGE.as_bytes());
            return ExitCode::SUCCESS;
        }
        Some((verb, rest)) if verb == "run" => options(rest).and_then(|options| run(&options)),
        Some((verb, rest)) if verb == "serve" => serve_options(rest)
            .and_then(|options| match (options.docker_port, options.api_port) {
                (None, None) => Err("serve wants --docker-port or --api-port".into()),
                (docker_port, api_port) => {
                    serve::serve(&serve::Options { setup: options.setup, docker_port, api_port, speed: options.speed })
                }
            })
            .map(|()| 0),
        Some((flag, _)) if flag == "--help" || flag == "-h" => {
            let _ = std::io::stdout().write_all(USAGE.as_bytes());
            return ExitCode::SUCCESS;
        }
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(code) => ExitCode::from(u8::try_from(code & 255).unwrap_or(1)),
        Err(message) => {
            let _ = std::io::stderr().write_all(format!("drydock: {}\n", message.trim_end()).as_bytes());
            ExitCode::from(2)
        }
    }
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut options = Options {
        setup: Setup::new(Preset::Kind),
        dir: None,
        echo: false,
        timestamps: false,
        limit: Span::seconds(24 * 3600),
        trace: None,
        docker_port: None,
        api_port: None,
        speed: 1,
        script: None,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let (flag, inline) = match arg.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_string())),
            _ => (arg.as_str(), None),
        };
        let mut value = || inline.clone().or_else(|| args.next().cloned()).ok_or(format!("{flag} wants a value"));
        match flag {
            "--cluster" => {
                let name = value()?;
                options.setup.preset = Preset::parse(&name)
                    .ok_or(format!("no cluster named {name}: there are kind, k3s, bare, bare-workers"))?;
            }
            "--nodes" => options.setup.nodes = number(flag, &value()?)?,
            "--seed" => options.setup.seed = number(flag, &value()?)?,
            "--start" => {
                let text = value()?;
                options.setup.start = Time::parse(&text).ok_or(format!("not an RFC 3339 time: {text}"))?;
            }
            "--dir" => options.dir = Some(value()?.into()),
            "--echo" => options.echo = true,
            "--timestamps" => options.timestamps = true,
            "--limit" => {
                let text = value()?;
                options.limit = engine::base::duration::parse(&text).map_err(|_| format!("not a duration: {text}"))?;
            }
            "--trace" => options.trace = Some(value()?.into()),
            "--docker-port" => options.docker_port = Some(number(flag, &value()?)?),
            "--api-port" => options.api_port = Some(number(flag, &value()?)?),
            "--speed" => options.speed = number(flag, &value()?)?,
            "-" => options.script = Some(arg.clone()),
            _ if flag.starts_with('-') => return Err(format!("unknown option {flag}\n\n{USAGE}")),
            _ => options.script = Some(arg.clone()),
        }
    }
    Ok(options)
}

/// Real clients compare what they hear with their own clock, so the simulation starts now unless told otherwise.
fn serve_options(args: &[String]) -> Result<Options, String> {
    let mut options = options(args)?;
    if !args.iter().any(|arg| arg.starts_with("--start")) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        options.setup.start = Time::from_seconds(i64::try_from(now.as_secs()).unwrap_or(0));
    }
    Ok(options)
}

fn script(file: Option<&str>) -> Result<String, String> {
    let bytes = match file {
        None if std::io::stdin().is_terminal() => return Err(USAGE.into()),
        Some("-") | None => {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map_err(|error| format!("standard input: {error}"))?;
            bytes
        }
        Some(path) => std::fs::read(path).map_err(|error| format!("{path}: {error}"))?,
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn number<T: std::str::FromStr>(flag: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{flag} wants a number, not {text}"))
}

fn run(options: &Options) -> Result<i32, String> {
    let script = script(options.script.as_deref())?;
    let mut lab = Lab::new(options.setup.clone());
    if let Some(dir) = &options.dir {
        load(&mut lab, dir, dir)?;
    }
    let start = lab.now();
    let job = lab.start_script(&script, options.echo);
    let mut stdout = std::io::stdout().lock();
    let mut stderr = std::io::stderr().lock();
    let mut shown = 0;
    loop {
        for output in lab.take_output() {
            shown += output.bytes.len();
            let stamp = output.is_echo && options.timestamps;
            let stamp = if stamp { format!("[{}] ", stamp_text(output.at - start)) } else { String::new() };
            let written = match output.stream {
                Stream::Out => stdout.write_all(stamp.as_bytes()).and_then(|()| stdout.write_all(&output.bytes)),
                Stream::Err => stderr.write_all(&output.bytes),
            };
            // A reader that has gone away ends the run, as it ends any program.
            if written.is_err() {
                return Ok(141);
            }
        }
        let _ = stdout.flush();
        for notice in lab.take_notices() {
            let _ = stderr.write_all(format!("drydock: {notice}\n").as_bytes());
        }
        let (None, Some(next)) = (lab.exit_code(job), lab.next_at()) else { break };
        if next > start + options.limit {
            return Err("the script was stopped at its limit of virtual time; --limit sets another".into());
        }
        let works = lab.working_since().is_some_and(|since| lab.now() - since > MOST_WORK);
        if works || lab.busy_slices() > MOST_BUSY {
            return Err("the script was stopped: it computes without end and waits for nothing".into());
        }
        if shown > MOST_SHOWN {
            return Err(format!("the script was stopped: it has written more than {} MB", MOST_SHOWN >> 20));
        }
        if lab.station.programs_started() > MOST_PROGRAMS {
            return Err(format!("the script was stopped: it has started more than {MOST_PROGRAMS} programs"));
        }
        lab.advance(next, 10_000);
    }
    if let Some(file) = &options.trace {
        let mut text = String::new();
        for entry in lab.trace().entries() {
            text.push_str(&engine::lab::describe(entry));
            text.push('\n');
        }
        text.push_str(&format!("hash {:016x}\n", lab.trace().hash()));
        std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(lab.exit_code(job).unwrap_or(1))
}

fn stamp_text(span: Span) -> String {
    let millis = span.as_millis();
    format!("{:02}:{:02}:{:02}.{:03}", millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60, millis % 1000)
}

/// Lays the files of a folder into the working directory.
fn load(lab: &mut Lab, root: &Path, folder: &Path) -> Result<(), String> {
    let show = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).map_err(|error| show(folder, error))?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            load(lab, root, &path)?;
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|error| show(&path, error))?;
        if bytes.len() > MOST_FILE {
            return Err(format!("{}: larger than the {MOST_FILE} bytes a simulated file may have", path.display()));
        }
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        lab.input(Input::WriteFile { path: name, text: String::from_utf8_lossy(&bytes).into_owned() });
    }
    Ok(())
}
