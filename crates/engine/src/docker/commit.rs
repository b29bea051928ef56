//! `commit`: a container as an image, with instructions of a Dockerfile on its configuration.

use super::images::{Committed, Local, familiar};
use super::{Cx, Engine, Outcome, fail};
use crate::base::Value;
use crate::base::http::Request;
use crate::map;
use crate::runtime::{Reference, hex64};

impl Engine {
    /// A container as an image.
    pub(super) fn commit(&mut self, cx: &mut Cx<'_>, request: &Request) -> Outcome<Value> {
        let container = self.container(request.query("container"))?;
        let (config, files, written) = (container.config.clone(), container.files().clone(), container.written());
        let (image_id, container_id) = (container.image_id.clone(), container.id.clone());
        let by = container.path_and_args().join(" ");
        let live = container.state == super::container::State::Running;
        let changed: String = container
            .files()
            .iter()
            .filter_map(|(path, node)| match node {
                crate::process::Node::File { content, .. } if !super::copy::is_apart(path) => {
                    let same = matches!(container.original.node("/", path), Ok(crate::process::Node::File { content: own, .. }) if own == content);
                    (!same).then(|| format!("{path} {}\n", String::from_utf8_lossy(content)))
                }
                _ => None,
            })
            .collect();
        let (repository, tag) = (request.query("repo"), request.query("tag"));
        let mut tags = Vec::new();
        if !repository.is_empty() {
            let full = if tag.is_empty() { repository.to_string() } else { format!("{repository}:{tag}") };
            let reference = Reference::parse(&full).map_err(|error| (400, error))?;
            tags.push(format!("{}:{}", familiar(&reference.repository()), reference.tag));
        }
        let Some(from) = self.images.iter().find(|image| image.id == image_id).cloned() else {
            return fail(404, format!("No such image: {image_id}"));
        };
        let id = format!("sha256:{}", self.new_id(cx));
        // The same files make the same layer; where nothing changed there is none.
        let bare = self.changes(&container_id)?.items().is_empty();
        let layer = if bare { String::new() } else { hex64(&format!("{image_id} {changed}")) };
        let mut config = config;
        for (_, change) in request.query.iter().filter(|(key, _)| key == "changes") {
            apply(&mut config, change)?;
        }
        let pause = live && request.query("pause") != "0";
        if pause {
            self.container_event(cx, &container_id, "pause", &[]);
        }
        config.set(&["Hostname"], "");
        config.set(&["Image"], "");
        for other in &mut self.images {
            other.tags.retain(|own| !tags.contains(own));
        }
        let committed = Committed {
            config,
            files,
            layer,
            written,
            by,
            comment: request.query("comment").into(),
            author: request.query("author").into(),
            from: from.clone(),
        };
        self.images.push(Local {
            id: id.clone(),
            tags: tags.clone(),
            digests: Vec::new(),
            created: cx.now,
            size: from.size + written,
            committed: Some(Box::new(committed)),
            ..from
        });
        let name = tags.first().cloned().unwrap_or_default();
        self.image_event(cx, "create", &id, &id);
        if !name.is_empty() {
            self.image_event(cx, "tag", &id, &name);
        }
        self.container_event(
            cx,
            &container_id,
            "commit",
            &[("comment", request.query("comment").into()), ("imageID", id.clone()), ("imageRef", name)],
        );
        if pause {
            self.container_event(cx, &container_id, "unpause", &[]);
        }
        Ok(map! { "Id" => id })
    }
}

