//! What may stand at the end of a command line: verbs, flags, resource types, names. Types and names are asked from the
//! API server under the kubeconfig's identity, as `kubectl __complete` does; the rest is known by the tables of flags.

use super::mapper::{self, Mapper, Mapping};
use super::{args, config};
use crate::base::http::{Method, Request, Response, User};
use crate::base::{Value, yaml};
use crate::process::Files;

/// What completion may look at: the machine's files, and the API server's answers.
pub struct Surroundings<'a> {
    pub files: &'a Files,
    pub ask: &'a mut dyn FnMut(&Request) -> Response,
}

/// Candidates told at most.
const MOST: usize = 500;

/// Commands whose words are a type and then names.
const TYPED: [&str; 22] = [
    "get",
    "describe",
    "delete",
    "edit",
    "label",
    "annotate",
    "patch",
    "scale",
    "wait",
    "autoscale",
    "expose",
    "taint",
    "explain",
    "rollout status",
    "rollout history",
    "rollout undo",
    "rollout restart",
    "rollout pause",
    "rollout resume",
    "set image",
    "set env",
    "set resources",
];
/// Commands whose first word is the name of one type.
const NAMED: [(&str, &str); 11] = [
    ("logs", "pods"),
    ("exec", "pods"),
    ("attach", "pods"),
    ("port-forward", "pods"),
    ("debug", "pods"),
    ("top pod", "pods"),
    ("cordon", "nodes"),
    ("uncordon", "nodes"),
    ("drain", "nodes"),
    ("top node", "nodes"),
    ("create token", "serviceaccounts"),
];
const ROLLED: &str = "deployments.apps daemonsets.apps statefulsets.apps";

/// Candidates for the last of `words` (the words after `kubectl`; the last one is being typed).
pub fn complete(words: &[String], around: &mut Surroundings<'_>) -> Vec<String> {
    let Some((typed, before)) = words.split_last() else { return Vec::new() };
    let line = Line::read(before);
    let mut asked = Asked::new(&line, around);
    let mut found = if let Some((flag, value)) = typed.split_once('=').filter(|(flag, _)| flag.starts_with("--")) {
        starting(value, asked.flag_values(flag.trim_start_matches('-'), &line))
    } else if let Some(flag) = line.open_flag {
        starting(typed, asked.flag_values(flag, &line))
    } else if let Some(flag) = typed.strip_prefix("--") {
        let flags = line.flags().filter(|known| known.name.starts_with(flag));
        flags.map(|known| format!("--{}", known.name)).collect()
    } else if line.after_dash {
        Vec::new()
    } else {
        starting(typed, asked.words(&line, typed))
    };
    found.sort();
    found.dedup();
    found.truncate(MOST);
    found
}

fn starting(typed: &str, mut words: Vec<String>) -> Vec<String> {
    words.retain(|word| word.starts_with(typed));
    words
}

/// The words before the one that is typed.
#[derive(Default)]
struct Line<'a> {
    command: String,
    places: Vec<&'a str>,
    namespace: &'a str,
    context: &'a str,
    kubeconfig: &'a str,
    /// A flag that waits for its value.
    open_flag: Option<&'static str>,
    after_dash: bool,
}

impl<'a> Line<'a> {
    fn read(words: &'a [String]) -> Line<'a> {
        let mut line = Line::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == "--" {
                line.after_dash = true;
                return line;
            }
            if !word.starts_with('-') || word == "-" {
                let name = if line.command.is_empty() { word.to_string() } else { format!("{} {word}", line.command) };
                match args::command(args::alias(&name)) {
                    Some(command) if line.places.is_empty() => line.command = command.name.into(),
                    _ => line.places.push(word),
                }
                continue;
            }
            let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            let short = word.chars().last().filter(|_| !word.starts_with("--"));
            let found = line.flags().find(|flag| match name.strip_prefix("--") {
                Some(name) => flag.name == name,
                None => flag.short.is_some() && flag.short == short,
            });
            let Some(flag) = found.map(|flag| (flag.name, flag.takes_word())) else { continue };
            let value = match value {
                None if flag.1 => words.next(),
                value => value,
            };
            match (flag.0, value) {
                (name, None) if flag.1 => line.open_flag = Some(name),
                ("namespace", Some(value)) => line.namespace = value,
                ("context", Some(value)) => line.context = value,
                ("kubeconfig", Some(value)) => line.kubeconfig = value,
                _ => {}
            }
        }
        line
    }

    fn flags(&self) -> impl Iterator<Item = &'static args::Flag> + use<> {
        let commands = [args::command(&self.command), args::command("(global)")];
        commands.into_iter().flatten().flat_map(|command| &command.flags)
    }
}

/// What has to be asked, and as whom.
struct Asked<'a, 'b> {
    around: &'a mut Surroundings<'b>,
    config: Value,
    user: User,
    namespace: String,
}

impl<'a, 'b> Asked<'a, 'b> {
    fn new(line: &Line<'_>, around: &'a mut Surroundings<'b>) -> Asked<'a, 'b> {
        let path = if line.kubeconfig.is_empty() { "/root/.kube/config" } else { line.kubeconfig };
        let text = around.files.read_text("/root", path).unwrap_or_default();
        let config = yaml::parse(&text).unwrap_or_default();
        let context = if line.context.is_empty() { config["current-context"].str() } else { line.context };
        let context = config::entry(&config, "contexts", context).map(|entry| entry["context"].clone());
        let context = context.unwrap_or_default();
        let user = config::entry(&config, "users", context["user"].str()).map(|entry| entry["user"].clone());
        let user = config::identity(context["user"].str(), &user.unwrap_or_default());
        let namespace = [line.namespace, context["namespace"].str(), "default"];
        let namespace = namespace.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_string();
        Asked { around, config, user, namespace }
    }

