//! What happens to containers from outside of the kubelet: the kernel, or somebody with a shell on the node, ends a
//! process.

use super::{Cx, Kubelets};
use crate::api::object;
use crate::informer::Caches;
use crate::trace::Actor;

impl Kubelets {
    /// Ends the first running container of a pod with SIGKILL; the kubelet sees it when it next looks at the runtime.
    pub fn kill_from_outside(&mut self, cx: &mut Cx<'_>, _: &Caches, namespace: &str, name: &str) -> bool {
        for node in &mut self.nodes {
            let is_it = |pod: &crate::base::Value| object::namespace(pod) == namespace && object::name(pod) == name;
            let Some(uid) = node.workers.values().find(|worker| is_it(&worker.pod)).map(|worker| worker.uid.clone())
            else {
                continue;
            };
            cx.actor = Actor::Kubelet(node.index);
            let mut done = false;
            node.with(&uid, |kubelet, worker| {
                let slot = worker.slots.iter_mut().find(|slot| slot.is_running());
                if let Some(container) = slot.and_then(|slot| slot.container.as_mut()) {
                    container.kill(cx.now);
                    done = true;
                    kubelet.watch_programs(cx, worker);
                }
            });
            self.has_gaps |= !node.gaps.is_empty();
            return done;
        }
        false
    }
}