/// An instruction of a Dockerfile on a configuration: `commit --change`.
fn apply(config: &mut Value, change: &str) -> Outcome<()> {
    let (word, rest) = change.trim().split_once(char::is_whitespace).unwrap_or((change.trim(), ""));
    let (typed, word, rest) = (word, word.to_ascii_uppercase(), rest.trim());
    if typed.is_empty() {
        return fail(400, "file with no instructions");
    }
    let needs = "ENV LABEL EXPOSE VOLUME ONBUILD USER WORKDIR STOPSIGNAL HEALTHCHECK";
    if rest.is_empty() && needs.split(' ').any(|own| own == word) {
        let how_many = if matches!(word.as_str(), "USER" | "WORKDIR" | "STOPSIGNAL") { "exactly" } else { "at least" };
        return fail(400, format!("{word} requires {how_many} one argument"));
    }
    let port = |text: &&str| text.split(['/', '-']).next().is_none_or(|number| number.parse::<u16>().is_err());
    if let Some(bad) = rest.split_whitespace().find(port).filter(|_| word == "EXPOSE") {
        return fail(400, format!("invalid containerPort: {bad}"));
    }
    let pairs = || rest.split_whitespace().map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let plain = |text: &str| text.trim_matches(['"', '\'']).to_string();
    let program = || match crate::base::json::parse(rest) {
        Ok(list @ Value::List(_)) => list,
        _ => crate::list!["/bin/sh", "-c", rest],
    };
    match word.as_str() {
        "CMD" => config.set(&["Cmd"], program()),
        "ENTRYPOINT" => config.set(&["Entrypoint"], program()),
        "USER" => config.set(&["User"], rest),
        "WORKDIR" => config.set(&["WorkingDir"], rest),
        "STOPSIGNAL" => config.set(&["StopSignal"], rest),
        "LABEL" => pairs().for_each(|(key, value)| config.set(&["Labels", key], plain(value))),
        "EXPOSE" => rest.split_whitespace().for_each(|port| {
            let full = if port.contains('/') { port.to_string() } else { format!("{port}/tcp") };
            config.set(&["ExposedPorts", &full], Value::empty_map());
        }),
        "VOLUME" => match crate::base::json::parse(rest) {
            Ok(Value::List(paths)) => {
                paths.iter().for_each(|path| config.set(&["Volumes", path.str()], Value::empty_map()));
            }
            _ => rest.split_whitespace().for_each(|path| config.set(&["Volumes", path], Value::empty_map())),
        },
        "ENV" => {
            let old = rest.split_once(char::is_whitespace).filter(|(name, _)| !name.contains('='));
            let all: Vec<(&str, &str)> =
                old.map_or_else(|| pairs().collect(), |(name, value)| vec![(name, value.trim())]);
            for (name, value) in all {
                let list = config.at_mut(&["Env"]).list_mut();
                list.retain(|own| own.str().split('=').next() != Some(name));
                list.push(format!("{name}={}", plain(value)).into());
            }
        }
        "ONBUILD" => config.at_mut(&["OnBuild"]).list_mut().push(rest.into()),
        "HEALTHCHECK" => config.set(&["Healthcheck"], healthcheck(rest)?),
        _ => return fail(400, format!("{typed} is not a valid change command")),
    }
    Ok(())
}

/// `--interval=5s CMD true`, `NONE`.
fn healthcheck(text: &str) -> Outcome<Value> {
    let mut check = Value::empty_map();
    let mut rest = text.trim();
    while let Some((option, more)) = rest.strip_prefix("--").map(|own| own.split_once(' ').unwrap_or((own, ""))) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let key = match name {
            "interval" => "Interval",
            "timeout" => "Timeout",
            "start-period" => "StartPeriod",
            "start-interval" => "StartInterval",
            "retries" => "Retries",
            _ => return fail(400, format!("unknown flag: --{name}")),
        };
        let number = match key {
            "Retries" => {
                value.parse::<i64>().map_err(|_| format!("strconv.ParseInt: parsing \"{value}\": invalid syntax"))
            }
            _ => crate::base::duration::parse_nanos(value),
        };
        check.set(&[key], number.map_err(|why| (400, why))?);
        rest = more.trim();
    }
    let (kind, command) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let test = match (kind.to_ascii_uppercase().as_str(), crate::base::json::parse(command.trim())) {
        ("NONE", _) => crate::list!["NONE"],
        ("CMD", Ok(Value::List(words))) => {
            Value::list([Value::from("CMD")].into_iter().chain(words.iter().cloned()).collect())
        }
        ("CMD", _) if !command.trim().is_empty() => crate::list!["CMD-SHELL", command.trim()],
        ("CMD", _) => return fail(400, "Missing command after HEALTHCHECK CMD"),
        _ => return fail(400, format!("Unknown type \"{kind}\" in HEALTHCHECK (try CMD)")),
    };
    check.set(&["Test"], test);
    Ok(check)
}
