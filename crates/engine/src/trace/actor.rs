//! Who can act. The order is the order of the time line's lanes.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The person at the workstation and the programs they run.
    User,
    ApiServer,
    Controller(Controller),
    Scheduler,
    /// The kubelet (and runtime) of the node with this index.
    Kubelet(u32),
    Docker,
    /// The simulation itself: setup, faults, clock.
    Lab,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Controller {
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
    DaemonSet,
    Job,
    CronJob,
    Namespace,
    GarbageCollector,
    PodGc,
    ServiceAccount,
    RootCa,
    NodeLifecycle,
    TaintEviction,
    EndpointSlice,
    Endpoints,
    Disruption,
    Quota,
    Volume,
    ClaimProtection,
    VolumeProtection,
    ClassProtection,
    ServiceCidr,
    HorizontalPodAutoscaler,
    TtlAfterFinished,
    ServiceLb,
    ClaimUsage,
    LocalPath,
}

/// What colours mean: roles, not products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Client,
    Api,
    Recon,
    Place,
    Node,
    Lab,
}

impl Actor {
    pub fn role(self) -> Role {
        match self {
            Actor::User => Role::Client,
            Actor::ApiServer => Role::Api,
            Actor::Controller(_) => Role::Recon,
            Actor::Scheduler => Role::Place,
            Actor::Kubelet(_) | Actor::Docker => Role::Node,
            Actor::Lab => Role::Lab,
        }
    }

    /// A stable word for texts and hashes.
    pub fn name(self) -> String {
        match self {
            Actor::User => "user".into(),
            Actor::ApiServer => "kube-apiserver".into(),
            Actor::Controller(controller) => controller.name().into(),
            Actor::Scheduler => "default-scheduler".into(),
            Actor::Kubelet(node) => format!("kubelet-{node}"),
            Actor::Docker => "dockerd".into(),
            Actor::Lab => "lab".into(),
        }
    }
}

impl Controller {
    /// The name the controller gives itself in events where it sends any.
    pub fn name(self) -> &'static str {
        match self {
            Controller::Deployment => "deployment-controller",
            Controller::ReplicaSet => "replicaset-controller",
            Controller::ReplicationController => "replication-controller",
            Controller::StatefulSet => "statefulset-controller",
            Controller::DaemonSet => "daemonset-controller",
            Controller::Job => "job-controller",
            Controller::CronJob => "cronjob-controller",
            Controller::Namespace => "namespace-controller",
            Controller::GarbageCollector => "garbage-collector-controller",
            Controller::PodGc => "pod-garbage-collector-controller",
            Controller::ServiceAccount => "serviceaccount-controller",
            Controller::RootCa => "root-ca-certificate-publisher-controller",
            Controller::NodeLifecycle => "node-controller",
            Controller::TaintEviction => "taint-eviction-controller",
            Controller::EndpointSlice => "endpoint-slice-controller",
            Controller::Endpoints => "endpoint-controller",
            Controller::Disruption => "controllermanager",
            Controller::Quota => "resourcequota-controller",
            Controller::ClaimProtection => "persistentvolumeclaim-protection-controller",
            Controller::VolumeProtection => "persistentvolume-protection-controller",
            Controller::ClassProtection => "volumeattributesclass-protection-controller",
            Controller::ServiceCidr => "service-cidr-controller",
            Controller::Volume => "persistentvolume-controller",
            Controller::HorizontalPodAutoscaler => "horizontal-pod-autoscaler",
            Controller::TtlAfterFinished => "ttl-after-finished-controller",
            Controller::ServiceLb => "service-lb-controller",
            Controller::LocalPath => "local-path-provisioner",
            Controller::ClaimUsage => "persistentvolumeclaim-protection-controller",
        }
    }
}
