//! `kubectl config`: reads and writes the kubeconfig file.

use crate::api::decode::encode_base64;
use crate::base::{Value, columns, yaml_emit};
use crate::kubectl::args::Args;
use crate::kubectl::config::{LISTS, entry, load, path, paths, read};
use crate::kubectl::help;
use crate::kubectl::io::{Failure, Io, Outcome, Stop, fail};
use crate::kubectl::manifest::gap;
use crate::kubectl::output::ordered;
use crate::kubectl::print::{self, Format};
use crate::{list, map};

pub fn config(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let what = args.command.strip_prefix("config").unwrap_or_default().trim().to_string();
    let mut file = load(args, io)?;
    let words = args.words.clone();
    let first = words.first().map_or("", String::as_str);
    match what.as_str() {
        "" if words.is_empty() => {
            io.err(help::text("config"));
            Err(Stop::Exit(1))
        }
        "" => fail(format!("unknown command \"{}\"\nSee 'kubectl config -h' for help and examples", words.join(" "))),
        "current-context" => match file["current-context"].str() {
            "" => fail("current-context is not set"),
            name => {
                io.line(name);
                Ok(())
            }
        },
        "get-contexts" => get_contexts(args, io, &file),
        "get-clusters" | "get-users" => {
            io.line("NAME");
            let list = if what == "get-clusters" { "clusters" } else { "users" };
            let mut names: Vec<&str> = file[list].items().iter().map(|item| item["name"].str()).collect();
            names.sort_unstable();
            for name in names {
                io.line(name);
            }
            Ok(())
        }
        "use-context" => {
            let [name] = words.as_slice() else { return wrong_words(args, io) };
            if entry(&file, "contexts", name).is_none() {
                return fail(format!("no context exists with the name: \"{name}\""));
            }
            file.set(&["current-context"], name.as_str());
            save(args, io, file);
            io.line(format!("Switched to context \"{name}\"."));
            Ok(())
        }
        "set-context" => {
            let name = if args.is("current") { file["current-context"].str().to_string() } else { first.to_string() };
            if args.is("current") && name.is_empty() {
                return fail("no current context is set");
            }
            if name.is_empty() {
                return fail("you must specify a non-empty context name or --current");
            }
            let known = entry(&file, "contexts", &name).is_some();
            let fields = [("cluster", "cluster"), ("namespace", "namespace"), ("user", "user")];
            edit(args, &mut file, "contexts", "context", &name, &fields);
            save(args, io, file);
            io.line(format!("Context \"{name}\" {}.", if known { "modified" } else { "created" }));
            Ok(())
        }
        "set-cluster" => {
            let [name] = words.as_slice() else { return wrong_words(args, io) };
            if !args.get("certificate-authority").is_empty() && args.is("insecure-skip-tls-verify") {
                return fail("you cannot specify a certificate authority and insecure mode at the same time");
            }
            let fields = [
                ("server", "server"),
                ("certificate-authority", "certificate-authority"),
                ("insecure-skip-tls-verify", "insecure-skip-tls-verify"),
                ("proxy-url", "proxy-url"),
                ("tls-server-name", "tls-server-name"),
            ];
            edit(args, &mut file, "clusters", "cluster", name, &fields);
            certificates(args, io, &mut file, "clusters", name, &["certificate-authority"])?;
            save(args, io, file);
            io.line(format!("Cluster \"{name}\" set."));
            Ok(())
        }
        "set-credentials" => {
            let [name] = words.as_slice() else { return wrong_words(args, io) };
            if !args.get("token").is_empty() && !(args.get("username").is_empty() && args.get("password").is_empty()) {
                return fail(
                    "you cannot specify more than one authentication method at the same time: --token, \
                     --username/--password",
                );
            }
            let fields = [
                ("client-certificate", "client-certificate"),
                ("client-key", "client-key"),
                ("token", "token"),
                ("username", "username"),
                ("password", "password"),
            ];
            edit(args, &mut file, "users", "user", name, &fields);
            certificates(args, io, &mut file, "users", name, &["client-certificate", "client-key"])?;
            exec(args, &mut file, name)?;
            save(args, io, file);
            io.line(format!("User \"{name}\" set."));
            Ok(())
        }
        "delete-context" | "delete-cluster" | "delete-user" => {
            let (list, noun) = match what.as_str() {
                "delete-context" => ("contexts", "context"),
                "delete-cluster" => ("clusters", "cluster"),
                _ => ("users", "user"),
            };
            let [name] = words.as_slice() else { return wrong_words(args, io) };
            let place = path(args, io);
            if entry(&file, list, name).is_none() {
                return fail(format!("cannot delete {noun} {name}, not in {place}"));
            }
            let left: Vec<Value> =
                file[list].items().iter().filter(|item| item["name"].str() != name).cloned().collect();
            let current = file["current-context"].str() == name && noun == "context";
            file.set(&[list], left);
            save(args, io, file);
            if current {
                io.err(
                    "warning: this removed your active context, use \"kubectl config use-context\" to select a \
                     different one\n",
                );
            }
            io.line(format!("deleted {noun} {name} from {place}"));
            Ok(())
        }
        "rename-context" => {
            let [old, new] = words.as_slice() else { return wrong_words(args, io) };
            let place = path(args, io);
            if entry(&file, "contexts", old).is_none() {
                return fail(format!("cannot rename the context \"{old}\", it's not in {place}"));
            }
            if entry(&file, "contexts", new).is_some() {
                return fail(format!(
                    "cannot rename the context \"{old}\", the context \"{new}\" already exists in {place}"
                ));
            }
            let mut items = file["contexts"].items().to_vec();
            for item in items.iter_mut().filter(|item| item["name"].str() == old) {
                item.set(&["name"], new.as_str());
            }
            file.set(&["contexts"], items);
            if file["current-context"].str() == old {
                file.set(&["current-context"], new.as_str());
            }
            save(args, io, file);
            io.line(format!("Context \"{old}\" renamed to \"{new}\"."));
            Ok(())
        }
        "set" | "unset" => property(args, io, file, what == "set"),
        "view" => view(args, io, &file),
        other => gap(&format!("kubectl config {other}"), ""),
    }
}

