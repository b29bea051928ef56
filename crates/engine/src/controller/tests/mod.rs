//! The controllers and the scheduler's neighbours against a small API loop: a store that bumps resourceVersions,
//! refuses stale writes, and delivers changes 10 ms later.

mod live;
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
    for _ in 0..3 {
        world.run(Span::millis(500));
        world.ready_all();
    }
    world.run(Span::seconds(1));
    assert_eq!(
        world.take_log(),
        "\
2.300 update deployments web
2.320 create replicasets web-N
2.330 status deployments web: Progressing True NewReplicaSetCreated
2.340 create pods web-N-1
2.350 status replicasets web-N: observedGeneration 1 terminatingReplicas 0
2.350 status deployments web: observedGeneration 2 unavailableReplicas 1 -updatedReplicas
2.375 status replicasets web-N: fullyLabeledReplicas 1 replicas 1
2.395 status deployments web: replicas 4 updatedReplicas 1 Progressing True ReplicaSetUpdated
2.800 ready pods web-N-1
2.820 status replicasets web-N: availableReplicas 1 readyReplicas 1
2.840 update replicasets web-H: 3 -> 2
2.850 status deployments web: availableReplicas 4 readyReplicas 4 -unavailableReplicas
2.860 remove pods web-H-1
2.860 update replicasets web-N: 1 -> 2
2.870 status replicasets web-H: observedGeneration 2
2.880 create pods web-N-2
2.890 status replicasets web-N: observedGeneration 2
2.895 status replicasets web-H: availableReplicas 2 fullyLabeledReplicas 2 readyReplicas 2 replicas 2
2.915 status replicasets web-N: fullyLabeledReplicas 2 replicas 2
2.915 status deployments web: availableReplicas 3 readyReplicas 3 replicas 3 unavailableReplicas 1
2.935 status deployments web: replicas 4 updatedReplicas 2
3.300 ready pods web-N-2
3.320 status replicasets web-N: availableReplicas 2 readyReplicas 2
3.340 update replicasets web-H: 2 -> 1
3.350 status deployments web: availableReplicas 4 readyReplicas 4 -unavailableReplicas Progressing True updated
3.360 remove pods web-H-2
3.360 update replicasets web-N: 2 -> 3
3.370 status replicasets web-H: observedGeneration 3
3.380 create pods web-N-3
3.390 status replicasets web-N: observedGeneration 3
3.395 status replicasets web-H: availableReplicas 1 fullyLabeledReplicas 1 readyReplicas 1 replicas 1
3.415 status replicasets web-N: fullyLabeledReplicas 3 replicas 3
3.415 status deployments web: availableReplicas 3 readyReplicas 3 replicas 3 unavailableReplicas 1
3.435 status deployments web: replicas 4 updatedReplicas 3
3.800 ready pods web-N-3
3.820 status replicasets web-N: availableReplicas 3 readyReplicas 3
3.840 update replicasets web-H: 1 -> 0
3.850 status deployments web: availableReplicas 4 readyReplicas 4 -unavailableReplicas
3.860 remove pods web-H-3
3.870 status replicasets web-H: observedGeneration 4
3.895 status replicasets web-H: -availableReplicas -fullyLabeledReplicas -readyReplicas replicas 0
3.915 status deployments web: availableReplicas 3 readyReplicas 3 replicas 3 Progressing True NewReplicaSetAvailable
"
    );
    // Undo: the old ReplicaSet is used again under a new number.
    world.edit("deployments.apps", "default", "web", |web| {
        web.remove(&["spec", "template", "metadata", "annotations"]);
    });
    world.run(Span::millis(150));
    assert_eq!(
        world.take_log(),
        "\
4.800 update deployments web
4.820 update replicasets web-H
4.840 status deployments web:
4.850 update replicasets web-H: 0 -> 1
4.870 create pods web-H-4
4.870 status deployments web: observedGeneration 3 unavailableReplicas 1 -updatedReplicas
4.880 status replicasets web-H: observedGeneration 5
4.905 status replicasets web-H: fullyLabeledReplicas 1 replicas 1
4.925 status deployments web: replicas 4 updatedReplicas 1 Progressing True ReplicaSetUpdated
"
    );
}

