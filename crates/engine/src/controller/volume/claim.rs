//! One sync of a claim.

use crate::base::SmolStr;

use super::{BIND_COMPLETED, FINALIZER, HOST_PATH, PERIOD, PROVISIONED_BY, set_phase, write};
use crate::api::claims::{self, BOUND_BY_CONTROLLER, SELECTED_NODE};
use crate::api::object;
use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES};
use crate::base::{Span, Time, Value};
use crate::informer::{EventType, Io, Stop};
use crate::map;

const PROVISIONER: &str = "volume.kubernetes.io/storage-provisioner";
const OLD_PROVISIONER: &str = "volume.beta.kubernetes.io/storage-provisioner";

#[derive(Clone, Debug)]
pub struct Inputs {
    pub claim: Value,
    /// Null when the class does not exist.
    pub class: Value,
    pub volumes: Vec<Value>,
    /// Pods that name the claim and have no node yet.
    pub pods: Vec<SmolStr>,
    pub now: Time,
}

pub fn sync(inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
    let claim = &inputs.claim;
    if claim["metadata"]["annotations"].has(BIND_COMPLETED) {
        return check_bound(inputs, io);
    }
    io.again_after((inputs.now.next_on_grid(PERIOD, Span::ZERO) - inputs.now).max(Span::millis(1)));
    let wanted = claim["spec"]["volumeName"].str();
    if !wanted.is_empty() {
        return ask_for(inputs, wanted, io);
    }
    let waits = claims::waits(&inputs.class);
    if let Some(volume) = claims::find(claim, inputs.volumes.iter(), None, waits, &[]) {
        return bind(inputs, volume, claim, io);
    }
    let class = claims::class(claim);
    if waits && !claim["metadata"]["annotations"].has(SELECTED_NODE) {
        let (reason, text) = match inputs.pods.as_slice() {
            [] => ("WaitForFirstConsumer", "waiting for first consumer to be created before binding".to_owned()),
            [one] => ("WaitForPodScheduled", format!("waiting for pod {one} to be scheduled")),
            several => ("WaitForPodScheduled", format!("waiting for pods {} to be scheduled", several.join(","))),
        };
        io.event(claim, EventType::Normal, reason, text);
        return Ok(());
    }
    if class.is_empty() {
        let text = "no persistent volumes available for this claim and no storage class is set";
        io.event(claim, EventType::Normal, "FailedBinding", text);
        return Ok(());
    }
    provision(inputs, io)
}

/// The claim names its volume.
fn ask_for(inputs: &Inputs, wanted: &str, io: &mut Io<'_>) -> Result<(), Stop> {
    let claim = &inputs.claim;
    let Some(volume) = inputs.volumes.iter().find(|volume| object::name(volume) == wanted) else { return Ok(()) };
    if claims::belongs_to(volume, claim) {
        return bind(inputs, volume, claim, io);
    }
    if !volume["spec"]["claimRef"].is_null() {
        let text = format!("volume \"{wanted}\" already bound to a different claim.");
        io.event(claim, EventType::Warning, "FailedBinding", text);
        return Ok(());
    }
    let mismatch = if !claims::is_large_enough(volume, claim) {
        Some("requested PV is too small")
    } else if claims::class(volume) != claims::class(claim) {
        Some("storageClassName does not match")
    } else if !claims::same_mode(volume, claim) {
        Some("incompatible volumeMode")
    } else if !claims::grants(volume, claim) {
        Some("incompatible accessMode")
    } else {
        None
    };
    match mismatch {
        Some(why) => {
            let text = format!("Cannot bind to requested volume \"{wanted}\": {why}");
            io.event(claim, EventType::Warning, "VolumeMismatch", text);
            Ok(())
        }
        None => bind(inputs, volume, claim, io),
    }
}

/// All writes of a binding that are still to be done.
fn bind(inputs: &Inputs, volume: &Value, claim: &Value, io: &mut Io<'_>) -> Result<(), Stop> {
    let mut volume = volume.clone();
    if volume["spec"]["claimRef"]["uid"].is_empty() {
        let promised = claims::promise(&volume, claim);
        volume = io.must(io.client.update(&PERSISTENT_VOLUMES, "", promised))?;
    }
    volume = set_phase(&volume, "Bound", "", inputs.now, io)?;
    let mut claim = claim.clone();
    let name = object::name(&volume).to_owned();
    let mut new = claim.clone();
    if new["spec"]["volumeName"].str() != name {
        new.set(&["spec", "volumeName"], &*name);
        new.set(&["metadata", "annotations", BOUND_BY_CONTROLLER], "yes");
    }
    new.set(&["metadata", "annotations", BIND_COMPLETED], "yes");
    if new != claim {
        claim = io.must(io.client.update(&PERSISTENT_VOLUME_CLAIMS, "", new))?;
    }
    let mut new = claim.clone();
    new.set(&["status", "phase"], "Bound");
    new.set(&["status", "accessModes"], volume["spec"].get("accessModes"));
    if claim["status"]["phase"].str() != "Bound" {
        new.set(&["status", "capacity"], map! { "storage" => volume.at(&["spec", "capacity", "storage"]) });
    }
    if new["status"] != claim["status"] {
        write(io.client.update(&PERSISTENT_VOLUME_CLAIMS, "status", new), io)?;
    }
    Ok(())
}