fn wrong_words(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    io.out(help::text(&args.command));
    fail(format!("Unexpected args: [{}]", args.words.join(" ")))
}

/// Writes the flags that were given into an entry, made where it is missing; lists stay sorted by name.
fn edit(args: &Args, file: &mut Value, list: &str, inner: &str, name: &str, fields: &[(&str, &str)]) {
    let mut items = file[list].items().to_vec();
    if !items.iter().any(|item| item["name"].str() == name) {
        items.push(map! { inner => map! {}, "name" => name });
    }
    for item in items.iter_mut().filter(|item| item["name"].str() == name) {
        for (flag, field) in fields {
            if !args.changed(flag) {
                continue;
            }
            match args.get(flag) {
                "" | "false" => {
                    item.remove(&[inner, field]);
                }
                "true" => item.set(&[inner, field], true),
                text => item.set(&[inner, field], text),
            }
        }
    }
    items.sort_by(|a, b| a["name"].str().cmp(b["name"].str()));
    file.set(&[list], items);
}

/// Files that an entry names: taken in with `--embed-certs`, else kept relative to the kubeconfig's folder.
fn certificates(
    args: &Args,
    io: &mut Io<'_, '_>,
    file: &mut Value,
    list: &str,
    name: &str,
    fields: &[&str],
) -> Outcome {
    let inner = list.trim_end_matches('s');
    let mut items = file[list].items().to_vec();
    for field in fields.iter().filter(|field| !args.get(field).is_empty()) {
        let place = args.get(field);
        let (key, text) = if args.is("embed-certs") {
            let Ok(bytes) = io.read_file(place) else {
                return fail(format!("could not stat {field} file {place}: stat {place}: no such file or directory"));
            };
            (format!("{field}-data"), encode_base64(&bytes))
        } else {
            let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            let own = folder(&path(args, io));
            (field.to_string(), place.strip_prefix(own.as_str()).unwrap_or(place).to_string())
        };
        for item in items.iter_mut().filter(|item| item["name"].str() == name) {
            item.remove(&[inner, field]);
            item.set(&[inner, &key], text.as_str());
        }
    }
    file.set(&[list], items);
    Ok(())
}