#[test]
fn a_namespace_goes_with_its_content_and_owners_with_their_dependents() {
    let mut world = World::new();
    world.create(
        "namespaces",
        json::parse(r#"{"kind":"Namespace","metadata":{"name":"t"},"spec":{"finalizers":["kubernetes"]}}"#).unwrap(),
    );
    world.run(Span::millis(100));
    assert_eq!(
        world.take_log(),
        "0.000 create namespaces t\n0.020 create serviceaccounts default\n0.020 create configmaps kube-root-ca.crt\n"
    );
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
    assert!(
        log.starts_with(
            "1.400 mark namespaces t\n6.420 remove configmaps kube-root-ca.crt\n6.420 remove serviceaccounts"
        ),
        "{log}"
    );
    assert!(log.ends_with("6.440 remove namespaces t\n"), "{log}");
}

#[test]
fn a_service_knows_its_pods() {
    let mut world = World::new();
    world.create(
        "services",
        json::parse(
            r#"{"kind":"Service","metadata":{"name":"web","namespace":"default"},
        "spec":{"selector":{"app":"web"},"ports":[{"port":80,"targetPort":8080,"protocol":"TCP"}]}}"#,
        )
        .unwrap(),
    );
    world.run(Span::millis(100));
    assert_eq!(
        world.take_log(),
        "0.000 create services web\n0.020 create endpointslices web-1\n0.020 create endpoints web\n"
    );
    world.create("pods", json::parse(r#"{"kind":"Pod","metadata":{"name":"p","namespace":"default","labels":{"app":"web"}},"spec":{"nodeName":"n"}}"#).unwrap());
    world.edit("pods", "default", "p", |pod| {
        pod.set(&["status", "podIP"], "10.244.0.5");
        pod.set(&["status", "podIPs"], vec![crate::map! { "ip" => "10.244.0.5" }]);
    });
    world.ready_all();
    world.run(Span::millis(100));
    let slice = world.get("endpointslices.discovery.k8s.io", "default", "web-1").unwrap();
    assert_eq!(
        json::compact(&slice["endpoints"][0]["conditions"]),
        r#"{"ready":true,"serving":true,"terminating":false}"#
    );
    assert_eq!(json::compact(&slice["ports"]), r#"[{"name":"","port":8080,"protocol":"TCP"}]"#);
    let endpoints = world.get("endpoints", "default", "web").unwrap();
    assert_eq!(endpoints["subsets"][0]["addresses"][0]["ip"].str(), "10.244.0.5");
}

#[test]
fn a_node_that_falls_silent_loses_its_pods() {
    let mut world = World::new();
    world.create("nodes", json::parse(r#"{"kind":"Node","metadata":{"name":"n","annotations":{"node.alpha.kubernetes.io/ttl":"0"}},
        "spec":{"podCIDR":"10.244.0.0/24"},"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady"}]}}"#).unwrap());
    world.create(
        "leases.coordination.k8s.io",
        json::parse(r#"{"kind":"Lease","metadata":{"name":"n","namespace":"kube-node-lease"}}"#).unwrap(),
    );
    world.create("pods", json::parse(r#"{"kind":"Pod","metadata":{"name":"p","namespace":"default"},"spec":{"nodeName":"n",
        "tolerations":[{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]}}"#).unwrap());
    world.ready_all();
    world.run(Span::seconds(54));
    world.take_log();
    world.run(Span::seconds(320));
    assert_eq!(
        world.take_log(),
        "\
55.010 status nodes n: Ready Unknown NodeStatusUnknown
55.020 update nodes n
55.030 status pods p: Ready False updated
355.040 patch pods p
355.050 mark pods p
"
    );
    assert_eq!(
        world.events,
        "\
Normal NodeNotReady: Node n status is now: NodeNotReady
Warning NodeNotReady: Node is not ready
Normal TaintManagerEviction: Marking for deletion Pod default/p
"
    );
}

#[test]
fn a_large_set_is_made_in_bursts() {
    let mut world = World::new();
    world.create("deployments.apps", deployment(3000, "nginx"));
    world.run(Span::seconds(20));
    assert_eq!(world.store.list("pods", None).count(), 3000);
    world.ready_all();
    world.run(Span::seconds(5));
    let web = world.get("deployments.apps", "default", "web").unwrap();
    assert_eq!(web["status"]["availableReplicas"].int(), 3000);
}
