//! Provisioners: commands run beside the making and destroying of objects (upstream: terraform's provisioners).
//! Only `local-exec` is simulated: it runs on the workstation's own shell.

use super::event::Happening;
use super::repetition::set_repetition;
use super::scope::Place;
use super::walk::{MachineFiles, Task, Walk};
use crate::base::{SmolStr, goquote};
use crate::process::{NoProgram, Pid, Read, Sink, Source, Spawn, Sys, Wait};
use crate::terraform::address::Key;
use crate::terraform::config::{Provisioner, decode};
use crate::terraform::hcl::{Diagnostic, Range, has_errors};
use crate::terraform::schema::{AttributeSchema, BlockSchema};
use crate::terraform::value::{Marks, Type, Value};

/// How much of a command's output an error repeats.
const KEPT: usize = 8 * 1024;

/// How far the provisioners of one object are.
#[derive(Clone, Debug, Default)]
pub struct Provision {
    at: usize,
    running: Option<Running>,
    /// All have run, or one has failed.
    pub over: bool,
    pub failed: bool,
}

#[derive(Clone, Debug)]
struct Running {
    pid: Pid,
    pipe: u32,
    command: String,
    /// Not yet a whole line.
    bytes: Vec<u8>,
    output: String,
    ended: bool,
    /// Said in place of every line.
    hidden: Option<&'static str>,
}

impl Walk {
    /// Runs the provisioners of an object one after the other; errors are told.
    pub(super) fn provision(
        &mut self,
        task: &mut Task,
        all: &[Provisioner],
        this: &Value,
        destroying: bool,
        sys: &mut Sys<'_>,
    ) -> Result<(), Vec<Wait>> {
        let mut all = all.iter().filter(|each| each.on_destroy == destroying).skip(task.provision.at);
        while let Some(provisioner) = all.next().filter(|_| !task.provision.over) {
            let kind = provisioner.kind.clone();
            if task.provision.running.is_none()
                && let Err(found) = self.begin_provisioner(task, provisioner, this, sys)
            {
                self.provisioner_failed(task, provisioner, found);
                continue;
            }
            let Some(mut running) = task.provision.running.take() else { continue };
            let code = match self.watch(task, &kind, &mut running, sys) {
                Ok(code) => code,
                Err(waits) => {
                    task.provision.running = Some(running);
                    return Err(waits);
                }
            };
            if code == 0 {
                self.tell(task, None, Happening::Provisioned(kind));
                task.provision.at += 1;
                continue;
            }
            let reason = match code {
                code if code > 128 => format!("signal: {}", signal_name(code - 128)),
                code => format!("exit status {code}"),
            };
            let mut output = running.output;
            if output.len() > KEPT {
                let cut = (output.len() - KEPT..output.len()).find(|at| output.is_char_boundary(*at)).unwrap_or(0);
                output = output.split_off(cut);
            }
            let detail = format!("Error running command '{}': {reason}. Output: {output}", running.command);
            let found = vec![body_error(provisioner, "local-exec provisioner error", detail)];
            self.provisioner_failed(task, provisioner, found);
        }
        task.provision.over = true;
        Ok(())
    }

    fn provisioner_failed(&mut self, task: &mut Task, provisioner: &Provisioner, mut found: Vec<Diagnostic>) {
        self.tell(task, None, Happening::NotProvisioned(provisioner.kind.clone()));
        task.provision.at += 1;
        if provisioner.continues {
            return;
        }
        found.iter_mut().for_each(|diagnostic| diagnostic.address = task.address.to_string());
        self.fail(task, found);
        task.provision.failed = true;
        task.provision.over = true;
    }

