//! Objects from files, directories and standard input (`-f`, `-R`, `-k`).

use super::args::Args;
use super::io::{Failure, Io, Outcome, Stop, fail};
use super::kustomize::Build;
use super::mapper::{Mapper, Mapping};
use crate::api::decode;
use crate::base::{Value, json, yaml};

#[derive(Clone, Debug)]
pub struct Document {
    pub mapping: Mapping,
    pub object: Value,
    /// The file's name as errors show it; `STDIN` for standard input.
    pub source: String,
}

impl Document {
    pub fn name(&self) -> &str {
        self.object.at(&["metadata", "name"]).str()
    }

    pub fn namespace(&self, io: &Io<'_, '_>) -> String {
        match (self.mapping.namespaced, self.object.at(&["metadata", "namespace"]).str()) {
            (false, _) => String::new(),
            (true, "") => io.namespace.clone(),
            (true, own) => own.to_string(),
        }
    }

    /// `deployment.apps/web`
    pub fn title(&self) -> String {
        format!("{}/{}", self.mapping.word(), self.name())
    }
}

pub fn given(args: &Args) -> bool {
    !args.split("filename").is_empty() || !args.get("kustomize").is_empty()
}

/// Texts of the files named, in order.
fn texts(args: &Args, io: &mut Io<'_, '_>) -> Outcome<Vec<(String, String)>> {
    let files = args.split("filename");
    if !args.get("kustomize").is_empty() {
        if !files.is_empty() {
            return fail("only one of -f or -k can be specified");
        }
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for file in files {
        if file == "-" {
            out.push(("STDIN".to_string(), io.stdin()?));
        } else if file.starts_with("http://") || file.starts_with("https://") {
            return gap("files from the network", "save the file first and use -f FILE");
        } else if io.sys.files.is_directory(io.sys.cwd, &file) {
            let before = out.len();
            directory(io, &file, args.is("recursive"), 0, &mut out);
            if out.len() == before {
                let text = format!("error reading [{file}]: recognized file extensions are [.json .yaml .yml]");
                return fail(text);
            }
        } else {
            match if file == "/dev/null" { Ok(String::new()) } else { io.sys.files.read_text(io.sys.cwd, &file) } {
                Ok(text) => out.push((file, text)),
                Err(_) => return fail(format!("the path \"{file}\" does not exist")),
            }
        }
    }
    Ok(out)
}

fn directory(io: &Io<'_, '_>, path: &str, recursive: bool, depth: usize, out: &mut Vec<(String, String)>) {
    let mut names = io.sys.files.list(io.sys.cwd, path).unwrap_or_default();
    names.sort();
    for name in names {
        let full = format!("{}/{name}", path.trim_end_matches('/'));
        if io.sys.files.is_directory(io.sys.cwd, &full) {
            if recursive && depth < 20 {
                directory(io, &full, recursive, depth + 1, out);
            }
        } else if [".json", ".yaml", ".yml"].iter().any(|end| name.ends_with(end))
            && let Ok(text) = io.sys.files.read_text(io.sys.cwd, &full)
        {
            out.push((full, text));
        }
    }
}

pub fn gap<T>(what: &str, instead: &str) -> Outcome<T> {
    Err(Stop::Fail(vec![Failure::Full(crate::base::gap::line(what, instead))], 1))
}

/// Every object of the files that can be read, and the errors of those that cannot.
pub fn load(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<(Vec<Document>, Vec<Failure>)> {
    let (mut documents, mut failures) = (Vec::new(), Vec::new());
    for read in load_in_order(args, io, mapper)? {
        match read {
            Ok(document) => documents.push(document),
            Err(failure) => failures.push(failure),
        }
    }
    Ok((documents, failures))
}

/// The errors of the files beside those of the requests: what went wrong in reading is one error among others.
pub fn beside(errors: Vec<Failure>, others: &[Failure]) -> Vec<Failure> {
    if errors.len() < 2 || others.is_empty() {
        return errors;
    }
    let mut texts: Vec<&str> = errors.iter().map(Failure::text).collect();
    let mut seen = crate::base::BTreeSet::new();
    texts.retain(|text| seen.insert(*text));
    match texts.as_slice() {
        [one] => vec![Failure::Plain((*one).to_string())],
        all => vec![Failure::Plain(format!("[{}]", all.join(", ")))],
    }
}

/// The same, as they stand in the files.
pub fn load_in_order(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<Vec<Result<Document, Failure>>> {
    let mut read = Vec::new();
    // Verbs that send no whole object do not validate any.
    let validate = !matches!(args.get("validate"), "" | "false" | "ignore");
    let texts = texts(args, io)?;
    let folder = args.get("kustomize");
    if !folder.is_empty() {
        let (result, warnings) = Build::run(io, folder);
        for warning in warnings {
            io.err(format!("{warning}\n"));
        }
        match result {
            Ok(objects) => {
                for object in objects {
                    take(object, folder, validate, io, mapper, &mut read);
                }
            }
            Err(text) if text.starts_with("not simulated") => return super::io::fail_full(text),
            Err(text) => return fail(text),
        }
    }
    'files: for (source, text) in texts {
        let stream = yaml::read(&text);
        for document in stream.documents {
            take(document.value, &source, validate, io, mapper, &mut read);
            // What cannot be validated is the last that is read of a file.
            if matches!(read.last(), Some(Err(last)) if last.text().starts_with("error validating ")) {
                continue 'files;
            }
        }
        if let Some(error) = stream.error {
            read.push(Err(Failure::Plain(format!("error parsing {source}: {}", error.text))));
        }
    }
    Ok(read)
}

fn take(
    value: Value,
    source: &str,
    validate: bool,
    io: &Io<'_, '_>,
    mapper: &Mapper,
    read: &mut Vec<Result<Document, Failure>>,
) {
    match check(value, source, validate, io, mapper) {
        Ok(Checked::One(document)) => read.push(Ok(*document)),
        Ok(Checked::Many(items)) => {
            for item in items {
                take(item, source, validate, io, mapper, read);
            }
        }
        Err(text) => read.push(Err(Failure::Plain(text))),
    }
}

enum Checked {
    One(Box<Document>),
    Many(Vec<Value>),
}

fn check(value: Value, source: &str, validate: bool, io: &Io<'_, '_>, mapper: &Mapper) -> Result<Checked, String> {
    let invalid = |why: &str| {
        format!(
            "error validating \"{source}\": error validating data: {why}; if you choose to ignore these errors, turn \
             validation off with --validate=false"
        )
    };
    if value.as_map().is_none() {
        return Err(match validate {
            true => invalid("invalid object to validate"),
            false => format!(
                "unable to decode \"{source}\": json: cannot unmarshal {} into Go value of type unstructured.detector",
                value.type_name()
            ),
        });
    }
    let (kind, api_version) = (value["kind"].str().to_string(), value["apiVersion"].str().to_string());
    if validate {
        match (api_version.is_empty(), kind.is_empty()) {
            (true, true) => return Err(invalid("[apiVersion not set, kind not set]")),
            (true, false) => return Err(invalid("apiVersion not set")),
            (false, true) => return Err(invalid("kind not set")),
            _ => {}
        }
    }
    if kind.is_empty() {
        let text = json::compact(&value);
        return Err(format!("unable to decode \"{source}\": Object 'Kind' is missing in '{text}'"));
    }
    if let (Some(item_kind), Value::List(_)) = (kind.strip_suffix("List"), &value["items"]) {
        let complete = |item: &Value| {
            let mut item = item.clone();
            if !item_kind.is_empty() && item["kind"].is_null() {
                item.set(&["kind"], item_kind);
                item.set(&["apiVersion"], api_version.as_str());
            }
            item
        };
        return Ok(Checked::Many(value["items"].items().iter().map(complete).collect()));
    }
    if let Some(why) = bad_metadata(&value["metadata"]) {
        return Err(format!("unable to decode \"{source}\": {why}"));
    }
    let unversioned = || {
        // A kind of the core group without a version is looked for, under none, when it is asked for.
        let found = mapper.of_kind("v1", &kind).filter(|_| api_version.is_empty())?;
        Some(Mapping { version: String::new(), ..found.clone() })
    };
    let Some(mapping) = mapper.of_kind(&api_version, &kind).cloned().or_else(unversioned) else {
        let meta = &value["metadata"];
        return Err(format!(
            "resource mapping not found for name: \"{}\" namespace: \"{}\" from \"{source}\": no matches for kind \
             \"{kind}\" in version \"{api_version}\"\nensure CRDs are installed first",
            meta["name"].str(),
            meta["namespace"].str()
        ));
    };
    let mut object = value;
    if mapping.namespaced {
        let own = object.at(&["metadata", "namespace"]).str().to_string();
        if own.is_empty() {
            object.set(&["metadata", "namespace"], io.namespace.as_str());
        } else if io.namespace_forced && own != io.namespace {
            return Err(format!(
                "the namespace from the provided object \"{own}\" does not match the namespace \"{}\". You must pass \
                 '--namespace={own}' to perform this operation.",
                io.namespace
            ));
        }
    }
    Ok(Checked::One(Box::new(Document { mapping, object, source: source.to_string() })))
}

/// Why metadata cannot be read: it has one form for all kinds, known or not.
fn bad_metadata(metadata: &Value) -> Option<String> {
    if metadata.is_null() {
        return None;
    }
    if metadata.as_map().is_none() {
        let what = metadata.type_name();
        return Some(format!(
            "json: cannot unmarshal {what} into Go struct field metadataOnlyObject.metadata of type v1.ObjectMeta"
        ));
    }
    let any = crate::map! { "metadata" => metadata.clone() };
    decode::decode("", "v1", "ConfigMap", &any, decode::FieldValidation::Ignore).err()
}