    fn get(&mut self, path: &str, accept: &str) -> Value {
        let mut request = Request::new(&self.user, "kubectl", Method::Get, path);
        request.accept = accept.into();
        let response = (self.around.ask)(&request);
        if response.code == 200 { response.value().clone() } else { Value::Null }
    }

    fn mapper(&mut self) -> Mapper {
        let lists = ["/api", "/apis"].map(|path| self.get(path, mapper::AGGREGATED));
        Mapper::from_lists(&lists)
    }

    fn names(&mut self, mapping: &Mapping) -> Vec<String> {
        let path = mapping.path(&self.namespace, "");
        let list = self.get(&path, "");
        list["items"].items().iter().map(|item| item.at(&["metadata", "name"]).str().to_string()).collect()
    }

    fn names_of(&mut self, word: &str) -> Vec<String> {
        let mapper = self.mapper();
        mapper.look(word).map(|mapping| self.names(mapping)).unwrap_or_default()
    }

    fn words(&mut self, line: &Line<'_>, typed: &str) -> Vec<String> {
        let command = line.command.as_str();
        let taken = |names: Vec<String>| -> Vec<String> {
            names.into_iter().filter(|name| !line.places.contains(&name.as_str())).collect()
        };
        if let Some((_, resource)) = NAMED.iter().find(|(name, _)| *name == command) {
            return match (line.places.is_empty(), typed.split_once('/')) {
                (true, Some((word, _))) => self.prefixed(word),
                (true, None) => self.names_of(resource),
                _ if matches!(command, "cordon" | "uncordon" | "drain") => taken(self.names_of(resource)),
                _ => Vec::new(),
            };
        }
        if command.starts_with("config ") {
            let list = match command {
                "config use-context" | "config delete-context" | "config rename-context" | "config set-context" => {
                    "contexts"
                }
                "config delete-cluster" | "config set-cluster" => "clusters",
                "config delete-user" | "config set-credentials" => "users",
                _ => return Vec::new(),
            };
            return if line.places.is_empty() { self.config_names(list) } else { Vec::new() };
        }
        if !TYPED.contains(&command) {
            let children = args::children(command).into_iter().map(str::to_string);
            return if line.places.is_empty() { children.collect() } else { Vec::new() };
        }
        if let Some((word, _)) = typed.split_once('/') {
            return taken(self.prefixed(word));
        }
        match line.places.first() {
            None if command.contains(' ') => ROLLED.split(' ').map(str::to_string).collect(),
            None => {
                let mapper = self.mapper();
                let verb = |mapping: &&Mapping| mapping.verbs.iter().any(|verb| verb == "get");
                mapper.all.iter().filter(verb).map(Mapping::qualified).collect()
            }
            Some(_) if command == "explain" => Vec::new(),
            Some(word) if word.contains('/') => Vec::new(),
            Some(word) => word.split(',').flat_map(|word| taken(self.names_of(word))).collect(),
        }
    }

    /// `pod/web`
    fn prefixed(&mut self, word: &str) -> Vec<String> {
        self.names_of(word).into_iter().map(|name| format!("{word}/{name}")).collect()
    }

    fn flag_values(&mut self, flag: &str, line: &Line<'_>) -> Vec<String> {
        let fixed: &[&str] = match flag {
            "namespace" => return self.names_of("namespaces"),
            "context" => return self.config_names("contexts"),
            "cluster" => return self.config_names("clusters"),
            "user" if !line.command.starts_with("create") => return self.config_names("users"),
            "container" => return self.containers(line),
            "output" if line.command == "get" => &[
                "custom-columns",
                "custom-columns-file",
                "go-template",
                "go-template-file",
                "json",
                "jsonpath",
                "jsonpath-as-json",
                "jsonpath-file",
                "kyaml",
                "name",
                "wide",
                "yaml",
            ],
            "output" => &["go-template", "json", "jsonpath", "kyaml", "name", "yaml"],
            "dry-run" => &["client", "none", "server"],
            "cascade" => &["background", "foreground", "orphan"],
            "restart" => &["Always", "Never", "OnFailure"],
            "type" if line.command == "patch" => &["json", "merge", "strategic"],
            "for" if line.command == "wait" => &["condition=", "create", "delete", "jsonpath="],
            _ => &[],
        };
        fixed.iter().map(|word| (*word).to_string()).collect()
    }

    fn config_names(&self, list: &str) -> Vec<String> {
        self.config[list].items().iter().map(|item| item["name"].str().to_string()).collect()
    }

    fn containers(&mut self, line: &Line<'_>) -> Vec<String> {
        let Some(name) = line.places.first().map(|name| name.trim_start_matches("pod/")) else { return Vec::new() };
        let pod = self.get(&format!("/api/v1/namespaces/{}/pods/{name}", self.namespace), "");
        let lists = ["initContainers", "containers"].map(|list| pod["spec"][list].items());
        lists.iter().flat_map(|list| list.iter()).map(|container| container["name"].str().to_string()).collect()
    }
}
