//! `cargo xtask docker-peer`: gives the same commands to a real docker client, whose Engine is ours behind `drydock serve`,
//! and to our own docker command, and compares standard output, standard error and exit code. Runs only where a real
//! `docker` 28 is on the path, or named by `DOCKER`. The real client's answers are kept (`--write`) in the folder of the
//! sections, where `cargo xtask golden` compares them without it. `DOCKER_ENGINE` names the address of a real Engine
//! that answers in the place of ours; everything on it is removed before each section.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use engine::process::{Pid, Stream};

use super::docker::{FOLDER, Kind, PATIENCE, Player, Step, files, read};
use super::{Score, print};
use crate::run::{Result, command, root, run as run_command};

/// The folder of the sections.
pub(super) const FOLDER_NAME: &str = "docker-peer";
/// What every section starts from: no containers, networks and volumes, the base images.
const CLEAN: &str = r#"base="busybox:1.36 busybox:1.37 nginx:1.25 nginx:1.26 nginx:1.29.0 alpine:3.20"
docker ps -aq | xargs -r docker rm -fv
docker network ls -q --filter type=custom | xargs -r docker network rm
docker volume ls -q | xargs -r docker volume rm -f
for i in $(docker images --format '{{.Repository}}:{{.Tag}}' | grep -v '<none>'); do
  case " $base " in *" $i "*) ;; *) docker rmi -f $i ;; esac
done
docker image prune -f
for i in $base; do docker image inspect $i >/dev/null || docker pull -q $i; done"#;
/// Begins a line of standard error in an answer, which follows standard output.
const ERR: &str = "2| ";

pub fn run(args: &[String]) -> Result<()> {
    let (mut filter, mut show, mut write) = (String::new(), false, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--filter" => filter = args.next().cloned().ok_or("--filter wants a text")?,
            "--show" => show = true,
            "--write" => write = true,
            other => return Err(format!("unknown option {other}")),
        }
    }
    let Some(client) = client() else {
        println!("skipped: no docker 28 here");
        return Ok(());
    };
    // A server that is built already may be named.
    let built = std::env::var("DRYDOCK").ok().map(PathBuf::from);
    let engine = std::env::var("DOCKER_ENGINE").ok();
    if built.is_none() && engine.is_none() {
        run_command(&mut command("cargo", &["build", "--quiet", "-p", "drydock"]))?;
    }
    let programs = Programs { client, engine, server: built.unwrap_or_else(|| root().join("target/debug/drydock")) };
    let mut total = Score { file: "total".into(), ..Score::default() };
    let folder = root().join("tests/golden").join(FOLDER_NAME);
    let mut sections: Vec<PathBuf> =
        std::fs::read_dir(&folder).map_err(|e| e.to_string())?.flatten().map(|entry| entry.path()).collect();
    sections.sort();
    for section in sections.iter().filter(|path| path.join("commands.sh").is_file()) {
        let name = section.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(&filter) {
            continue;
        }
        let score = compare(&programs, section, &name, write)?;
        print(&score, false);
        if show {
            score.differences.iter().for_each(|difference| println!("{difference}\n"));
        }
        total.equal += score.equal;
        total.total += score.total;
    }
    print(&total, false);
    if total.equal < total.total { Err("the real docker and ours differ".into()) } else { Ok(()) }
}

struct Programs {
    client: PathBuf,
    /// The address of a real Engine.
    engine: Option<String>,
    server: PathBuf,
}

/// The real client, if it is of the version we stand for.
fn client() -> Option<PathBuf> {
    let named = std::env::var("DOCKER").ok().map(PathBuf::from);
    let program = named.or_else(|| crate::run::which("docker"))?;
    let said = crate::run::output(Command::new(&program).arg("--version"))?;
    said.starts_with("Docker version 28.").then(|| std::fs::canonicalize(program).ok())?
}

/// The commands of a section.
fn steps(section: &Path) -> Result<Vec<Step>> {
    let text = super::read(&section.join("commands.sh"))?;
    let line = |line: &str| {
        if line.starts_with("# ") || line.is_empty() { format!("{line}\n") } else { format!("$ {line}\n[exit 0]\n") }
    };
    Ok(read(&text.lines().map(line).collect::<String>()))
}

