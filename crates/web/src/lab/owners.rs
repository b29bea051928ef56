//! Who owns the fields of a manifest, line by line: the field managers of the live objects, at the places the text has
//! for their fields.

use engine::api::{object, schema};
use engine::base::yaml::{self, Document};
use engine::base::{BTreeMap, Value};
use engine::trace::ObjectRef;

use super::inspect::{Row, Writer, inspect};

/// Longer texts have no owners shown: they are looked at whenever the world changes.
const MOST_TEXT: usize = 64 << 10;
const MOST_LINES: usize = 1_000;

/// Lines (from 1) with those who wrote what stands there.
pub type Owners = Vec<(u32, Vec<Writer>)>;

/// A live object by resource, namespace and name.
type Live<'a> = &'a dyn Fn(&str, &str, &str) -> Option<Value>;

pub fn owners(text: &str, live: Live<'_>) -> Owners {
    let mut lines: BTreeMap<u32, Vec<Writer>> = BTreeMap::new();
    if text.len() > MOST_TEXT {
        return Vec::new();
    }
    for document in &yaml::read(text).documents {
        let Some((reference, object)) = find(&document.value, live) else { continue };
        let it = inspect(&reference, &object, false);
        for row in it.spec.iter().filter(|row| !row.writers.is_empty()) {
            let Some(line) = place(document, row) else { continue };
            let all = lines.entry(line).or_default();
            for writer in &row.writers {
                if !all.contains(writer) {
                    all.push(writer.clone());
                }
            }
        }
    }
    lines.into_iter().take(MOST_LINES).collect()
}

/// The live object that a document is about.
fn find(sent: &Value, live: Live<'_>) -> Option<(ObjectRef, Value)> {
    let (group, version) = schema::group_version(sent["apiVersion"].str());
    let known = schema::kind(group, version, sent["kind"].str())?;
    let resource = known.qualified_resource();
    let namespace = match object::namespace(sent) {
        _ if !known.namespaced => "",
        "" => "default",
        namespace => namespace,
    };
    let it = live(&resource, namespace, object::name(sent))?;
    Some((object::reference(&resource, &it), it))
}

/// The line of a field that the text has.
fn place(document: &Document, row: &Row) -> Option<u32> {
    let steps: Vec<&str> = row.path.split('.').collect();
    let value = steps.iter().try_fold(&document.value, |value, step| match value.as_list() {
        Some(items) => items.get(step.parse::<usize>().ok()?),
        None => Some(&value[*step]).filter(|value| !value.is_null()),
    });
    value?;
    document.place(&steps).map(|(line, _)| line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::base::Span;
    use engine::cluster::{Preset, Setup};
    use engine::lab::{Input, Lab};

    const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  selector:\n    \
         matchLabels: {app: web}\n  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      containers:\n      \
         - name: nginx\n        image: nginx:1.29\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: not-there}\nspec: {nodeName: a}\n";

    /// Owners as letters: `6 K`.
    fn letters(owners: &Owners) -> Vec<String> {
        let line = |(line, writers): &(u32, Vec<Writer>)| {
            format!("{line} {}", writers.iter().map(|writer| writer.letter).collect::<String>())
        };
        owners.iter().map(line).collect()
    }

    #[test]
    fn each_line_of_a_live_object_has_its_writers() {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        let look = |lab: &Lab, text: &str| {
            letters(&owners(text, &|resource, namespace, name| {
                let is_it = |it: &Value| (object::namespace(it), object::name(it)) == (namespace, name);
                lab.objects(resource).into_iter().find(is_it)
            }))
        };
        assert!(look(&lab, WEB).is_empty());
        lab.input(Input::WriteFile { path: "web.yaml".into(), text: WEB.into() });
        let run = |lab: &mut Lab, line: &str| {
            lab.input(Input::Line(line.into()));
            lab.advance(lab.now() + Span::seconds(5), u64::MAX);
        };
        run(&mut lab, "kubectl apply --server-side -f web.yaml");
        assert_eq!(look(&lab, WEB), ["6 K", "8 K", "12 K", "15 K", "16 K"]);
        run(
            &mut lab,
            "kubectl apply --server-side --field-manager=autoscaler --force-conflicts -f - <<< \
             'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}'",
        );
        assert_eq!(look(&lab, WEB), ["6 A", "8 K", "12 K", "15 K", "16 K"]);
        run(&mut lab, "kubectl scale deployment web --replicas=2");
        assert_eq!(look(&lab, WEB), ["6 K", "8 K", "12 K", "15 K", "16 K"]);
        for broken in ["", "kind: [", "a: 1", "apiVersion: v1\nkind: Pod\n", "\u{0}"] {
            assert!(look(&lab, broken).is_empty(), "{broken}");
        }
    }
}
