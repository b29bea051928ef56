//! Faults that nobody in the cluster asked for: a container's process is ended from outside.

use super::Cluster;
use crate::trace::{Actor, What};

impl Cluster {
    /// Kills a container: `pod/NAMESPACE/NAME` (its first running one) or `container/NAME` of docker. False when no such
    /// container runs.
    pub fn kill(&mut self, target: &str) -> bool {
        let what = What::Mark { kind: "fault".into(), text: format!("killed {target}") };
        let cause = self.trace.push(self.now, Actor::Lab, 0, what);
        let mut done = false;
        match target.split('/').collect::<Vec<_>>()[..] {
            ["pod", namespace, name] => self.with_kubelets(cause, |kubelets, cx, see| {
                done = kubelets.kill_from_outside(cx, see, namespace, name);
            }),
            ["container", name] => self.with_docker(cause, |docker, cx, _| done = docker.kill_from_outside(cx, name)),
            _ => {}
        }
        done
    }
}
