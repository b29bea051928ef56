//! kubectl's memory of discovery (`~/.kube/cache/discovery`): which custom resources it knows from before. It asks the
//! server again when a word means nothing to it, and on `api-resources`; until then a definition that is gone is still
//! believed in. What is built in never changes and is not written down.
//!
//! Left out: the hours after which the memory is asked anew, kinds that only files name.

use super::io::Io;
use super::mapper::{Mapper, Mapping};
use crate::base::{Value, json};
use crate::map;

/// Verbs whose first words are types.
const TYPED: [&str; 13] = [
    "get",
    "describe",
    "delete",
    "explain",
    "edit",
    "label",
    "annotate",
    "patch",
    "scale",
    "wait",
    "autoscale",
    "expose",
    "api-resources",
];

fn folder(io: &Io<'_, '_>) -> String {
    let home = io.sys.env.get("HOME").map_or("/root", String::as_str);
    let host = io.server.split_once("://").map_or(io.server.as_str(), |(_, host)| host).trim_end_matches('/');
    let host: String = host.chars().map(|c| if c.is_alphanumeric() || "./_".contains(c) { c } else { '_' }).collect();
    format!("{home}/.kube/cache/discovery/{host}")
}

/// What the words of a command mean to a kubectl that remembers.
pub fn recall(io: &mut Io<'_, '_>, live: Mapper) -> Mapper {
    let folder = folder(io);
    let known = read(io, &folder);
    let custom = |all: &[Mapping]| all.iter().filter(|one| one.schema().is_none()).cloned().collect::<Vec<_>>();
    let now = custom(&live.all);
    let Some(known) = known else {
        write(io, &folder, &now);
        return live;
    };
    let mut mapper = live;
    let gone: Vec<Mapping> = known.iter().filter(|one| !now.contains(one)).cloned().collect();
    let new = now.iter().any(|one| !known.contains(one));
    mapper.all.extend(gone.iter().cloned());
    let (verb, words) = &io.words;
    let typed = TYPED.contains(&verb.as_str());
    let named = words.first().map_or("", String::as_str).split(',').map(|word| word.split(['/', ' ']).next());
    let mut meant = named.flatten().filter(|word| typed && !word.is_empty()).map(|word| mapper.look(word).cloned());
    let asks = verb == "api-resources"
        || meant.any(|found| found.is_none_or(|found| found.schema().is_none() && !known.contains(&found)));
    if asks {
        mapper.all.truncate(mapper.all.len().saturating_sub(gone.len()));
        if new || !gone.is_empty() {
            write(io, &folder, &now);
        }
    }
    mapper
}

fn read(io: &Io<'_, '_>, folder: &str) -> Option<Vec<Mapping>> {
    let mut all = Vec::new();
    for group in io.sys.files.list("/", folder).ok()? {
        for version in io.sys.files.list("/", &format!("{folder}/{group}")).unwrap_or_default() {
            let path = format!("{folder}/{group}/{version}/serverresources.json");
            let list = io.sys.files.read_text("/", &path).ok().and_then(|text| json::parse(&text).ok());
            for resource in list.unwrap_or_default()["resources"].items() {
                let texts = |key: &str| resource[key].items().iter().map(|one| one.str().to_string()).collect();
                all.push(Mapping {
                    group: group.clone(),
                    version: version.clone(),
                    resource: resource["name"].str().into(),
                    singular: resource["singularName"].str().into(),
                    kind: resource["kind"].str().into(),
                    namespaced: resource["namespaced"].is_true(),
                    short_names: texts("shortNames"),
                    categories: texts("categories"),
                    verbs: texts("verbs"),
                    subresources: texts("subresources"),
                });
            }
        }
    }
    Some(all)
}

fn write(io: &mut Io<'_, '_>, folder: &str, all: &[Mapping]) {
    let now = io.now();
    let _ = io.sys.files.remove_all("/", folder);
    let _ = io.sys.files.make_directories(now, "/", folder);
    for one in all {
        let place = format!("{folder}/{}/{}", one.group, one.version);
        let own = all.iter().filter(|other| other.group == one.group && other.version == one.version);
        let texts = |all: &[String]| Value::list(all.iter().map(Value::from).collect::<Vec<_>>());
        let resource = |one: &Mapping| {
            map! { "name" => one.resource.as_str(), "singularName" => one.singular.as_str(), "namespaced" => one.namespaced,
            "kind" => one.kind.as_str(), "verbs" => texts(&one.verbs), "shortNames" => texts(&one.short_names),
            "categories" => texts(&one.categories), "subresources" => texts(&one.subresources) }
        };
        let list = map! { "kind" => "APIResourceList", "apiVersion" => "v1", "groupVersion" => one.api_version(),
        "resources" => own.map(resource).collect::<Vec<_>>() };
        let _ = io.sys.files.make_directories(now, "/", &place);
        let _ = io.sys.files.write(now, "/", &format!("{place}/serverresources.json"), json::compact(&list).as_bytes());
    }
}
