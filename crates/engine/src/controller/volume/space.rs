//! One sync of a volume.

use super::{FINALIZER, HOST_PATH, PROVISIONED_BY, set_phase, write};
use crate::api::claims;
use crate::api::object;
use crate::api::resource::PERSISTENT_VOLUMES;
use crate::base::{Time, Value};
use crate::informer::{EventType, Io, Stop};

#[derive(Clone, Debug)]
pub struct Inputs {
    pub volume: Value,
    /// What its claimRef names, whoever that is.
    pub claim: Option<Value>,
    pub now: Time,
}

fn is_ours(volume: &Value) -> bool {
    object::annotation(volume, PROVISIONED_BY) == HOST_PATH
}

pub fn sync(inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
    let Inputs { volume, claim, now } = inputs;
    if object::is_deleting(volume) {
        // Its protection comes off first; then there is nothing left to wait for.
        let others = volume["metadata"]["finalizers"].items().iter().any(|one| one.str() != FINALIZER);
        if has_finalizer(volume) && !others {
            write(io.client.update(&PERSISTENT_VOLUMES, "", without_finalizer(volume)), io)?;
        }
        return Ok(());
    }
    let reference = &volume["spec"]["claimRef"];
    if reference.is_null() || reference["uid"].is_empty() {
        return set_phase(volume, "Available", "", *now, io).map(|_| ());
    }
    let claim = claim.as_ref().filter(|claim| claims::belongs_to(volume, claim));
    let Some(claim) = claim else {
        let released = match volume["status"]["phase"].str() {
            "Failed" => volume.clone(),
            _ => set_phase(volume, "Released", "", *now, io)?,
        };
        return reclaim(&released, *now, io);
    };
    if claim["spec"]["volumeName"].str() == object::name(volume) {
        set_phase(volume, "Bound", "", *now, io)?;
    } else if is_ours(volume) && volume["status"]["phase"].str() == "Pending" {
        // Made for the claim, which is bound next.
        set_phase(volume, "Bound", "", *now, io)?;
    }
    Ok(())
}

fn has_finalizer(volume: &Value) -> bool {
    volume["metadata"]["finalizers"].items().iter().any(|one| one.str() == FINALIZER)
}

fn without_finalizer(volume: &Value) -> Value {
    let mut volume = volume.clone();
    let mut all = volume["metadata"]["finalizers"].items().to_vec();
    all.retain(|one| one.str() != FINALIZER);
    match all.is_empty() {
        true => drop(volume.remove(&["metadata", "finalizers"])),
        false => volume.set(&["metadata", "finalizers"], all),
    }
    volume
}

/// What becomes of a volume whose claim is gone.
fn reclaim(volume: &Value, now: Time, io: &mut Io<'_>) -> Result<(), Stop> {
    if volume["spec"]["persistentVolumeReclaimPolicy"].str() != "Delete" {
        return Ok(());
    }
    let provisioner = object::annotation(volume, PROVISIONED_BY);
    if !provisioner.is_empty() && provisioner != HOST_PATH {
        return Ok(());
    }
    let path = volume["spec"]["hostPath"]["path"].str();
    if !path.starts_with("/tmp/") {
        let text = match path {
            "" => "error getting deleter volume plugin for volume: no deletable volume plugin matched".to_owned(),
            path => format!("host_path deleter only supports /tmp/.+ but received provided {path}"),
        };
        if volume["status"]["phase"].str() != "Failed" {
            set_phase(volume, "Failed", &text, now, io)?;
            io.event(volume, EventType::Warning, "VolumeFailedDelete", text);
        }
        return Ok(());
    }
    let mut volume = volume.clone();
    if has_finalizer(&volume) {
        // The finalizer comes off for the deletion and is put on again by the sync that sees this.
        volume = io.must(io.client.update(&PERSISTENT_VOLUMES, "", without_finalizer(&volume)))?;
        let mut all = volume["metadata"]["finalizers"].items().to_vec();
        all.push(FINALIZER.into());
        volume.set(&["metadata", "finalizers"], all);
        volume = io.must(io.client.update(&PERSISTENT_VOLUMES, "", volume))?;
    }
    write(io.client.delete(&PERSISTENT_VOLUMES, "", object::name(&volume), Value::Null), io).map(|_| ())
}
