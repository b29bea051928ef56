//! `kubectl config`: reads and writes the kubeconfig file.

use crate::base::{Value, columns, json, yaml_emit};
use crate::kubectl::args::Args;
use crate::kubectl::config::{entry, load, path};
use crate::kubectl::help;
use crate::kubectl::io::{Failure, Io, Outcome, Stop, fail};
use crate::kubectl::manifest::gap;
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

fn complete(mut file: Value) -> Value {
    file.set(&["apiVersion"], "v1");
    file.set(&["kind"], "Config");
    if file["current-context"].is_null() {
        file.set(&["current-context"], "");
    }
    for list in ["clusters", "contexts", "users"] {
        if file[list].items().is_empty() {
            file.set(&[list], Value::Null);
        }
    }
    file.remove(&["preferences"]);
    file
}

fn save(args: &Args, io: &mut Io<'_, '_>, file: Value) {
    let place = path(args, io);
    let text = yaml_emit::emit(&complete(file));
    let now = io.sys.now;
    let cwd = io.sys.cwd.clone();
    if let Some((directory, _)) = place.rsplit_once('/')
        && !directory.is_empty()
    {
        let _ = io.sys.files.make_directories(now, &cwd, directory);
    }
    if let Err(error) = io.sys.files.write(now, &cwd, &place, text.as_bytes()) {
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
        "json" => {
            // The order of the keys is the Go struct's.
            let order = ["kind", "apiVersion", "clusters", "users", "contexts", "current-context"];
            let parts: Vec<String> = order
                .iter()
                .map(|key| {
                    let text = json::pretty(&file[*key], 4).replace('\n', "\n    ");
                    format!("    \"{key}\": {text}")
                })
                .collect();
            io.out(format!("{{\n{}\n}}\n", parts.join(",\n")));
        }
        _ => {
            let format = Format::read(args, io, false)?;
            print::object(&file, &format, args, io, &mut Vec::new(), true)?;
        }
    }
    Ok(())
}
