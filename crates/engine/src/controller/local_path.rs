//! local-path-provisioner, as kind and k3s run it: a program in a pod that makes a directory on the chosen node for each
//! claim of the provisioner `rancher.io/local-path`, and takes it away with the volume. A helper pod does the work on
//! the node. Nothing happens while no pod of the provisioner is ready.
//!
//! Left out: paths of its own for single nodes, shared file systems, its leader election.

use crate::api::claims::{self, SELECTED_NODE};
use crate::api::object;
use crate::api::resource::{CONFIG_MAPS, EVENTS, PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, STORAGE_CLASSES};
use crate::base::{SmolStr, Span, Time, Value, json, yaml};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::store::{Change, Key};
use crate::{list, map};

use super::pods;

const PROVISIONER: &str = "rancher.io/local-path";
const STORAGE_PROVISIONER: &str = "volume.kubernetes.io/storage-provisioner";
const PROVISIONED_BY: &str = "pv.kubernetes.io/provisioned-by";
const NODE: &str = "local.path.provisioner/selected-node";
const MODES: &str = "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes";

#[derive(Clone, Debug, Default)]
pub struct LocalPath;

#[derive(Clone, Debug)]
pub struct Inputs {
    /// The claim to be given a volume, or the volume that is to go.
    object: Value,
    class: Value,
    /// The provisioner's pod and its configuration.
    program: Value,
    config: Value,
    helper: Value,
    now: Time,
}

fn is_program(pod: &Value) -> bool {
    object::label(pod, "app") == "local-path-provisioner"
}

/// What the helper pod is to do.
fn verb(object: &Value) -> &'static str {
    if object["kind"].str() == "PersistentVolume" { "delete" } else { "create" }
}

/// The name of the volume of a claim.
fn volume_name(object: &Value) -> String {
    match verb(object) {
        "delete" => object::name(object).to_owned(),
        _ => format!("pvc-{}", object::uid(object)),
    }
}

fn wants(object: &Value) -> bool {
    if verb(object) == "delete" {
        return object::annotation(object, PROVISIONED_BY) == PROVISIONER
            && object["status"]["phase"].str() == "Released"
            && object["spec"]["persistentVolumeReclaimPolicy"].str() == "Delete"
            && !object::is_deleting(object);
    }
    object::annotation(object, STORAGE_PROVISIONER) == PROVISIONER
        && object["spec"]["volumeName"].is_empty()
        && !object::annotation(object, SELECTED_NODE).is_empty()
        && !object::is_deleting(object)
}

