//! The local backend: where a workspace's state lies, how it is read, written and locked (upstream: terraform's
//! backend/local and statemgr). Other backends are left out.

use crate::process::{Sys, Wait};
use crate::terraform::config::Backend;
use crate::terraform::hcl::Diagnostic;
use crate::terraform::provider::Providers;
use crate::terraform::state::State;
use crate::terraform::value::{self, Value};

use super::arguments::Arguments;
use super::environment::data;
use super::{Screen, VERSION};

pub const DEFAULT: &str = "default";
const STATE: &str = "terraform.tfstate";
const FOLDER: &str = "terraform.tfstate.d";
pub(super) const RECORD: &str = "terraform.tfstate";
const SELECTED: &str = "environment";

/// The name of the workspace in use, and whether the environment says so.
pub fn workspace(sys: &Sys<'_>) -> (String, bool) {
    if let Some(name) = sys.env.get("TF_WORKSPACE").filter(|name| !name.is_empty()) {
        return (name.clone(), true);
    }
    let name = sys.files.read_text(sys.cwd, &data(SELECTED, sys)).unwrap_or_default();
    let name = name.trim();
    (if name.is_empty() { DEFAULT.into() } else { name.into() }, false)
}

/// Where the local backend keeps states: as `terraform init` wrote it down.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Local {
    pub path: Option<String>,
    pub workspaces: Option<String>,
}

impl Local {
    pub fn of(backend: &Backend) -> Local {
        Local { path: backend.path.clone(), workspaces: backend.workspaces.clone() }
    }

    pub fn folder(&self) -> &str {
        self.workspaces.as_deref().unwrap_or(FOLDER)
    }

    pub fn file(&self, workspace: &str) -> String {
        match workspace {
            DEFAULT => self.path.clone().unwrap_or_else(|| STATE.into()),
            other => format!("{}/{other}/{STATE}", self.folder()),
        }
    }
}

pub(super) fn recorded(sys: &Sys<'_>) -> Option<Local> {
    let json = value::decode(&sys.files.read_text(sys.cwd, &data(RECORD, sys)).ok()?).ok()?;
    let config = json.get("backend")?.get("config")?.clone();
    let text = |name: &str| config.get(name).and_then(Value::as_str).map(str::to_string);
    Some(Local { path: text("path"), workspaces: text("workspace_dir") })
}

pub fn select(name: &str, sys: &mut Sys<'_>) {
    let (cwd, path) = (sys.cwd.clone(), data(SELECTED, sys));
    let _ = sys.files.make_directories(sys.now, &cwd, &data("", sys));
    let _ = sys.files.write(sys.now, &cwd, &path, name.as_bytes());
}

pub fn workspaces(sys: &Sys<'_>) -> Vec<String> {
    let local = recorded(sys).unwrap_or_default();
    let mut names: Vec<String> = sys.files.list(sys.cwd, local.folder()).unwrap_or_default();
    names.retain(|name| sys.files.is_directory(sys.cwd, &format!("{}/{name}", local.folder())));
    names.sort();
    names.insert(0, DEFAULT.into());
    names
}

pub fn create(name: &str, sys: &mut Sys<'_>) {
    let cwd = sys.cwd.clone();
    let folder = format!("{}/{name}", recorded(sys).unwrap_or_default().folder());
    let _ = sys.files.make_directories(sys.now, &cwd, &folder);
}

/// Whoever asks for the state of a workspace makes its folder.
pub fn keep(sys: &mut Sys<'_>) {
    let (name, _) = workspace(sys);
    if name != DEFAULT {
        create(&name, sys);
    }
}

pub fn delete(name: &str, sys: &mut Sys<'_>) {
    let cwd = sys.cwd.clone();
    let folder = format!("{}/{name}", recorded(sys).unwrap_or_default().folder());
    let _ = sys.files.remove_all(&cwd, &folder);
}

/// Where the state of a workspace lies.
pub fn state_path(workspace: &str, sys: &Sys<'_>) -> String {
    recorded(sys).unwrap_or_default().file(workspace)
}

/// A workspace's state file, and how it is changed.
#[derive(Clone, Debug)]
pub struct Store {
    /// Read from here.
    pub path: String,
    /// Written to here.
    pub to: String,
    /// The state before, kept beside it; empty for none.
    pub backup: String,
    backed_up: bool,
    locked: bool,
    /// The last write did not succeed.
    pub failed: bool,
}

impl Store {
    /// The one in use; `-state`, `-state-out` and `-backup` may name others.
    pub fn of(arguments: &Arguments, sys: &Sys<'_>) -> Store {
        let own = state_path(&workspace(sys).0, sys);
        let path = arguments.get("state").map_or(own, str::to_string);
        let to = arguments.get("state-out").map_or_else(|| path.clone(), str::to_string);
        let backup = match arguments.get("backup") {
            Some("-") => String::new(),
            Some(other) => other.to_string(),
            None => format!("{to}.backup"),
        };
        Store { path, to, backup, backed_up: false, locked: false, failed: false }
    }

    /// An empty file is none.
    pub fn exists(&self, sys: &Sys<'_>) -> bool {
        sys.files.read_text(sys.cwd, &self.path).is_ok_and(|text| !text.is_empty())
    }

    pub fn read(&self, sys: &Sys<'_>, providers: &Providers) -> Result<State, Vec<Diagnostic>> {
        let Ok(text) = sys.files.read_text(sys.cwd, &self.path) else { return Ok(State::default()) };
        parse(&text, providers)
    }