/// The program that fetches credentials.
fn exec(args: &Args, file: &mut Value, name: &str) -> Outcome {
    if args.get("exec-command").is_empty() {
        return Ok(());
    }
    let mut env = Vec::new();
    for pair in args.split("exec-env") {
        let Some((name, value)) = pair.split_once('=') else {
            match pair.strip_suffix('-') {
                Some(_) => continue,
                None => return fail(format!("error: invalid exec-env format: {pair}")),
            }
        };
        env.push(map! { "name" => name, "value" => value });
    }
    let words: Vec<Value> = args.split("exec-arg").into_iter().map(Value::text).collect();
    let or_null = |items: Vec<Value>| if items.is_empty() { Value::Null } else { Value::list(items) };
    let mode = Some(args.get("exec-interactive-mode")).filter(|mode| !mode.is_empty()).unwrap_or("IfAvailable");
    let mut exec = map! {
        "args" => or_null(words), "command" => args.get("exec-command"), "env" => or_null(env),
        "interactiveMode" => mode, "provideClusterInfo" => args.is("exec-provide-cluster-info"),
    };
    if !args.get("exec-api-version").is_empty() {
        exec.set(&["apiVersion"], args.get("exec-api-version"));
    }
    let mut items = file["users"].items().to_vec();
    for item in items.iter_mut().filter(|item| item["name"].str() == name) {
        item.set(&["user", "exec"], exec.clone());
    }
    file.set(&["users"], items);
    Ok(())
}

/// A file as kubectl writes it: every list, and the fields that are always there.
fn complete(mut file: Value) -> Value {
    file.set(&["apiVersion"], "v1");
    file.set(&["kind"], "Config");
    if file["current-context"].is_null() {
        file.set(&["current-context"], "");
    }
    for list in LISTS {
        let mut items = file[list].items().to_vec();
        items.sort_by(|a, b| a["name"].str().cmp(b["name"].str()));
        let inner = list.trim_end_matches('s');
        let always: &[&str] = match list {
            "clusters" => &["server"],
            "contexts" => &["cluster", "user"],
            _ => &[],
        };
        for item in &mut items {
            for field in always.iter().filter(|field| !item[inner].has(field)).collect::<Vec<_>>() {
                item.set(&[inner, field], "");
            }
        }
        file.set(&[list], if items.is_empty() { Value::Null } else { Value::list(items) });
    }
    file.remove(&["preferences"]);
    file
}

/// Writes what changed: an entry into the file it came from, a new one into the first file that exists.
fn save(args: &Args, io: &mut Io<'_, '_>, new: Value) {
    let Ok(old) = load(args, io) else { return };
    let default = path(args, io);
    let mut files: Vec<(String, Value)> = Vec::new();
    for place in paths(args, io) {
        let Ok(file) = read(&place, io) else { return };
        files.push((place, file.unwrap_or_default()));
    }
    let before = files.clone();
    let at_default = files.iter().position(|(place, _)| *place == default).unwrap_or_default();
    for list in LISTS {
        let names = |file: &Value| file[list].items().iter().map(|i| i["name"].str().to_string()).collect::<Vec<_>>();
        for name in names(&old).into_iter().chain(names(&new)) {
            let home = files.iter().position(|(_, file)| entry(file, list, &name).is_some()).unwrap_or(at_default);
            let Some((_, file)) = files.get_mut(home) else { continue };
            let mut items: Vec<Value> =
                file[list].items().iter().filter(|item| item["name"].str() != name).cloned().collect();
            items.extend(entry(&new, list, &name).cloned());
            file.set(&[list], items);
        }
    }
    let current = new["current-context"].str();
    if current != old["current-context"].str() {
        let home = files.iter().position(|(_, file)| current.is_empty() && !file["current-context"].str().is_empty());
        if let Some((_, file)) = files.get_mut(home.unwrap_or(at_default)) {
            file.set(&["current-context"], current);
        }
    }
    for (index, (place, file)) in files.into_iter().enumerate() {
        let untouched = before.get(index).is_some_and(|(_, was)| complete(was.clone()) == complete(file.clone()));
        if !untouched || place == default {
            write(io, &place, file);
        }
    }
}

