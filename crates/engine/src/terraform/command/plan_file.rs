//! Saved plans: what is needed to plan the same again. The real file is an archive of the configuration, the state and
//! the plan; ours holds the configuration, the state before and after refreshing, and what the plan was asked for.

use crate::base::{BTreeMap, SmolStr, Time};
use crate::process::Sys;
use crate::terraform::config::{Loaded, Source};
use crate::terraform::core::{Options, Walk};
use crate::terraform::hcl::Diagnostic;
use crate::terraform::json::Json;
use crate::terraform::plan::PlanMode;
use crate::terraform::provider::Providers;
use crate::terraform::state::State;
use crate::terraform::value::{self, Value};

use super::arguments::Arguments;
use super::target;
use super::{VERSION, backend};

/// What the file begins with.
const MARK: &str = "{\"terraform_plan\":1,";

#[derive(Clone, Debug, Default)]
pub struct Saved {
    mode: PlanMode,
    targets: Vec<String>,
    replace: Vec<String>,
    pub variables: BTreeMap<SmolStr, Value>,
    workspace: SmolStr,
    /// Microseconds.
    time: Option<i64>,
    lineage: String,
    serial: u64,
    before: String,
    after: String,
    files: BTreeMap<SmolStr, String>,
}

impl Saved {
    /// The text of the file that a plan goes into.
    pub fn of(
        walk: &Walk,
        config: &Loaded,
        arguments: &Arguments,
        state: &State,
        options: &Options,
        providers: &Providers,
    ) -> String {
        let text = |state: &State| state.to_json(VERSION, &|mode, kind| providers.type_of(mode, kind));
        let asked = |name: &str| {
            let all = arguments.flags.iter().filter(|(flag, _)| flag == name);
            Json::Array(all.map(|(_, value)| Json::text(value)).collect())
        };
        let variables = options.variables.iter().map(|(name, value)| {
            let plain = value.clone().unmark_deep().0;
            let ty = value::type_json(&plain.ty());
            (name.clone(), Json::of([("value", Json::Value(plain)), ("type", Json::Value(ty))]))
        });
        let mode = match options.mode {
            PlanMode::Normal => "normal",
            PlanMode::Destroy => "destroy",
            PlanMode::RefreshOnly => "refresh-only",
        };
        let json = Json::of([
            ("terraform_plan", Json::number(1)),
            ("mode", Json::text(mode)),
            ("targets", asked("target")),
            ("replace", asked("replace")),
            ("variables", Json::map(variables)),
            ("workspace", Json::text(&options.workspace)),
            ("time", Json::text(&walk.values.impure.planned.unwrap_or_default().0.to_string())),
            ("lineage", Json::text(&state.lineage)),
            ("serial", Json::number(state.serial)),
            ("before", Json::text(&text(state))),
            ("after", Json::text(&text(&walk.unmoved()))),
            ("files", Json::map(config.texts.iter().map(|(name, text)| (name.clone(), Json::text(text))))),
        ]);
        json.compact() + "\n"
    }

    pub fn load(path: &str, sys: &Sys<'_>) -> Result<Saved, Box<Diagnostic>> {
        let fail = |detail: String| {
            Err(Box::new(Diagnostic::sourceless(format!("Failed to load \"{path}\" as a plan file"), detail)))
        };
        let Ok(text) = sys.files.read_text(sys.cwd, path) else {
            return fail(format!("Error: stat {path}: no such file or directory"));
        };
        if !text.starts_with(MARK) {
            let first = text.chars().next().unwrap_or(' ');
            return fail(format!(
                "Error: couldn't load the provided path as either a local plan file (zip: not a valid zip file) or a saved cloud plan (invalid character '{first}' looking for beginning of value)"
            ));
        }
        let json = value::decode(&text).unwrap_or_else(|_| Value::dynamic());
        let string = |name: &str| json.get(name).and_then(Value::as_str).unwrap_or_default().to_string();
        let strings = |name: &str| -> Vec<String> {
            let items = json.get(name).and_then(Value::items).unwrap_or_default();
            items.iter().filter_map(Value::as_str).map(str::to_string).collect()
        };
        let mut saved = Saved {
            mode: match string("mode").as_str() {
                "destroy" => PlanMode::Destroy,
                "refresh-only" => PlanMode::RefreshOnly,
                _ => PlanMode::Normal,
            },
            targets: strings("targets"),
            replace: strings("replace"),
            workspace: string("workspace").into(),
            time: string("time").parse().ok(),
            lineage: string("lineage"),
            serial: json.get("serial").and_then(Value::as_int).unwrap_or_default().max(0) as u64,
            before: string("before"),
            after: string("after"),
            ..Saved::default()
        };
        for (name, variable) in json.get("variables").and_then(Value::entries).into_iter().flatten() {
            let ty = variable.get("type").and_then(value::type_from_json).unwrap_or_default();
            if let Some(inner) = variable.get("value") {
                saved.variables.insert(name.clone(), value::convert(inner, &ty).unwrap_or_else(|_| inner.clone()));
            }
        }
        for (name, text) in json.get("files").and_then(Value::entries).into_iter().flatten() {
            saved.files.insert(name.clone(), text.as_str().unwrap_or_default().to_string());
        }
        Ok(saved)
    }

    /// The configuration as it was.
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot(&self.files)
    }

    pub fn options(&self) -> Options {
        let replace = self.replace.iter().filter_map(|text| target::instance("", text).ok());
        Options {
            mode: self.mode,
            refresh: false,
            targets: self.targets.iter().filter_map(|text| target::parse("", text).ok()).collect(),
            replace: replace.collect(),
            variables: self.variables.clone(),
            workspace: self.workspace.clone(),
            planned: self.time.map(Time),
            ..Options::default()
        }
    }

    /// Whether the state is still the one that was planned for.
    pub fn is_current(&self, state: &State) -> bool {
        state.serial == self.serial && state.lineage == self.lineage
    }

    pub fn refreshed(&self, providers: &Providers) -> Result<State, Vec<Diagnostic>> {
        backend::parse(&self.after, providers)
    }

    pub fn before(&self, providers: &Providers) -> State {
        backend::parse(&self.before, providers).unwrap_or_default()
    }
}

/// Files of a configuration, kept.
pub struct Snapshot<'a>(&'a BTreeMap<SmolStr, String>);

impl Source for Snapshot<'_> {
    fn names(&self, folder: &str) -> Option<Vec<String>> {
        let prefix = if folder == "." { String::new() } else { format!("{}/", folder.trim_start_matches("./")) };
        let below = self.0.keys().filter_map(|path| path.strip_prefix(prefix.as_str()));
        let names: Vec<String> = below.filter(|name| !name.contains('/')).map(str::to_string).collect();
        (folder == "." || !names.is_empty()).then_some(names)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path.trim_start_matches("./")).cloned()
    }
}