    /// Reads, or shows why not.
    pub fn load(&self, how: Unread, screen: &mut Screen, sys: &Sys<'_>, providers: &Providers) -> Option<State> {
        let found = match self.read(sys, providers) {
            Ok(state) => return Some(state),
            Err(found) => found,
        };
        match how {
            Unread::Boxes => screen.diagnostics(found),
            Unread::Older => screen.ui_diagnostics(found),
            Unread::Lock => screen.ui_diagnostics(vec![not_locked(&joined(&found))]),
            Unread::Words(words) => screen.ui_error(&format!("{words}: {}", joined(&found))),
        }
        None
    }

    /// Writes a state that says something new, with a higher serial; `more` counts what was not written between.
    pub fn write(&mut self, state: &mut State, saved: &State, more: u64, sys: &mut Sys<'_>, providers: &Providers) {
        if state.lineage.is_empty() {
            state.lineage = crate::terraform::provider::uuid_of(&mut || sys.chance.below("terraform lineage", 1 << 32));
        }
        state.serial = saved.serial + 1 + more;
        let text = state.to_json(VERSION, &|mode, kind| providers.type_of(mode, kind));
        let cwd = sys.cwd.clone();
        if !self.backed_up
            && !self.backup.is_empty()
            && self.path == self.to
            && let Ok(old) = sys.files.read(&cwd, &self.path)
        {
            let _ = sys.files.write(sys.now, &cwd, &self.backup, &old);
        }
        self.backed_up = true;
        if let Some((folder, _)) = self.to.rsplit_once('/') {
            let _ = sys.files.make_directories(sys.now, &cwd, folder);
        }
        self.failed = sys.files.write(sys.now, &cwd, &self.to, text.as_bytes()).is_err();
    }

    fn lock_path(&self) -> String {
        match self.to.rsplit_once('/') {
            Some((folder, name)) => format!("{folder}/.{name}.lock.info"),
            None => format!(".{}.lock.info", self.to),
        }
    }

    /// Takes the lock, or says who has it.
    pub fn lock(&mut self, operation: &str, sys: &mut Sys<'_>) -> Result<(), Box<Diagnostic>> {
        let path = self.lock_path();
        if let Ok(text) = sys.files.read_text(sys.cwd, &path) {
            return Err(Box::new(held(&text)));
        }
        let id = crate::terraform::provider::uuid_of(&mut || sys.chance.below("terraform lock", 1 << 32));
        let who = format!("{}@{}", sys.env.get("USER").map_or("root", String::as_str), sys.hostname);
        let fields = [
            ("ID", id),
            ("Operation", operation.to_string()),
            ("Info", String::new()),
            ("Who", who),
            ("Version", VERSION.to_string()),
            ("Created", sys.now.rfc3339_micros()),
            ("Path", self.to.clone()),
        ];
        let text: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value:?}")).collect();
        let cwd = sys.cwd.clone();
        if let Some((folder, _)) = self.to.rsplit_once('/') {
            let _ = sys.files.make_directories(sys.now, &cwd, folder);
        }
        let _ = sys.files.write(sys.now, &cwd, &path, format!("{{{}}}", text.join(",")).as_bytes());
        self.locked = true;
        Ok(())
    }

    /// A command's end, or what it waits for; its end gives the lock back.
    pub fn until_done(&mut self, code: Result<i32, Vec<Wait>>, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        if code.is_ok() {
            self.unlock(sys);
        }
        code
    }

    pub fn unlock(&mut self, sys: &mut Sys<'_>) {
        if std::mem::take(&mut self.locked) {
            let cwd = sys.cwd.clone();
            let _ = sys.files.remove(&cwd, &self.lock_path());
        }
    }
}

/// How a command tells that a state cannot be read.
#[derive(Clone, Copy)]
pub enum Unread {
    Boxes,
    /// Through the older interface.
    Older,
    /// The lock is not to be had, which needs the state.
    Lock,
    /// In a sentence that begins so.
    Words(&'static str),
}

/// Diagnostics as one text.
pub fn joined(found: &[Diagnostic]) -> String {
    let one = |each: &Diagnostic| match each.detail.as_str() {
        "" => each.summary.clone(),
        detail => format!("{}: {detail}", each.summary),
    };
    match found {
        [only] => one(only),
        all => {
            let lines: String = all.iter().map(|each| format!("\n- {}", one(each))).collect();
            format!("{} problems:\n{lines}", all.len())
        }
    }
}

/// The text of a state file as a state.
pub fn parse(text: &str, providers: &Providers) -> Result<State, Vec<Diagnostic>> {
    if text.is_empty() {
        return Ok(State::default());
    }
    State::from_json(text, &|mode, kind| providers.type_of(mode, kind))
}

pub fn not_locked(reason: &str) -> Diagnostic {
    let detail = format!(
        "Error message: {reason}\n\nTerraform acquires a state lock to protect the state from being written\nby multiple users at the same time. Please resolve the issue above and try\nagain. For most commands, you can disable locking with the \"-lock=false\"\nflag, but this is not recommended."
    );
    Diagnostic::sourceless("Error acquiring the state lock", detail)
}

/// The lock another process holds.
fn held(text: &str) -> Diagnostic {
    let json = value::decode(text).unwrap_or_else(|_| Value::dynamic());
    let field = |name: &str| json.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_string();
    let created = field("Created").replacen('T', " ", 1).replace('Z', " +0000 UTC");
    let lines = [
        ("ID:", field("ID")),
        ("Path:", field("Path")),
        ("Operation:", field("Operation")),
        ("Who:", field("Who")),
        ("Version:", field("Version")),
        ("Created:", created),
        ("Info:", field("Info")),
    ];
    let info: String = lines.iter().map(|(name, value)| format!("  {name:<10} {value}\n")).collect();
    not_locked(&format!("resource temporarily unavailable\nLock Info:\n{info}"))
}