impl Reconciler for LocalPath {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        let is_storage = change.key.resource == PERSISTENT_VOLUME_CLAIMS || change.key.resource == PERSISTENT_VOLUMES;
        if is_storage {
            if !change.after.is_null() && wants(&change.after) {
                add(change.key.clone(), Span::ZERO);
            }
        } else if change.key.resource == PODS {
            let pod = &change.after;
            // A helper is done, or the program has come up.
            let ended = object::is_finished(pod) && !object::is_finished(&change.before);
            let is_helper = change.key.name.starts_with("helper-pod-");
            let started = is_program(pod) && pods::is_ready(pod) && !pods::is_ready(&change.before);
            if (ended && is_helper) || started {
                for resource in ["persistentvolumeclaims", "persistentvolumes"] {
                    for (key, _) in see.list(resource, None).filter(|(_, object)| wants(object)) {
                        add(key.clone(), Span::ZERO);
                    }
                }
            }
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let object = see.get(key).filter(|object| wants(object))?.clone();
        let (_, program) = see.list("pods", None).find(|(_, pod)| is_program(pod) && pods::is_ready(pod))?;
        let namespace = object::namespace(program);
        let name = volume_name(&object);
        if verb(&object) == "create" && see.find(&PERSISTENT_VOLUMES, "", &name).is_some() {
            return None;
        }
        let helper = see.find(&PODS, namespace, &helper_name(&object)).cloned().unwrap_or_default();
        let class = see.find(&STORAGE_CLASSES, "", claims::class(&object)).cloned().unwrap_or_default();
        let config = see.find(&CONFIG_MAPS, namespace, "local-path-config").cloned().unwrap_or_default();
        Some(Inputs { object, class, program: program.clone(), config, helper, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let Inputs { object, helper, .. } = inputs;
        if verb(object) == "create" && !inputs.is_for_one_node() {
            let class = object::name(&inputs.class);
            let text = format!("failed to provision volume with StorageClass \"{class}\": {MODES}");
            inputs.say(io, "Warning", "ProvisioningFailed", &text)?;
            return Err(Stop::Retry(MODES.into()));
        }
        if helper.is_null() {
            if verb(object) == "create" {
                let whose = format!("{}/{}", object::namespace(object), object::name(object));
                let text = format!("External provisioner is provisioning volume for claim \"{whose}\"");
                inputs.say(io, "Normal", "Provisioning", &text)?;
            }
            let answer = io.send(io.client.create(&PODS, object::namespace(&inputs.program), inputs.helper_pod()))?;
            return match answer.ok() || answer.value()["reason"].str() == "AlreadyExists" {
                true => Ok(()),
                false => Err(Stop::Retry(answer.value()["message"].str().into())),
            };
        }
        if !object::is_finished(helper) || object::is_deleting(helper) {
            return Ok(());
        }
        let delete = io.client.delete(&PODS, object::namespace(helper), object::name(helper), Value::Null);
        io.send(delete)?;
        if helper["status"]["phase"].str() != "Succeeded" {
            return Err(Stop::Retry("the helper pod failed".into()));
        }
        let name = volume_name(object);
        if verb(object) == "delete" {
            io.send(io.client.delete(&PERSISTENT_VOLUMES, "", &name, Value::Null))?;
            return Ok(());
        }
        io.must(io.client.create(&PERSISTENT_VOLUMES, "", inputs.volume(&name)))?;
        inputs.say(io, "Normal", "ProvisioningSucceeded", &format!("Successfully provisioned volume {name}"))
    }
}

fn helper_name(object: &Value) -> String {
    format!("helper-pod-{}-{}", verb(object), volume_name(object))
}

impl Inputs {
    fn is_for_one_node(&self) -> bool {
        let modes = self.object["spec"]["accessModes"].items();
        modes.iter().all(|mode| matches!(mode.str(), "ReadWriteOnce" | "ReadWriteOncePod"))
    }

    fn node(&self) -> SmolStr {
        match verb(&self.object) {
            "delete" => object::annotation(&self.object, NODE).into(),
            _ => object::annotation(&self.object, SELECTED_NODE).into(),
        }
    }

    /// The directory all volumes lie in.
    fn base(&self) -> SmolStr {
        let config = json::parse(self.config["data"]["config.json"].str()).unwrap_or_default();
        let paths = config["nodePathMap"].items().first().and_then(|map| map["paths"].items().first().cloned());
        paths.map_or_else(|| SmolStr::new_static(&"/opt/local-path-provisioner"), |path| path.smol())
    }

    fn path(&self) -> String {
        let spec = &self.object["spec"];
        match verb(&self.object) {
            "delete" => {
                let path = |kind: &str| spec[kind]["path"].str().to_owned();
                let host = path("hostPath");
                if host.is_empty() { path("local") } else { host }
            }
            _ => {
                let (namespace, name) = (object::namespace(&self.object), object::name(&self.object));
                format!("{}/{}_{namespace}_{name}", self.base(), volume_name(&self.object))
            }
        }
    }

    /// The pod that makes or removes the directory on its node.
    fn helper_pod(&self) -> Value {
        let manifest = yaml::parse_documents(self.config["data"]["helperPod.yaml"].str()).unwrap_or_default();
        let manifest = manifest.into_iter().next().map(|one| one.value).unwrap_or_default();
        let mut container = manifest["spec"]["containers"].items().first().cloned().unwrap_or_default();
        let script = if verb(&self.object) == "delete" { "teardown" } else { "setup" };
        container.set(&["command"], list!["/bin/sh", format!("/script/{script}")]);
        let base = self.base();
        let size = crate::base::quantity::Quantity::of(self.object.at(&["spec", "resources", "requests", "storage"]));
        let variables = [
            ("VOL_DIR", self.path()),
            ("VOL_MODE", self.object["spec"]["volumeMode"].as_str().unwrap_or("Filesystem").to_owned()),
            ("VOL_SIZE_BYTES", size.value().to_string()),
        ];
        let env = variables.into_iter().map(|(name, value)| map! { "name" => name, "value" => value });
        container.set(&["env"], env.collect::<Vec<Value>>());
        container.set(
            &["volumeMounts"],
            list![
                map! { "mountPath" => "/script", "name" => "script" },
                map! { "mountPath" => &base, "name" => "data" }
            ],
        );
        container.set(&["securityContext"], map! { "privileged" => true });
        let item = |key: &str| map! { "key" => key, "path" => key };
        let volumes = list![
            map! { "name" => "data", "hostPath" => map! { "path" => &base, "type" => "DirectoryOrCreate" } },
            map! { "name" => "script", "configMap" => map! {
                "name" => "local-path-config", "items" => list![item("setup"), item("teardown")],
            } }
        ];
        map! {
            "apiVersion" => "v1", "kind" => "Pod",
            "metadata" => map! {
                "name" => helper_name(&self.object), "namespace" => object::namespace(&self.program),
            },
            "spec" => map! {
                "containers" => vec![container], "nodeName" => self.node(), "restartPolicy" => "Never",
                "serviceAccountName" => self.program["spec"].get("serviceAccountName"),
                "tolerations" => list![map! { "operator" => "Exists" }], "volumes" => volumes,
            },
        }
    }

    fn volume(&self, name: &str) -> Value {
        let spec = &self.object["spec"];
        let node = self.node();
        let local = object::annotation(&self.class, "defaultVolumeType") == "local";
        let (kind, source) = match local {
            true => ("local", map! { "path" => self.path() }),
            false => ("hostPath", map! { "path" => self.path(), "type" => "DirectoryOrCreate" }),
        };
        let rule = map! { "key" => "kubernetes.io/hostname", "operator" => "In", "values" => list![&node] };
        let term = map! { "matchExpressions" => vec![rule] };
        let mut body = map! {
            "accessModes" => spec.get("accessModes"),
            "capacity" => map! { "storage" => spec.at(&["resources", "requests", "storage"]) },
            "claimRef" => claims::reference(self.object.get("metadata")), kind => source,
            "nodeAffinity" => map! { "required" => map! { "nodeSelectorTerms" => vec![term] } },
            "persistentVolumeReclaimPolicy" => self.class["reclaimPolicy"].as_str().unwrap_or("Delete"),
            "storageClassName" => object::name(&self.class),
            "volumeMode" => spec["volumeMode"].as_str().unwrap_or("Filesystem"),
        };
        if !self.class["mountOptions"].is_empty() {
            body.set(&["mountOptions"], self.class.get("mountOptions"));
        }
        map! {
            "apiVersion" => "v1", "kind" => "PersistentVolume",
            "metadata" => map! {
                "name" => name, "annotations" => map! { NODE => &node, PROVISIONED_BY => PROVISIONER },
            },
            "spec" => body,
        }
    }

    /// An event on the claim, in the name of the program's pod.
    fn say(&self, io: &mut Io<'_>, kind: &str, reason: &str, message: &str) -> Result<(), Stop> {
        let (claim, program) = (&self.object, &self.program);
        let identity = crate::runtime::hex64(object::uid(program));
        let part = |from: usize, to: usize| identity.get(from..to).unwrap_or_default();
        let identity = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-");
        let component = format!("{PROVISIONER}_{}_{identity}", object::name(program));
        let namespace = object::namespace(claim);
        let name = format!("{}.{:x}{:02x}", object::name(claim), self.now.0.saturating_mul(1000), reason.len());
        let event = map! {
            "apiVersion" => "v1", "kind" => "Event", "metadata" => map! { "name" => name, "namespace" => namespace },
            "involvedObject" => map! {
                "apiVersion" => "v1", "kind" => "PersistentVolumeClaim", "name" => object::name(claim),
                "namespace" => namespace, "uid" => object::uid(claim),
                "resourceVersion" => claim.at(&["metadata", "resourceVersion"]),
            },
            "reason" => reason, "message" => message, "source" => map! { "component" => &component }, "type" => kind,
            "firstTimestamp" => io.now().rfc3339(), "lastTimestamp" => io.now().rfc3339(), "count" => 1,
            "eventTime" => Value::Null, "reportingComponent" => &component, "reportingInstance" => "",
        };
        io.send(io.client.create(&EVENTS, namespace, event)).map(|_| ())
    }
}
