//! The namespace controller: empties a namespace that is being deleted, pods first, and then lets it go.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use crate::api::object;
use crate::api::resource::{NAMESPACES, PODS, path_of};
use crate::base::http::Request;
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

/// After every event of a namespace.
const WAIT: Span = Span::seconds(5);

#[derive(Clone, Debug, Default)]
pub struct Namespace;

#[derive(Clone, Debug)]
pub struct Inputs {
    namespace: Value,
    content: Vec<(Key, Value)>,
    now: Time,
}

/// What a pass leaves behind.
#[derive(Default)]
struct Left {
    resources: BTreeMap<SmolStr, usize>,
    finalizers: BTreeMap<SmolStr, usize>,
}

impl Reconciler for Namespace {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == NAMESPACES && object::is_deleting(&change.after) {
            add(change.key.clone(), WAIT);
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let namespace = see.get(key).filter(|namespace| object::is_deleting(namespace))?.clone();
        let content = see.in_namespace(&key.name).map(|(key, object)| (key.clone(), object.clone())).collect();
        Some(Inputs { namespace, content, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let namespace = &inputs.namespace;
        if namespace["spec"]["finalizers"].is_empty() {
            return Ok(());
        }
        let (pods, others): (Vec<_>, Vec<_>) = inputs.content.iter().partition(|(key, _)| key.resource == PODS);
        if !pods.is_empty() {
            delete(&pods, io)?;
            self.report(inputs, &Left::default(), io)?;
            // Pods that take their time are looked at again after half of it.
            let grace = pods.iter().map(|(_, pod)| pod["spec"]["terminationGracePeriodSeconds"].int()).max();
            let again = Span::seconds(grace.unwrap_or(0) / 2 + 1);
            io.again_after(if again < WAIT { again } else { WAIT });
            return Ok(());
        }
        let answers = delete(&others, io)?;
        let mut left = Left::default();
        for ((key, _), answer) in others.iter().zip(answers) {
            let finalizers = answer["metadata"]["finalizers"].items();
            if !finalizers.is_empty() {
                *left.resources.entry(key.resource.clone()).or_default() += 1;
                for finalizer in finalizers {
                    *left.finalizers.entry(finalizer.smol()).or_default() += 1;
                }
            }
        }
        let namespace = self.report(inputs, &left, io)?;
        if !left.resources.is_empty() {
            io.again_after(WAIT);
            return Ok(());
        }
        let mut namespace = namespace;
        namespace.remove(&["spec", "finalizers"]);
        io.must(io.client.update(&NAMESPACES, "finalize", namespace)).map(drop)
    }
}

/// Deletes side by side; gives the answers' objects.
fn delete(objects: &[&(Key, Value)], io: &mut Io<'_>) -> Result<Vec<Value>, Stop> {
    let request = |(key, object): &(Key, Value)| {
        let mut request = request(io, key, object);
        request.path = path_of(object, key);
        request
    };
    let requests = objects.iter().map(|one| request(one)).collect();
    let answers = io.send_all(requests)?;
    Ok(answers.iter().map(|answer| if answer.ok() { answer.value().clone() } else { Value::Null }).collect())
}

fn request(io: &Io<'_>, key: &Key, object: &Value) -> Request {
    match object::is_deleting(object) {
        true => io.client.get(&key.resource, &key.namespace, &key.name),
        false => {
            let options = map! { "kind" => "DeleteOptions", "apiVersion" => "v1", "propagationPolicy" => "Background" };
            io.client.delete(&key.resource, &key.namespace, &key.name, options)
        }
    }
}

impl Namespace {
    /// Writes the five conditions where they changed.
    fn report(&self, inputs: &Inputs, left: &Left, io: &mut Io<'_>) -> Result<Value, Stop> {
        let resources: Vec<String> = left
            .resources
            .iter()
            .map(|(resource, count)| {
                let dot = if resource.contains('.') { "" } else { "." };
                format!("{resource}{dot} has {count} resource instances")
            })
            .collect();
        let finalizers: Vec<String> =
            left.finalizers.iter().map(|(name, count)| format!("{name} in {count} resource instances")).collect();
        let remaining = match resources.is_empty() {
            true => ("False", "ContentRemoved", "All content successfully removed".to_owned()),
            false => ("True", "SomeResourcesRemain", format!("Some resources are remaining: {}", resources.join(", "))),
        };
        let held = match finalizers.is_empty() {
            true => ("False", "ContentHasNoFinalizers", "All content-preserving finalizers finished".to_owned()),
            false => {
                let text = format!("Some content in the namespace has finalizers remaining: {}", finalizers.join(", "));
                ("True", "SomeFinalizersRemain", text)
            }
        };
        let fine = |reason: &'static str, text: &str| ("False", reason, text.to_owned());
        let wanted = [
            ("NamespaceDeletionDiscoveryFailure", fine("ResourcesDiscovered", "All resources successfully discovered")),
            (
                "NamespaceDeletionGroupVersionParsingFailure",
                fine("ParsedGroupVersions", "All legacy kube types successfully parsed"),
            ),
            (
                "NamespaceDeletionContentFailure",
                fine("ContentDeleted", "All content successfully deleted, may be waiting on finalization"),
            ),
            ("NamespaceContentRemaining", remaining),
            ("NamespaceFinalizersRemaining", held),
        ];
        let mut namespace = inputs.namespace.clone();
        let mut conditions = Vec::new();
        for (kind, (status, reason, message)) in wanted {
            let old = object::condition(&namespace, kind);
            let since = old.filter(|old| old["status"].str() == status).map(|old| old["lastTransitionTime"].clone());
            conditions.push(map! {
                "type" => kind, "status" => status, "reason" => reason, "message" => message,
                "lastTransitionTime" => since.unwrap_or_else(|| Value::from(inputs.now.rfc3339())),
            });
        }
        if namespace["status"]["conditions"].items() == conditions {
            return Ok(namespace);
        }
        namespace.set(&["status", "conditions"], conditions);
        io.must(io.client.update(&NAMESPACES, "status", namespace))
    }
}