fn check_bound(inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
    let claim = &inputs.claim;
    let name = claim["spec"]["volumeName"].str();
    let volume = inputs.volumes.iter().find(|volume| object::name(volume) == name);
    let (reason, text) = match volume {
        Some(volume) if volume["spec"]["claimRef"].is_null() || claims::belongs_to(volume, claim) => {
            return bind(inputs, volume, claim, io);
        }
        Some(_) => ("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly"),
        None if name.is_empty() => {
            ("ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!")
        }
        None => ("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!"),
    };
    if claim["status"]["phase"].str() == "Lost" {
        return Ok(());
    }
    let mut new = claim.clone();
    new.set(&["status", "phase"], "Lost");
    new.remove(&["status", "accessModes"]);
    new.remove(&["status", "capacity"]);
    write(io.client.update(&PERSISTENT_VOLUME_CLAIMS, "status", new), io)?;
    io.event(claim, EventType::Warning, reason, text);
    Ok(())
}

fn provision(inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
    let mut claim = inputs.claim.clone();
    if object::is_deleting(&claim) {
        return Ok(());
    }
    if inputs.class.is_null() {
        let text = format!("storageclass.storage.k8s.io \"{}\" not found", claims::class(&claim));
        io.event(&claim, EventType::Warning, "ProvisioningFailed", text);
        return Ok(());
    }
    let provisioner = inputs.class["provisioner"].str();
    if provisioner.starts_with("kubernetes.io/") && provisioner != HOST_PATH {
        let text = format!("no volume plugin matched name: {provisioner}");
        io.event(&claim, EventType::Warning, "ProvisioningFailed", text);
        return Ok(());
    }
    if object::annotation(&claim, PROVISIONER) != provisioner {
        claim.set(&["metadata", "annotations", OLD_PROVISIONER], provisioner);
        claim.set(&["metadata", "annotations", PROVISIONER], provisioner);
        claim = io.must(io.client.update(&PERSISTENT_VOLUME_CLAIMS, "", claim))?;
    }
    if provisioner != HOST_PATH {
        let text = format!(
            "Waiting for a volume to be created either by the external provisioner '{provisioner}' or manually by the \
             system administrator. If volume creation is delayed, please verify that the provisioner is running and \
             correctly registered."
        );
        io.event(&claim, EventType::Normal, "ExternalProvisioning", text);
        return Ok(());
    }
    let name = format!("pvc-{}", object::uid(&claim));
    if inputs.volumes.iter().any(|volume| object::name(volume) == name) {
        return Ok(());
    }
    let answer = io.send(io.client.create(&PERSISTENT_VOLUMES, "", host_path(&claim, &inputs.class, &name)))?;
    if !answer.ok() {
        return Err(Stop::Retry(answer.value()["message"].str().into()));
    }
    let text = format!("Successfully provisioned volume {name} using {provisioner}");
    io.event(&claim, EventType::Normal, "ProvisioningSucceeded", text);
    Ok(())
}

/// A directory of the control plane's machine, as the host-path plugin makes them.
fn host_path(claim: &Value, class: &Value, name: &str) -> Value {
    let folder = crate::runtime::hex64(name);
    let part = |from: usize, to: usize| folder.get(from..to).unwrap_or_default();
    let folder = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-");
    let mut spec = map! {
        "accessModes" => claim["spec"].get("accessModes"),
        "capacity" => map! { "storage" => claim.at(&["spec", "resources", "requests", "storage"]) },
        "claimRef" => claims::reference(claim.get("metadata")),
        "hostPath" => map! { "path" => format!("/tmp/hostpath_pv/{folder}"), "type" => "" },
        "persistentVolumeReclaimPolicy" => class["reclaimPolicy"].as_str().unwrap_or("Delete"),
        "storageClassName" => object::name(class),
        "volumeMode" => claim["spec"]["volumeMode"].as_str().unwrap_or("Filesystem"),
    };
    if !class["mountOptions"].is_empty() {
        spec.set(&["mountOptions"], class.get("mountOptions"));
    }
    map! {
        "apiVersion" => "v1", "kind" => "PersistentVolume",
        "metadata" => map! {
            "name" => name, "finalizers" => vec![Value::from(FINALIZER)],
            "annotations" => map! {
                "kubernetes.io/createdby" => "hostpath-dynamic-provisioner", BOUND_BY_CONTROLLER => "yes",
                PROVISIONED_BY => HOST_PATH,
            },
        },
        "spec" => spec,
    }
}
