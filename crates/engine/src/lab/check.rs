//! A manifest read as it is being typed: what the reader of YAML, the server's decoder and its validation would say,
//! each at its place. It asks nobody: whether a name is taken or a quota is full shows only when it is applied.

use crate::api::decode::{FieldValidation, decode};
use crate::api::{defaults, object, schema, validation};
use crate::base::diagnostic::{Diagnostic, Place, Severity};

use crate::base::yaml::{self, Document};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Whether kubectl can read the text.
    pub is_readable: bool,
    /// Objects in it.
    pub objects: usize,
    pub problems: Vec<Diagnostic>,
}

/// Problems told at most.
const MOST: usize = 50;

#[inline(never)]
pub fn check(text: &str) -> Checked {
    let stream = yaml::read(text);
    let mut problems = Vec::new();
    for document in &stream.documents {
        look(document, &mut problems);
        if problems.len() >= MOST {
            break;
        }
    }
    problems.truncate(MOST);
    if let Some(error) = &stream.error {
        let mut told = error.diagnostic();
        // The place is told beside it; the line in these words is libyaml's, which counts another way.
        let words = told.message.trim_start_matches("error converting YAML to JSON: ");
        let words =
            words.strip_prefix("yaml: line ").and_then(|rest| rest.split_once(": ")).map_or(words, |(_, rest)| rest);
        told.message = words.to_string();
        problems.insert(0, told);
    }
    Checked { is_readable: stream.error.is_none(), objects: stream.documents.len(), problems }
}

fn look(document: &Document, problems: &mut Vec<Diagnostic>) {
    let sent = &document.value;
    let mut tell = |severity, path: &str, message: String| {
        let start = place(document, path);
        let end = Place { column: start.column.saturating_add(1), ..start };
        problems.push(Diagnostic { severity, start, end, message, hint: String::new() });
    };
    let (api_version, kind) = (sent["apiVersion"].str(), sent["kind"].str());
    if sent.as_map().is_none() {
        return tell(Severity::Error, "", "an object is a map with apiVersion, kind and metadata".into());
    }
    if api_version.is_empty() || kind.is_empty() {
        let missing = if kind.is_empty() { "kind" } else { "apiVersion" };
        return tell(Severity::Error, "", format!("{missing} not set"));
    }
    if kind == "List" {
        return;
    }
    let (group, version) = schema::group_version(api_version);
    let Some(known) = schema::kind(group, version, kind) else {
        let message = format!("no matches for kind \"{kind}\" in version \"{api_version}\"");
        return tell(Severity::Warning, "kind", message);
    };
    let mut decoded = match decode(group, version, kind, sent, FieldValidation::Warn) {
        Ok((decoded, unknown)) => {
            for message in unknown {
                let path = message.split('"').nth(1).unwrap_or_default().to_string();
                tell(Severity::Error, &path, message);
            }
            decoded
        }
        Err(message) => {
            // `… into Go struct field PodSpec.spec.containers.name of type …`: the path follows the struct's name.
            let path = message.split("struct field ").nth(1).and_then(|rest| rest.split(' ').next());
            let path = path.and_then(|path| path.split_once('.')).map_or("", |(_, path)| path).to_string();
            return tell(Severity::Error, &path, message);
        }
    };
    // Groups whose versions differ from what is stored are converted by the server only.
    let resource = known.qualified_resource();
    if known.namespaced && object::namespace(&decoded).is_empty() {
        decoded.set(&["metadata", "namespace"], "default");
    }
    if object::name(&decoded).is_empty() && !decoded.at(&["metadata", "generateName"]).is_empty() {
        let name = format!("{}x", decoded.at(&["metadata", "generateName"]).str());
        decoded.set(&["metadata", "name"], name);
    }
    defaults::apply(&resource, &mut decoded);
    for error in validation::create(&resource, &decoded) {
        tell(Severity::Error, &error.field, format!("{}: {}", error.field, error.body));
    }
}

/// The place of `spec.containers[0].name`, or of the nearest thing above it that is there.
fn place(document: &Document, path: &str) -> Place {
    let text = path.replace('[', ".").replace(']', "");
    let steps: Vec<&str> = text.split('.').filter(|step| !step.is_empty()).collect();
    let found = (0..=steps.len()).rev().find_map(|length| document.place(steps.get(..length)?));
    let (line, column) = found.unwrap_or((document.line, 1));
    Place { line, column }
}

/// Whether nothing is there to apply.
impl Checked {
    pub fn is_empty(&self) -> bool {
        self.is_readable && self.objects == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn told(text: &str, expected: &[&str]) {
        let checked = check(text);
        let lines: Vec<String> =
            checked.problems.iter().map(|it| format!("{}:{} {}", it.start.line, it.start.column, it.message)).collect();
        assert_eq!(lines, expected, "{text}");
    }

    #[test]
    fn each_reader_says_where() {
        let good =
            "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: a\n    image: b\n";
        told(good, &[]);
        told(
            &good.replace("image", "imgae"),
            &["7:5 unknown field \"spec.containers[0].imgae\"", "6:5 spec.containers[0].image: Required value"],
        );
        told(
            &good.replace("name: web", "name: Web"),
            &["3:12 metadata.name: Invalid value: \"Web\": a lowercase RFC 1123 subdomain must consist of lower case \
             alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. \
             'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"],
        );
        told(
            &good.replace("image: b", "ports: no"),
            &[
                "5:3 json: cannot unmarshal bool into Go struct field Container.spec.containers.ports of type []v1.ContainerPort",
            ],
        );
        told("a: 1\n", &["1:1 kind not set"]);
        told("kind: [\n", &["2:1 did not find expected node content"]);
        told("", &[]);
    }
}
