//! The past, read: objects as they stood at an earlier instant, found by undoing the writes the trace remembers.
//! Nothing is rewound; the present stays as it is.

use crate::base::BTreeMap;

use super::Lab;
use crate::base::{SmolStr, Time, Value};
use crate::trace::{ObjectRef, What};

impl Lab {
    /// The earliest instant that can still be read.
    pub fn remembered_from(&self) -> Time {
        let first = self.trace().entries().next();
        first.filter(|entry| entry.seq > 1).map_or(self.recording.setup.start, |entry| entry.at)
    }

    /// The objects of a resource as they stood at an instant, by namespace and name.
    pub fn objects_at(&self, resource: &str, at: Time) -> Vec<Value> {
        if at >= self.now() {
            return self.objects(resource);
        }
        let place = |object: &ObjectRef| (object.namespace.clone(), object.name.clone());
        let mut undone: BTreeMap<(SmolStr, SmolStr), Value> = BTreeMap::new();
        for entry in self.trace().entries().rev().take_while(|entry| entry.at > at) {
            if let What::Write(write) = &entry.what
                && write.object.resource == resource
            {
                undone.insert(place(&write.object), write.before.clone());
            }
        }
        let mut objects: BTreeMap<(SmolStr, SmolStr), Value> = self
            .cluster
            .server
            .store
            .list(resource, None)
            .map(|(key, value)| ((key.namespace.clone(), key.name.clone()), value.clone()))
            .collect();
        objects.append(&mut undone);
        objects.into_values().filter(|object| !object.is_null()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{Preset, Setup};
    use crate::lab::Input;

    #[test]
    fn the_past_is_what_the_present_was() {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        let resources = ["pods", "deployments.apps", "replicasets.apps", "nodes", "events"];
        let mut seen = Vec::new();
        for line in [
            "kubectl create deployment web --image=nginx:1.29.0 --replicas=2",
            "kubectl set image deployment/web nginx=nginx:1.28.0",
            "kubectl delete deployment web",
        ] {
            lab.input(Input::Line(line.into()));
            for _ in 0..12 {
                let next = lab.now() + crate::base::Span::millis(700);
                lab.advance(next, u64::MAX);
                seen.push((lab.now(), resources.map(|resource| lab.objects(resource))));
            }
        }
        for (at, then) in seen {
            let read = resources.map(|resource| lab.objects_at(resource, at));
            assert!(read == then, "{}", at.rfc3339_micros());
        }
        assert_eq!(lab.remembered_from(), lab.recording().setup.start);
    }
}
