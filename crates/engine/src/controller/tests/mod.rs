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

#[test]
fn a_namespace_goes_with_its_content_and_owners_with_their_dependents() {
    let mut world = World::new();
    world.create("namespaces", json::parse(r#"{"kind":"Namespace","metadata":{"name":"t"},"spec":{"finalizers":["kubernetes"]}}"#).unwrap());
    world.run(Span::millis(100));
    assert_eq!(world.take_log(), "0.000 create namespaces t\n0.020 create serviceaccounts default\n0.020 create configmaps kube-root-ca.crt\n");
    world.create("deployments.apps", deployment(2, "nginx"));
    world.run(Span::millis(300));
    world.take_log();
    world.delete("deployments.apps", "default", "web", "Foreground");
    world.run(Span::seconds(1));
    assert_eq!(
        world.take_log(),
        "\
0.400 mark deployments web
0.420 mark replicasets web-H
0.440 remove pods web-H-1
0.440 remove pods web-H-2
0.460 status replicasets web-H: -fullyLabeledReplicas replicas 0
0.460 remove replicasets web-H
0.480 status deployments web: -replicas -unavailableReplicas -updatedReplicas
0.480 remove deployments web
"
    );
    world.delete("namespaces", "", "t", "");
    world.run(Span::seconds(6));
    let log = world.take_log();
    assert!(log.starts_with("1.400 mark namespaces t\n6.420 remove configmaps kube-root-ca.crt\n6.420 remove serviceaccounts"), "{log}");
    assert!(log.ends_with("6.440 remove namespaces t\n"), "{log}");
}

#[test]
fn a_service_knows_its_pods() {
    let mut world = World::new();
    world.create("services", json::parse(r#"{"kind":"Service","metadata":{"name":"web","namespace":"default"},
        "spec":{"selector":{"app":"web"},"ports":[{"port":80,"targetPort":8080,"protocol":"TCP"}]}}"#).unwrap());
    world.run(Span::millis(100));
    assert_eq!(world.take_log(), "0.000 create services web\n0.020 create endpointslices web-1\n0.020 create endpoints web\n");
    world.create("pods", json::parse(r#"{"kind":"Pod","metadata":{"name":"p","namespace":"default","labels":{"app":"web"}},"spec":{"nodeName":"n"}}"#).unwrap());
    world.edit("pods", "default", "p", |pod| {
        pod.set(&["status", "podIP"], "10.244.0.5");
        pod.set(&["status", "podIPs"], vec![crate::map! { "ip" => "10.244.0.5" }]);
    });
    world.ready_all();
    world.run(Span::millis(100));
    let slice = world.get("endpointslices.discovery.k8s.io", "default", "web-1").unwrap();
    assert_eq!(json::compact(&slice["endpoints"][0]["conditions"]), r#"{"ready":true,"serving":true,"terminating":false}"#);
    assert_eq!(json::compact(&slice["ports"]), r#"[{"name":"","port":8080,"protocol":"TCP"}]"#);
    let endpoints = world.get("endpoints", "default", "web").unwrap();
    assert_eq!(endpoints["subsets"][0]["addresses"][0]["ip"].str(), "10.244.0.5");
}
