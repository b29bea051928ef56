//! Recordings of commands that need no server, replayed to the byte.

use super::program;
use crate::base::{Chance, Time, json};
use crate::process::{Env, Files, Host, NoProgram, Processes, Program, Sink, Source, Spawn, Stream};

struct Machine;

impl Host for Machine {
    fn program(&self, _: &Files, _: &Env, _: &str, args: &[String]) -> Result<Box<dyn Program>, NoProgram> {
        Ok(program(args))
    }
}

/// Standard output, standard error and exit code of a command that sends no request; `None` when it sends one.
fn play(words: &[&str]) -> Option<(String, String, i32)> {
    let mut files = Files::default();
    let config = super::default_config("oracle", "https://127.0.0.1:6443", "kubernetes-admin", "c", "");
    files.make_directories(Time(0), "/", "/root/.kube").expect("made");
    files.write(Time(0), "/", "/root/.kube/config", config.as_bytes()).expect("written");
    let mut processes = Processes::new("box");
    let mut args = vec!["kubectl".to_string()];
    args.extend(words.iter().map(|word| word.to_string()));
    let spawn = Spawn {
        args,
        env: Env::new(),
        cwd: "/root".into(),
        stdin: Source::Null,
        stdout: Sink::Owner(Stream::Out),
        stderr: Sink::Owner(Stream::Err),
    };
    processes.start(&Machine, &files, spawn).expect("started");
    let mut chance = Chance::new(1);
    let (mut out, mut err) = (String::new(), String::new());
    for at in [0, 200_000, 400_000] {
        let report = processes.run(&Machine, &mut files, &mut chance, Time(at), 100);
        for output in report.output {
            let text = String::from_utf8_lossy(&output.bytes).into_owned();
            match output.stream {
                Stream::Out => out.push_str(&text),
                Stream::Err => err.push_str(&text),
            }
        }
        if !report.calls.is_empty() {
            return None;
        }
        if let Some((_, exit)) = report.exits.first() {
            return Some((out, err, exit.code));
        }
    }
    None
}

#[test]
fn commands_without_requests_match_the_recordings() {
    let recordings = [
        include_str!("../../../../tests/golden/kubernetes/transcripts/20.00.k20-01-create-deployment.jsonl"),
        include_str!("../../../../tests/golden/kubernetes/transcripts/21.04.k21-05-kubectl-run-with-every-flag.jsonl"),
        include_str!("../../../../tests/golden/kubernetes/transcripts/21.01.k21-02-create-ingress.jsonl"),
    ];
    let (mut same, mut different) = (0, String::new());
    for line in recordings.iter().flat_map(|text| text.lines()) {
        let record = json::parse(line).expect("JSON");
        let command = record["cmd"].str();
        if record["kind"].str() != "run"
            || !command.starts_with("kubectl ")
            || command.contains(['\'', '"', '|', '>', '$', ';', '&'])
        {
            continue;
        }
        // Not yet: the Go struct's key order in JSON of generated objects, kyaml. A log line carries the process id.
        if ["-o json", "-o kyaml", "--dry-run -o"].iter().any(|known| command.contains(known)) {
            continue;
        }
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let Some((out, err, code)) = play(&words) else { continue };
        let want = (record["stdout"].str(), record["stderr"].str(), record["rc"].int());
        if want == (out.as_str(), err.as_str(), i64::from(code)) {
            same += 1;
        } else {
            different.push_str(&format!("\n$ {command}\n--- want {want:?}\n--- have {:?}\n", (out, err, code)));
        }
    }
    assert!(different.is_empty(), "{same} the same, but{different}");
    assert!(same > 10, "{same}");
}
