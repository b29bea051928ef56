//! kube-controller-manager: one file (or folder) per controller, each a `Reconciler` run by its own `Runner` with as
//! many workers as the real one has by default. A controller reads caches and sends requests; it never sees the store.

mod autoscaler;
mod cron_job;
mod daemon_set;
mod deployment;
mod disruption;
mod endpoints;
mod eviction;
mod garbage;
pub mod hash;
mod history;
mod job;
mod local_path;
mod namespace;
mod nodes;
mod owner;
mod pod_gc;
pub mod pods;
mod protection;
mod publish;
mod quota;
mod replica_set;
mod service_lb;
mod stateful_set;
mod tally;
#[cfg(test)]
mod tests;
mod ttl;
mod volume;

use crate::api::resource::Client;
use crate::base::http::Response;
use crate::informer::{Caches, Recorder, Runner, RunnerToken};
use crate::sim::Cx;
use crate::store::Change;
use crate::trace::{Actor, Controller};

use autoscaler::Autoscalers;
use cron_job::CronJobs;
use daemon_set::DaemonSets;
use deployment::Deployment;
use disruption::Disruption;
use endpoints::EndpointSets;
use eviction::Eviction;
use garbage::Garbage;
use job::Jobs;
use local_path::LocalPath;
use namespace::Namespace;
use nodes::Nodes;
use pod_gc::PodGc;
use protection::Protection;
use publish::Publish;
use quota::ResourceQuota;
use replica_set::{REPLICA_SET, REPLICATION_CONTROLLER, ReplicaSet};
use service_lb::ServiceLb;
use stateful_set::StatefulSets;
use ttl::TtlAfterFinished;
use volume::Volumes;
use volume::usage::Usage;

/// The field manager of everything the controller manager writes.
const AGENT: &str = "kube-controller-manager";

/// The controllers, their tokens and how the entry points reach them, from one list:
/// `field: Type => Variant, service account, constructor;`
macro_rules! controllers {
    ($($field:ident: $type:ty => $variant:ident, $account:literal, $make:expr;)*) => {
        #[derive(Clone)]
        pub struct Controllers {
            $($field: Runner<$type>,)*
        }

        /// Whose wake or answer it is.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Token {
            $($variant(RunnerToken),)*
        }

        impl Controllers {
            pub fn new() -> Controllers {
                Controllers { $($field: runner($make, $account, Controller::$variant),)* }
            }

            pub fn wake(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, token: Token) {
                match token {
                    $(Token::$variant(_) => {
                        cx.actor = Actor::Controller(Controller::$variant);
                        self.$field.wake(cx, see, Token::$variant);
                    })*
                }
            }

            pub fn reply(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, token: Token, response: Response) {
                match token {
                    $(Token::$variant(token) => {
                        cx.actor = Actor::Controller(Controller::$variant);
                        self.$field.reply(cx, see, &token, response, Token::$variant);
                    })*
                }
            }

            /// A change was delivered, and the caches have taken it in.
            pub fn observe(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, change: &Change) {
                $(
                    cx.actor = Actor::Controller(Controller::$variant);
                    self.$field.observe(cx, see, change, Token::$variant);
                )*
            }
        }
    };
}

controllers! {
    deployment: Deployment => Deployment, "deployment-controller", Deployment;
    replica_set: ReplicaSet => ReplicaSet, "replicaset-controller", ReplicaSet::new(REPLICA_SET);
    replication: ReplicaSet => ReplicationController, "replication-controller",
        ReplicaSet::new(REPLICATION_CONTROLLER);
    daemon_set: DaemonSets => DaemonSet, "daemon-set-controller", DaemonSets::default();
    stateful_set: StatefulSets => StatefulSet, "statefulset-controller", StatefulSets::default();
    namespace: Namespace => Namespace, "namespace-controller", Namespace;
    garbage: Garbage => GarbageCollector, "generic-garbage-collector", Garbage::default();
    service_account: Publish => ServiceAccount, "service-account-controller", Publish::ServiceAccount;
    root_ca: Publish => RootCa, "root-ca-cert-publisher", Publish::RootCa;
    slices: EndpointSets => EndpointSlice, "endpointslice-controller", EndpointSets::new(endpoints::Flavour::Slices);
    endpoints: EndpointSets => Endpoints, "endpoint-controller", EndpointSets::new(endpoints::Flavour::Endpoints);
    nodes: Nodes => NodeLifecycle, "node-controller", Nodes::default();
    eviction: Eviction => TaintEviction, "node-controller", Eviction::default();
    quota: ResourceQuota => Quota, "resourcequota-controller", ResourceQuota;
    volume: Volumes => Volume, "persistent-volume-binder", Volumes;
    local_path: LocalPath => LocalPath, "local-path-provisioner", LocalPath;
    claim_usage: Usage => ClaimUsage, "pvc-protection-controller", Usage;
    claim_protection: Protection => ClaimProtection, "pvc-protection-controller", Protection::Claims;
    volume_protection: Protection => VolumeProtection, "pv-protection-controller", Protection::Volumes;
    class_protection: Protection => ClassProtection, "volumeattributesclass-protection-controller", Protection::Classes;
    service_cidr: Protection => ServiceCidr, "service-cidrs-controller", Protection::Ranges;
    job: Jobs => Job, "job-controller", Jobs::default();
    cron_job: CronJobs => CronJob, "cronjob-controller", CronJobs::default();
    autoscaler: Autoscalers => HorizontalPodAutoscaler, "horizontal-pod-autoscaler", Autoscalers;
    disruption: Disruption => Disruption, "disruption-controller", Disruption;
    ttl: TtlAfterFinished => TtlAfterFinished, "ttl-after-finished-controller", TtlAfterFinished;
    service_lb: ServiceLb => ServiceLb, "service-lb-controller", ServiceLb;
    pod_gc: PodGc => PodGc, "pod-garbage-collector", PodGc;
}

impl Controllers {
    /// Pods get addresses that begin like this (`10.244`).
    pub fn with_pods_in(mut self, net: &str) -> Controllers {
        self.nodes.reconciler.pod_net = net.into();
        self
    }

    /// Nothing is due before the first change is seen.
    pub fn start(&mut self, _cx: &mut Cx<'_, Token>) {}
}

impl Default for Controllers {
    fn default() -> Controllers {
        Controllers::new()
    }
}

fn runner<R: crate::informer::Reconciler>(reconciler: R, account: &str, controller: Controller) -> Runner<R> {
    let user = format!("system:serviceaccount:kube-system:{account}");
    let groups = ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"];
    let agent = match controller {
        Controller::LocalPath => "local-path-provisioner",
        Controller::ServiceLb => "k3s",
        _ => AGENT,
    };
    Runner::new(reconciler, workers(account), Client::new(&user, &groups, agent), Recorder::new(controller.name(), ""))
}

/// How many syncs run side by side, by default.
fn workers(account: &str) -> usize {
    match account {
        "generic-garbage-collector" => 20,
        "namespace-controller" => 10,
        "daemon-set-controller" => 2,
        "service-account-controller"
        | "root-ca-cert-publisher"
        | "node-controller"
        | "pod-garbage-collector"
        | "pvc-protection-controller"
        | "pv-protection-controller"
        | "persistent-volume-binder"
        | "disruption-controller" => 1,
        _ => 5,
    }
}