fn compare(programs: &Programs, section: &Path, name: &str, write: bool) -> Result<Score> {
    let mut real = Real::new(programs, name)?;
    let files = files(section)?;
    for (name, text) in &files {
        std::fs::write(real.work.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let mut player = Player::new(&files);
    let mut score = Score { file: format!("{FOLDER_NAME}/{name}"), ..Score::default() };
    let mut ids = super::docker::Ids::default();
    let mut recorded = String::new();
    let (mut child, mut job) = (None, None);
    for step in steps(section)? {
        let answer = match step.kind {
            Kind::Wait => {
                recorded.push_str(&format!("# wait {} s\n\n", step.seconds));
                std::thread::sleep(Duration::from_secs_f64(step.seconds));
                None
            }
            Kind::Set => {
                recorded.push_str(&format!("# {}=$({})\n\n", step.note, step.command));
                let value = real.command(&step.command)?.1;
                real.variables.push((step.note.clone(), value.trim_end().into()));
                None
            }
            Kind::Background => {
                recorded.push_str(&format!("# in the background: {}\n\n", step.command));
                child = Some((step.command.clone(), real.start(&step.command)?));
                None
            }
            Kind::Interrupt => {
                let Some((command, child)) = child.take() else { continue };
                recorded.push_str(&format!(
                    "# the command from the background: wait at most {} s, then interrupt (SIGINT)\n",
                    step.seconds
                ));
                Some((command, real.finish(child, step.seconds)?))
            }
            _ => Some((step.command.clone(), real.command(&step.command)?)),
        };
        let mut step = step;
        if let Some((command, (code, text))) = answer {
            step.expected = ids.text(&text);
            step.exit = Some(code);
            step.command.clone_from(&command);
            recorded.push_str(&format!("$ {command}\n{}[exit {code}]\n\n", step.expected));
        }
        player.peer_step(&step, &mut job, &mut score);
    }
    if write {
        std::fs::write(section.join("expected.txt"), recorded).map_err(|error| error.to_string())?;
    }
    Ok(score)
}

/// The real client, an Engine (ours, if there is a server), and a folder to work in.
struct Real {
    server: Option<Child>,
    address: String,
    folder: PathBuf,
    work: PathBuf,
    variables: Vec<(String, String)>,
}

impl Real {
    fn new(programs: &Programs, name: &str) -> Result<Real> {
        let text = |error: std::io::Error| error.to_string();
        let folder = std::env::temp_dir().join(format!("docker-peer-{}-{name}", std::process::id()));
        let work = folder.join("demo");
        std::fs::create_dir_all(folder.join("bin")).map_err(text)?;
        std::fs::create_dir_all(&work).map_err(text)?;
        std::os::unix::fs::symlink(&programs.client, folder.join("bin/docker")).map_err(text)?;
        if let Some(address) = programs.engine.clone() {
            let real = Real { server: None, address, folder, work, variables: Vec::new() };
            real.finish(real.start(CLEAN)?, 300.0)?;
            return Ok(real);
        }
        let mut server = Command::new(&programs.server)
            .args(["serve", "--docker-port", "0", "--cluster", "bare"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(text)?;
        let mut line = String::new();
        if let Some(out) = server.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(text)?;
        }
        let address = line.rsplit(' ').next().unwrap_or_default().trim().to_string();
        Ok(Real { server: Some(server), address, folder, work, variables: Vec::new() })
    }

    fn start(&self, command: &str) -> Result<Child> {
        let path = format!("{}:{}", self.folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let command = if is_simple(command) { format!("exec {command}") } else { command.to_string() };
        Command::new("bash")
            .args(["-c", &command])
            .current_dir(&self.work)
            .env("PATH", path)
            .env("HOME", &self.work)
            .env("TERM", "dumb")
            .env("DOCKER_HOST", &self.address)
            .envs(self.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())
    }

    fn command(&self, command: &str) -> Result<(i64, String)> {
        self.finish(self.start(command)?, 60.0)
    }

    /// Waits so long, interrupts then, kills later.
    fn finish(&self, mut child: Child, seconds: f64) -> Result<(i64, String)> {
        let out = child.stdout.take();
        let err = child.stderr.take();
        let out = std::thread::spawn(move || text_of(out));
        let err = std::thread::spawn(move || text_of(err));
        let began = Instant::now();
        let mut asked = false;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                break status;
            }
            let passed = began.elapsed().as_secs_f64();
            if passed > seconds && !asked {
                asked = true;
                let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            }
            if passed > seconds + 20.0 {
                let _ = child.kill();
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = apart(&out.join().unwrap_or_default(), &err.join().unwrap_or_default());
        // Lines of a container's terminal end so; ours end plainly.
        let text = without_mark(&text.replace("\r\n", "\n"));
        Ok((status.code().map_or(-1, i64::from), text.replace(&self.work.display().to_string(), FOLDER)))
    }
}

/// A text without the label that the stand-ins of the public images have.
fn without_mark(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("oracle.stand-in") {
        let (before, label) = rest.split_at(at);
        let end = label.find(['"', ']', ' ', ',', ';', '\n']).unwrap_or(label.len());
        // In JSON the key's quotation mark ends first, then the value's.
        let json = before.ends_with('"');
        let end = if json { label.match_indices('"').nth(2).map_or(label.len(), |(end, _)| end + 1) } else { end };
        let after = label.get(end..).unwrap_or_default();
        let kept = if json { &before[..before.len() - 1] } else { before };
        let parts = [',', ' ', ';'];
        match after.strip_prefix(parts) {
            Some(after) => (rest, out) = (after, out + kept),
            None => (rest, out) = (after, out + kept.strip_suffix(parts).unwrap_or(kept)),
        }
    }
    out + rest
}

/// Such a command can take the shell's place, so that an interrupt reaches it.
fn is_simple(command: &str) -> bool {
    command.starts_with("docker ") && !command.contains([';', '|', '&'])
}

fn text_of(pipe: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Both streams as one text: the second with a mark before each line.
fn apart(out: &str, err: &str) -> String {
    let mut text = out.to_string();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str("\\\n");
    }
    // Whether the client still says that nobody read its archive is chance.
    for line in err.split_inclusive('\n').filter(|line| !line.contains("level=error msg=\"Can't ")) {
        text.push_str(ERR);
        text.push_str(line);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

impl Drop for Real {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ = server.kill();
            let _ = server.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Plays the answers that were written, without the real client.
pub(super) fn play(section: &Path, file: String) -> Result<Score> {
    let mut score = Score { file, ..Score::default() };
    let mut player = Player::new(&files(section)?);
    let mut job = None;
    for step in read(&super::read(&section.join("expected.txt"))?) {
        player.peer_step(&step, &mut job, &mut score);
    }
    Ok(score)
}

impl Player {
    fn peer_step(&mut self, step: &Step, job: &mut Option<Pid>, score: &mut Score) {
        match step.kind {
            Kind::Wait => self.machine.pause(step.seconds),
            Kind::Set => {
                let value = self.command(&step.command).1;
                self.machine.set(&step.note, value.trim_end());
            }
            Kind::Background => *job = Some(self.start(&step.command)),
            Kind::Interrupt => {
                let Some(pid) = job.take() else { return };
                self.machine.wait(pid, engine::base::Span::seconds_f64(step.seconds));
                if !self.machine.has_ended(pid) {
                    self.machine.lab.station.interrupt_job(pid);
                }
                self.judge(step, pid, score);
            }
            _ => {
                let pid = self.start(&step.command);
                self.judge(step, pid, score);
            }
        }
    }

    fn judge(&mut self, step: &Step, pid: Pid, score: &mut Score) {
        let (code, said) = self.machine.finish(pid, PATIENCE);
        let text = |stream: Stream| -> String {
            let bytes = said.iter().filter(|output| output.stream == stream).flat_map(|output| output.bytes.clone());
            String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
        };
        let ours = self.ids.text(&apart(&text(Stream::Out), &text(Stream::Err)));
        score.total += 1;
        // Columns are as wide as ages make them; without ages they are compared too.
        let (a, b) = (super::docker::loose(&step.expected), super::docker::loose(&ours));
        let aged = a.contains("<age>") || a.contains("<client>");
        let same = if aged { a == b } else { step.expected == ours };
        if same && step.exit == Some(code) {
            score.equal += 1;
        } else {
            score.differences.push(step.difference(&step.expected, code, &ours));
        }
    }
}