fn write(io: &mut Io<'_, '_>, place: &str, file: Value) {
    let text = yaml_emit::emit(&complete(file));
    let now = io.sys.now;
    let cwd = io.sys.cwd.clone();
    if let Some((directory, _)) = place.rsplit_once('/')
        && !directory.is_empty()
    {
        let _ = io.sys.files.make_directories(now, &cwd, directory);
    }
    if let Err(error) = io.sys.files.write(now, &cwd, place, text.as_bytes()) {
        io.err(format!("error: open {place}: {}\n", error.text().to_lowercase()));
    }
}

fn get_contexts(args: &Args, io: &mut Io<'_, '_>, file: &Value) -> Outcome {
    let output = args.get("output");
    if !matches!(output, "" | "name") {
        return fail(format!(
            "--output {output} is not available in kubectl config get-contexts; resetting to default output format"
        ));
    }
    let mut failures = Vec::new();
    let mut contexts: Vec<&Value> = file["contexts"].items().iter().collect();
    contexts.sort_by(|a, b| a["name"].str().cmp(b["name"].str()));
    if !args.words.is_empty() {
        for name in &args.words {
            if !contexts.iter().any(|context| context["name"].str() == name) {
                failures.push(Failure::Plain(format!("context {name} not found")));
            }
        }
        contexts.retain(|context| args.words.iter().any(|name| context["name"].str() == name));
    }
    if output == "name" {
        for context in contexts {
            io.line(context["name"].str());
        }
        return crate::kubectl::select::finish(failures);
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    if !args.is("no-headers") {
        rows.push(["CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"].map(str::to_string).to_vec());
    }
    for context in contexts {
        let name = context["name"].str();
        let inner = &context["context"];
        let mark = if name == file["current-context"].str() { "*" } else { "" };
        let texts = [mark, name, inner["cluster"].str(), inner["user"].str(), inner["namespace"].str()];
        rows.push(texts.map(str::to_string).to_vec());
    }
    io.out(columns::table(&rows, &mut Vec::new()));
    crate::kubectl::select::finish(failures)
}

/// `config set a.b v` and `unset a.b`; names of entries stand where a list's index would.
fn property(args: &Args, io: &mut Io<'_, '_>, mut file: Value, set: bool) -> Outcome {
    let (name, value) = match args.words.as_slice() {
        [name, value] if set => (name.clone(), value.clone()),
        [name] if !set => (name.clone(), String::new()),
        _ => return wrong_words(args, io),
    };
    let parts: Vec<&str> = name.split('.').collect();
    match parts.as_slice() {
        ["current-context"] => {
            file.set(&["current-context"], value.as_str());
        }
        [list @ ("contexts" | "clusters" | "users"), rest @ ..] if !rest.is_empty() => {
            let inner = list.trim_end_matches('s');
            let mut items = file[*list].items().to_vec();
            let (field, key) = match rest {
                [only] => (None, only.to_string()),
                [middle @ .., last] => (Some(*last), middle.join(".")),
                [] => (None, String::new()),
            };
            if !set && (field.is_some() && !items.iter().any(|item| item["name"].str() == key)) {
                return fail(format!("current map key `{key}` is invalid"));
            }
            if !set && field.is_none() {
                items.retain(|item| item["name"].str() != key);
            } else if let Some(field) = field {
                if set && !items.iter().any(|item| item["name"].str() == key) {
                    items.push(map! { inner => map! {}, "name" => key.as_str() });
                }
                for item in items.iter_mut().filter(|item| item["name"].str() == key) {
                    if set {
                        item.set(&[inner, field], value.as_str());
                    } else {
                        item.remove(&[inner, field]);
                    }
                }
            }
            file.set(&[*list], items);
        }
        [list @ ("contexts" | "clusters" | "users")] if !set => {
            file.set(&[*list], list![]);
        }
        [first, ..] if set => {
            return fail(format!("unable to parse {name} after [] at api.Config").replace("nope", first));
        }
        _ => return fail(format!("current map key `{name}` is invalid")),
    }
    save(args, io, file);
    io.line(format!("Property \"{name}\" {}.", if set { "set" } else { "unset" }));
    Ok(())
}

fn view(args: &Args, io: &mut Io<'_, '_>, file: &Value) -> Outcome {
    if !args.words.is_empty() {
        return crate::kubectl::io::usage("config view", format!("unexpected arguments: [{}]", args.words.join(" ")));
    }
    let mut file = complete(file.clone());
    if args.is("minify") {
        let name = match args.get("context") {
            "" => file["current-context"].str().to_string(),
            flag => flag.to_string(),
        };
        let Some(context) = entry(&file, "contexts", &name).cloned() else {
            return fail(if name.is_empty() {
                "current-context must exist in order to minify".to_string()
            } else {
                format!("cannot locate context {name}")
            });
        };
        let inner = &context["context"];
        let keep = |list: &str, name: &str| entry(&file, list, name).map_or(Value::Null, |item| list![item]);
        let (clusters, users) = (keep("clusters", inner["cluster"].str()), keep("users", inner["user"].str()));
        file.set(&["clusters"], clusters);
        file.set(&["users"], users);
        file.set(&["contexts"], list![context.clone()]);
        file.set(&["current-context"], name);
    }
    if args.is("flatten") {
        for (list, fields) in
            [("clusters", &["certificate-authority"][..]), ("users", &["client-certificate", "client-key"][..])]
        {
            let inner = list.trim_end_matches('s');
            let mut items = file[list].items().to_vec();
            for item in &mut items {
                for field in fields {
                    let place = item[inner][*field].str().to_string();
                    if place.is_empty() {
                        continue;
                    }
                    let Ok(bytes) = io.read_file(&place) else {
                        return fail(format!("open {place}: no such file or directory"));
                    };
                    item.remove(&[inner, field]);
                    item.set(&[inner, &format!("{field}-data")], encode_base64(&bytes));
                }
            }
            if !items.is_empty() {
                file.set(&[list], items);
            }
        }
    }
    if !args.is("raw") {
        for (list, inner) in [("clusters", "cluster"), ("users", "user")] {
            let mut items = file[list].items().to_vec();
            for item in &mut items {
                for field in ["certificate-authority-data", "client-certificate-data", "client-key-data"] {
                    if item[inner].has(field) {
                        item.set(&[inner, field], "DATA+OMITTED");
                    }
                }
                for field in ["token", "password"] {
                    if item[inner].has(field) {
                        item.set(&[inner, field], "REDACTED");
                    }
                }
            }
            if !items.is_empty() {
                file.set(&[list], items);
            }
        }
    }
    match args.get("output") {
        "" | "yaml" => io.out(yaml_emit::emit(&file)),
        "json" => io.out(ordered::json(&file, Some(4)) + "\n"),
        _ => {
            let format = Format::read(args, io, false)?;
            print::object(&file, &format, args, io, &mut Vec::new(), true)?;
        }
    }
    Ok(())
}
