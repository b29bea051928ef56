//! The controllers and the scheduler's neighbours against a small API loop: a store that bumps resourceVersions,
//! refuses stale writes, and delivers changes 10 ms later.

mod world;

use crate::base::{Span, json};
use world::World;

fn deployment(replicas: i64, image: &str) -> crate::base::Value {
    json::parse(&format!(
        r#"{{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"web","namespace":"default"}},
        "spec":{{"replicas":{replicas},"progressDeadlineSeconds":600,"revisionHistoryLimit":10,
        "selector":{{"matchLabels":{{"app":"web"}}}},
        "strategy":{{"type":"RollingUpdate","rollingUpdate":{{"maxSurge":"25%","maxUnavailable":"25%"}}}},
        "template":{{"metadata":{{"labels":{{"app":"web"}}}},"spec":{{"containers":[{{"name":"c","image":"{image}",
        "resources":{{}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",
        "imagePullPolicy":"IfNotPresent"}}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,
        "dnsPolicy":"ClusterFirst","securityContext":{{}},"schedulerName":"default-scheduler"}}}}}}}}"#
    ))
    .unwrap()
}

#[test]
fn a_deployment_is_created_as_recorded() {
    let mut world = World::new();
    world.create("deployments.apps", deployment(3, "nginx:1.29"));
    world.run(Span::millis(300));
    assert_eq!(
        world.take_log(),
        "\
0.000 create deployments web
0.020 create replicasets web-H
0.030 status deployments web: Progressing True NewReplicaSetCreated
0.040 create pods web-H-1
0.050 create pods web-H-2
0.050 create pods web-H-3
0.050 status deployments web: observedGeneration 1 terminatingReplicas 0 unavailableReplicas 3 Available False MinimumReplicasUnavailable
0.060 status replicasets web-H: observedGeneration 1 terminatingReplicas 0
0.085 status replicasets web-H: fullyLabeledReplicas 3 replicas 3
0.105 status deployments web: replicas 3 updatedReplicas 3 Progressing True ReplicaSetUpdated
"
    );
    world.ready_all();
    world.run(Span::seconds(2));
    assert_eq!(
        world.take_log(),
        "\
0.300 ready pods web-H-1
0.300 ready pods web-H-2
0.300 ready pods web-H-3
0.320 status replicasets web-H: availableReplicas 3 readyReplicas 3
0.340 status deployments web: availableReplicas 3 readyReplicas 3 -unavailableReplicas Available True MinimumReplicasAvailable Progressing True NewReplicaSetAvailable
"
    );
    world.edit("deployments.apps", "default", "web", |web| {
        web.set(&["spec", "template", "metadata", "annotations", "at"], "2");
    });
    for _ in 0..8 {
        world.run(Span::millis(500));
        world.ready_all();
    }
    world.run(Span::seconds(1));
    println!("{}", world.take_log());
    println!("{}", world.events);
}