    fn begin_provisioner(
        &mut self,
        task: &mut Task,
        provisioner: &Provisioner,
        this: &Value,
        sys: &mut Sys<'_>,
    ) -> Result<(), Vec<Diagnostic>> {
        let kind = &provisioner.kind;
        if kind != "local-exec" {
            let text = format!("The provisioner \"{kind}\" is not simulated here: only \"local-exec\" is.");
            return Err(vec![body_error(provisioner, "Provisioner not simulated", text)]);
        }
        let config = {
            let address = &task.address;
            let Some(module) = self.module_config(&address.resource.module) else { return Err(Vec::new()) };
            let files = MachineFiles::of(sys);
            let mut place = Place::new(&self.values, module, &address.resource.module, Some(&files));
            let expansion = self.values.resources.get(&address.resource);
            let (count, each) = match &address.key {
                None => (false, false),
                Some(Key::Int(_)) => (true, false),
                Some(Key::Text(_)) => (false, true),
            };
            set_repetition(&mut place, expansion, address.key.as_ref(), count, each);
            place.this = Some(this.clone());
            let (value, found) = decode::decode(&provisioner.body, &schema(), &place);
            if has_errors(&found) {
                return Err(found);
            }
            value
        };
        let marks = config.marks_deep();
        let hidden = if marks.has(Marks::SENSITIVE) {
            Some("(output suppressed due to sensitive value in config)")
        } else {
            marks.has(Marks::EPHEMERAL).then_some("(output suppressed due to ephemeral value in config)")
        };
        let (config, _) = config.unmark_deep();
        let text = |name: &str| config.get(name).and_then(Value::as_str).map(str::to_string);
        let command = text("command").unwrap_or_default();
        if command.is_empty() {
            self.tell(task, None, Happening::Provisioning(kind.clone()));
            let detail = "The command must be a non-empty string.".to_string();
            return Err(vec![body_error(provisioner, "Invalid local-exec provisioner command", detail)]);
        }
        let words = config.get("interpreter").and_then(Value::items).unwrap_or_default();
        let mut args: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_string).collect();
        if args.is_empty() {
            args = vec!["/bin/sh".into(), "-c".into()];
        }
        args.push(command.clone());
        let mut env = sys.env.clone();
        for (name, value) in config.get("environment").and_then(Value::entries).into_iter().flatten() {
            if let Some(value) = value.as_str() {
                env.insert(name.to_string(), value.to_string());
            }
        }
        let cwd = text("working_dir").map_or_else(|| sys.cwd.clone(), |to| crate::process::clean(sys.cwd, &to));
        self.tell(task, None, Happening::Provisioning(kind.clone()));
        let quiet = config.get("quiet").and_then(Value::as_bool) == Some(true);
        let shown = if quiet {
            "local-exec: Executing: Suppressed by quiet=true".to_string()
        } else {
            let quoted: Vec<String> = args.iter().map(|arg| goquote::quote(arg)).collect();
            format!("Executing: [{}]", quoted.join(" "))
        };
        self.tell(task, None, Happening::Said(kind.clone(), hidden.map_or(shown, str::to_string)));
        let pipe = sys.text(Vec::new());
        let name = args.first().cloned().unwrap_or_default();
        let spawn = Spawn { args, env, cwd, stdin: Source::Null, stdout: Sink::Pipe(pipe), stderr: Sink::Pipe(pipe) };
        match sys.spawn(spawn) {
            Ok(pid) => {
                let (bytes, output) = (Vec::new(), String::new());
                task.provision.running = Some(Running { pid, pipe, command, bytes, output, ended: false, hidden });
                Ok(())
            }
            Err(reason) => {
                sys.release(pipe);
                let why = match reason {
                    NoProgram::NotFound if name.contains('/') => {
                        format!("fork/exec {name}: no such file or directory")
                    }
                    NoProgram::NotFound => {
                        format!("exec: {}: executable file not found in $PATH", goquote::quote(&name))
                    }
                    NoProgram::NotExecutable | NoProgram::IsDirectory => {
                        format!("fork/exec {name}: permission denied")
                    }
                    NoProgram::Gap(text) => text,
                };
                let detail = format!("Error running command '{command}': {why}. Output: ");
                Err(vec![body_error(provisioner, "local-exec provisioner error", detail)])
            }
        }
    }

    /// Passes on whole lines of what a command says; its exit code once it has ended.
    fn watch(
        &mut self,
        task: &Task,
        kind: &SmolStr,
        running: &mut Running,
        sys: &mut Sys<'_>,
    ) -> Result<i32, Vec<Wait>> {
        while !running.ended {
            match sys.read_pipe(running.pipe, 1 << 16) {
                Read::Data(data) => {
                    running.output.push_str(&String::from_utf8_lossy(&data));
                    running.bytes.extend(data);
                    while let Some(end) = running.bytes.iter().position(|byte| *byte == b'\n') {
                        let line: Vec<u8> = running.bytes.drain(..=end).collect();
                        self.said(task, kind, running.hidden, &line);
                    }
                }
                Read::Empty => return Err(vec![Wait::Pipe(running.pipe)]),
                Read::End => running.ended = true,
            }
        }
        if sys.is_running(running.pid) {
            return Err(vec![Wait::Child(running.pid)]);
        }
        let rest = std::mem::take(&mut running.bytes);
        if !rest.is_empty() {
            self.said(task, kind, running.hidden, &rest);
        }
        let code = sys.reap(running.pid).map_or(0, |exit| exit.code);
        sys.release(running.pipe);
        Ok(code)
    }

    fn said(&mut self, task: &Task, kind: &SmolStr, hidden: Option<&'static str>, line: &[u8]) {
        let text = String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']).to_string();
        self.tell(task, None, Happening::Said(kind.clone(), hidden.map_or(text, str::to_string)));
    }
}

fn signal_name(number: i32) -> &'static str {
    match number {
        1 => "hangup",
        2 => "interrupt",
        3 => "quit",
        9 => "killed",
        13 => "broken pipe",
        15 => "terminated",
        _ => "unknown",
    }
}

/// An error about a whole block points at its opening brace.
fn body_error(provisioner: &Provisioner, summary: &str, detail: String) -> Diagnostic {
    let mut place: Range = provisioner.open.clone();
    place.end = place.start;
    place.end.byte += 1;
    place.end.column += 1;
    Diagnostic::error(summary, detail, &place)
}

pub fn schema() -> BlockSchema {
    let attribute = |name: &str, ty: Type, required: bool| AttributeSchema {
        name: name.into(),
        ty,
        required,
        optional: !required,
        ..AttributeSchema::default()
    };
    let attributes = vec![
        attribute("command", Type::String, true),
        attribute("environment", Type::Map(Type::String.into()), false),
        attribute("interpreter", Type::List(Type::String.into()), false),
        attribute("quiet", Type::Bool, false),
        attribute("working_dir", Type::String, false),
    ];
    BlockSchema { attributes, blocks: Vec::new() }
}
