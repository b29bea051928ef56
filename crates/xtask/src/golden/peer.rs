//! `cargo xtask terraform-peer`: gives the same commands to a real Terraform and to ours and compares what they print, to
//! the byte. The configurations come from a generator, or are those of a folder of recorded sections. Runs only where a
//! real `terraform` of the version we stand for is on the path, or named by `TERRAFORM`.

mod generate;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use super::docker::{FOLDER, Kind, Player, Step, files, read, sections};
use super::normalise::{Replacements, replaced, replacements};
use super::terraform::{Rules, normal};
use super::{Score, print};
use crate::run::Result;

/// Files, and commands to give one after the other.
pub(super) struct Case {
    pub name: String,
    pub files: Vec<(String, String)>,
    pub commands: Vec<Step>,
}

pub fn run(args: &[String]) -> Result<()> {
    let (mut count, mut seed, mut filter, mut show, mut write, mut folder) =
        (300_u64, 1_u64, String::new(), false, None, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or(format!("{arg} wants a value"));
        match arg.as_str() {
            "--count" => count = value()?.parse().map_err(|_| "--count wants a number")?,
            "--seed" => seed = value()?.parse().map_err(|_| "--seed wants a number")?,
            "--filter" => filter = value()?,
            "--show" => show = true,
            "--write" => write = Some(PathBuf::from(value()?)),
            other if other.starts_with('-') => return Err(format!("unknown option {other}")),
            other => folder = Some(PathBuf::from(other)),
        }
    }
    let Some(peer) = Peer::find() else {
        println!("skipped: no terraform {} here", engine::terraform::command::VERSION);
        return Ok(());
    };
    let cases: Vec<Case> = match folder {
        Some(folder) => recorded(&folder)?,
        None => (seed..seed.saturating_add(count)).map(generate::case).collect(),
    };
    let mut total = Score { file: "total".into(), ..Score::default() };
    for case in cases.iter().filter(|case| case.name.contains(&filter)) {
        let (score, text) = compare(&peer, case)?;
        if let Some(folder) = &write {
            save(&folder.join(&case.name), case, &text)?;
        }
        if score.equal < score.total || show {
            print(&score, false);
        }
        if show {
            score.differences.iter().for_each(|difference| println!("{difference}\n"));
        }
        total.equal += score.equal;
        total.total += score.total;
    }
    print(&total, false);
    if total.equal < total.total { Err("Terraform and we differ".into()) } else { Ok(()) }
}

/// The sections of a folder that need Terraform alone.
fn recorded(folder: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for section in sections(folder) {
        let files = files(&section)?;
        let commands = read(&super::read(&section.join("expected.txt"))?);
        if files.iter().all(|(_, text)| !text.contains("docker")) && commands.iter().all(|step| step.kind == Kind::Run)
        {
            let name = section.file_name().unwrap_or_default().to_string_lossy().into_owned();
            cases.push(Case { name, files, commands });
        }
    }
    Ok(cases)
}

struct Peer {
    /// Holds `terraform` alone.
    path: PathBuf,
    folder: PathBuf,
}

impl Peer {
    fn find() -> Option<Peer> {
        let named = std::env::var("TERRAFORM").ok().map(PathBuf::from);
        let paths = std::env::var_os("PATH")?;
        let on_path = std::env::split_paths(&paths).map(|folder| folder.join("terraform"));
        let program = named.into_iter().chain(on_path).find(|path| path.is_file())?;
        let wanted = engine::terraform::command::VERSION.rsplit_once('.')?.0;
        let said = Command::new(&program).arg("version").env("CHECKPOINT_DISABLE", "1").output().ok()?.stdout;
        if !String::from_utf8_lossy(&said).contains(&format!("Terraform v{wanted}.")) {
            return None;
        }
        let folder = std::env::temp_dir().join(format!("terraform-peer-{}", std::process::id()));
        let path = folder.join("bin");
        std::fs::create_dir_all(&path).ok()?;
        std::fs::write(folder.join("rc"), "").ok()?;
        std::os::unix::fs::symlink(std::fs::canonicalize(program).ok()?, path.join("terraform")).ok()?;
        Some(Peer { path, folder })
    }

    fn command(&self, folder: &Path, command: &str) -> Result<(i64, String)> {
        let path = format!("{}:{}", self.path.display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("timeout")
            .args(["-s", "KILL", "120", "bash", "-c", &format!("exec 2>&1\n{command}")])
            .current_dir(folder)
            .env("PATH", path)
            .env("HOME", folder)
            .env("CHECKPOINT_DISABLE", "1")
            .env("TF_CLI_CONFIG_FILE", self.folder.join("rc"))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).replace(&folder.display().to_string(), FOLDER);
        // A release and what it was built from are the same to us.
        let mut text = text.replace("\r\n", "\n").replace("1.16.4-dev", "1.16.4");
        // Where 1.16 says otherwise than the recordings, the recordings are followed.
        text = as_recorded(&text);
        // Our state files are those of the recordings: without what 1.12 and later add.
        text = text.replace(",\n          \"identity_schema_version\": 0", "");
        text = text.lines().filter(|line| line.trim() != "\"store\": null,").map(|line| format!("{line}\n")).collect();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Ok((output.status.code().map_or(-1, i64::from), text))
    }
}

fn as_recorded(text: &str) -> String {
    static RULES: Replacements = LazyLock::new(|| {
        replacements(&[(r#","action_invocation":0,"action_fail":0"#, ""), (r#""ui":"1\.3""#, "\"ui\":\"1.2\"")])
    });
    replaced(text, &RULES)
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// How alike the answers are, and the real ones as a recording.
fn compare(peer: &Peer, case: &Case) -> Result<(Score, String)> {
    let folder = peer.folder.join("work").join(&case.name);
    write_files(&folder, case)?;
    let mut player = Player::new(&case.files);
    let mut rules = Rules::exact();
    let mut score = Score { file: case.name.clone(), ..Score::default() };
    let mut text = String::new();
    for step in &case.commands {
        let (code, expected) = peer.command(&folder, &step.command)?;
        text.push_str(&format!("$ {}\n{}[exit {code}]\n\n", step.command, normal(&expected, true)));
        let step = Step { command: step.command.clone(), expected, exit: Some(code), ..Step::default() };
        let (code, ours) = player.command(&step.command);
        rules.compare(&step, code, &ours, &mut score);
        player.machine.pause(1.0);
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok((score, text))
}

fn write_files(folder: &Path, case: &Case) -> Result<()> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(told)?;
    for (name, text) in &case.files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(told)?;
        std::fs::write(path, text).map_err(told)?;
    }
    Ok(())
}

fn save(folder: &Path, case: &Case, text: &str) -> Result<()> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    write_files(folder, case)?;
    let commands: String = case.commands.iter().map(|step| format!("{}\n", step.command)).collect();
    std::fs::write(folder.join("commands.sh"), commands).map_err(told)?;
    std::fs::write(folder.join("expected.txt"), text).map_err(told)
}
