mod recorded;

use super::*;
use crate::base::http::User;
use crate::base::json;

pub struct Lab {
    server: Server,
    chance: Chance,
    trace: Trace,
    now: Time,
    user: User,
}

impl Lab {
    pub fn new() -> Lab {
        let mut lab = Lab {
            server: Server::new(Config::default(), 100, 1000),
            chance: Chance::new(1),
            trace: Trace::new(1000),
            now: Time::from_seconds(1_767_225_600),
            user: User { name: "kubernetes-admin".into(), groups: vec!["system:masters".into()] },
        };
        for name in ["default", "kube-system"] {
            lab.ask(&format!("POST /api/v1/namespaces\n{{\"metadata\":{{\"name\":\"{name}\"}}}}"));
        }
        lab
    }

    fn cx(&mut self) -> Cx<'_> {
        Cx { now: self.now, chance: &mut self.chance, trace: &mut self.trace, cause: 0, actor: Actor::User }
    }

    /// `METHOD /path?query [content type]` and the body on the lines after it.
    pub fn ask(&mut self, text: &str) -> Response {
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let mut words = head.split(' ');
        let method = match words.next().unwrap() {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "PATCH" => Method::Patch,
            _ => Method::Delete,
        };
        let url = words.next().unwrap();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let user = self.user.clone();
        let mut request = Request::new(&user, "kubectl", method, path);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            request.query.push((key.into(), value.replace("%20", " ")));
        }
        request.content_type = words.next().unwrap_or("").into();
        request.accept = words.next().unwrap_or("").into();
        if !body.is_empty() {
            request.body = Body::Text(body.into());
        }
        let mut server = self.server.clone();
        let answer = server.handle(&mut self.cx(), &request);
        self.server = server;
        match answer {
            Answer::Done(response) => response,
            Answer::Node(call) => Response::new(299, format!("{call:?}").into()),
        }
    }

    /// The answer's code and message, or the named parts of its object.
    pub fn check(&mut self, request: &str, want: &str) {
        let response = self.ask(request);
        let value = response.value();
        let mut got = format!("{}", response.code);
        if value["kind"].str() == "Status" {
            got.push_str(&format!(" {}", value["message"].str()));
        }
        assert_eq!(got.trim(), want, "{request}\n{value:?}");
    }
}

#[test]
fn creates_reads_updates_and_deletes() {
    let mut lab = Lab::new();
    lab.check(
        "POST /api/v1/namespaces/default/configmaps\n{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}",
        "201",
    );
    lab.check(
        "POST /api/v1/namespaces/default/configmaps\n{\"metadata\":{\"name\":\"a\"}}",
        "409 configmaps \"a\" already exists",
    );
    lab.check(
        "POST /api/v1/namespaces/no/configmaps\n{\"metadata\":{\"name\":\"a\"}}",
        "404 namespaces \"no\" not found",
    );
    lab.check("GET /api/v1/namespaces/default/configmaps/b", "404 configmaps \"b\" not found");
    let object = lab.ask("GET /api/v1/namespaces/default/configmaps/a").value().clone();
    assert_eq!((object["kind"].str(), object["apiVersion"].str()), ("ConfigMap", "v1"));
    let mut changed = object.clone();
    changed.set(&["data", "k"], "w");
    let put = |value: &Value| format!("PUT /api/v1/namespaces/default/configmaps/a\n{}", json::compact(value));
    lab.check(&put(&changed), "200");
    lab.check(&put(&changed), "409 Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please apply your changes to the latest version and try again");
    let list = lab.ask("GET /api/v1/configmaps").value().clone();
    assert_eq!((list["kind"].str(), list["items"].items().len()), ("ConfigMapList", 1));
    lab.check("DELETE /api/v1/namespaces/default/configmaps/a", "200");
    assert_eq!(lab.server.store.list("configmaps", None).count(), 0);
}

#[test]
fn patches_scales_and_binds() {
    let mut lab = Lab::new();
    let deployment = r#"{"metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"x"}]}}}}"#;
    lab.check(&format!("POST /apis/apps/v1/namespaces/default/deployments\n{deployment}"), "201");
    let web = "/apis/apps/v1/namespaces/default/deployments/web";
    let strategic = "application/strategic-merge-patch+json";
    let merge = "application/merge-patch+json";
    let patched = lab.ask(&format!("PATCH {web} {strategic}\n{{\"spec\":{{\"template\":{{\"spec\":{{\"containers\":[{{\"name\":\"c\",\"image\":\"y\"}}]}}}}}}}}"));
    let object = patched.value();
    assert_eq!(object["spec"]["template"]["spec"]["containers"][0]["image"].str(), "y");
    assert_eq!(object["metadata"]["generation"].int(), 2);
    let before = lab.server.store.revision();
    lab.check(&format!("PATCH {web} {merge}\n{{\"spec\":{{\"replicas\":2}},\"status\":{{\"replicas\":7}}}}"), "200");
    assert_eq!(lab.server.store.revision(), before);
    lab.check(
        &format!("PATCH {web} {merge}\n{{\"metadata\":{{\"name\":\"b\"}}}}"),
        "400 the name of the object (b) does not match the name on the URL (web)",
    );
    lab.check(
        &format!(
            "PATCH {web} application/json-patch+json\n[{{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":9}}]"
        ),
        "422 the server rejected our request due to an error in our request",
    );
    lab.check(&format!("PATCH {web} text/plain\n{{}}"), "415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml");
    let scale = lab.ask(&format!("PATCH {web}/scale {merge}\n{{\"spec\":{{\"replicas\":5}}}}")).value().clone();
    assert_eq!(
        (scale["kind"].str(), scale["spec"]["replicas"].int(), scale["status"]["selector"].str()),
        ("Scale", 5, "a=b")
    );
    lab.check(&format!("PATCH {web}/scale {merge}\n{{\"spec\":{{\"replicas\":-1}}}}"), "422 Scale.autoscaling \"web\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0");
    lab.check(
        "GET /apis/apps/v1/namespaces/default/daemonsets/x/scale",
        "404 the server could not find the requested resource",
    );
    let pods = "/api/v1/namespaces/default/pods";
    lab.check(&format!("POST {pods}\n{{\"metadata\":{{\"name\":\"p\"}},\"spec\":{{\"containers\":[{{\"name\":\"c\",\"image\":\"x\"}}]}}}}"), "201");
    let bind = format!("POST {pods}/p/binding\n{{\"target\":{{\"name\":\"node-1\"}}}}");
    lab.check(&bind, "201");
    lab.check(
        &bind,
        "409 Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node \"node-1\"",
    );
    let deleted = lab.ask(&format!("DELETE {pods}/p")).value().clone();
    assert_eq!(
        (deleted["metadata"]["deletionGracePeriodSeconds"].int(), deleted["metadata"]["deletionTimestamp"].str()),
        (30, "2026-01-01T00:00:30Z")
    );
    lab.check(&format!("DELETE {pods}/p?gracePeriodSeconds=0"), "200");
    lab.check(&format!("GET {pods}/p"), "404 pods \"p\" not found");
}

#[test]
fn watches_with_selectors() {
    let mut lab = Lab::new();
    let maps = "/api/v1/namespaces/default/configmaps";
    lab.ask(&format!("POST {maps}\n{{\"metadata\":{{\"name\":\"a\",\"labels\":{{\"x\":\"1\"}}}}}}"));
    let stream = lab.ask(&format!("GET {maps}?watch=true&labelSelector=x=1")).stream.unwrap();
    lab.ask(&format!("POST {maps}\n{{\"metadata\":{{\"name\":\"b\"}}}}"));
    lab.ask(&format!("PATCH {maps}/b application/merge-patch+json\n{{\"metadata\":{{\"labels\":{{\"x\":\"1\"}}}}}}"));
    lab.ask(&format!("PATCH {maps}/a application/merge-patch+json\n{{\"metadata\":{{\"labels\":{{\"x\":\"2\"}}}}}}"));
    let revision = lab.server.store.revision();
    let frames = lab.server.deliver(lab.now, revision);
    let seen: Vec<String> = frames
        .iter()
        .map(|(id, frame)| match frame {
            crate::base::http::Frame::Event(event) => {
                assert_eq!(*id, stream);
                format!("{} {}", event["type"].str(), event["object"]["metadata"]["name"].str())
            }
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(seen, ["ADDED a", "ADDED b", "DELETED a"]);
    lab.check(&format!("GET {maps}?watch=true&resourceVersion=1"), "410 too old resource version: 1 (100)");
    lab.check(
        &format!("GET {maps}?fieldSelector=spec.x=1"),
        "400 \"spec.x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
    );
    lab.check(&format!("GET {maps}?resourceVersionMatch=Exact"), "422 ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
}

#[test]
fn discovery_is_as_recorded() {
    let mut lab = Lab::new();
    const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    macro_rules! recorded {
        ($name:literal) => {
            json::parse(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../tests/golden/kubernetes/discovery/",
                $name
            )))
            .unwrap()
        };
    }
    let mut check = |request: &str, want: Value| {
        let got = lab.ask(request).value().clone();
        if got != want {
            let (a, b) = (json::pretty(&got, 1), json::pretty(&want, 1));
            let line = a.lines().zip(b.lines()).position(|(a, b)| a != b).unwrap_or(0);
            let around = |text: &str| text.lines().skip(line.saturating_sub(8)).take(14).collect::<Vec<_>>().join("\n");
            panic!("{request}\ngot {}\nwant {}", around(&a), around(&b));
        }
    };
    check("GET /api", recorded!("api.json"));
    check("GET /apis", recorded!("apis.json"));
    check(&format!("GET /api  {AGGREGATED}"), recorded!("api.aggregated.json"));
    check(&format!("GET /apis  {AGGREGATED}"), recorded!("apis.aggregated.json"));
}

#[test]
fn decodes_and_applies() {
    let mut lab = Lab::new();
    let maps = "/api/v1/namespaces/default/configmaps";
    lab.check(
        &format!("POST {maps}?fieldValidation=Strict\n{{\"metadata\":{{\"name\":\"a\"}},\"dta\":{{}}}}"),
        "400 ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field \"dta\"",
    );
    let apply = "application/apply-patch+yaml";
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n";
    lab.check(
        &format!("PATCH {maps}/a {apply}\n{config}"),
        "422 PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch",
    );
    lab.check(&format!("PATCH {maps}/a?fieldManager=one {apply}\n{config}"), "201");
    let before = lab.server.store.revision();
    lab.check(&format!("PATCH {maps}/a?fieldManager=one {apply}\n{config}"), "200");
    assert_eq!(lab.server.store.revision(), before);
    lab.check(
        &format!("PATCH {maps}/a?fieldManager=two {apply}\n{}", config.replace("k: v", "k: w")),
        "409 Apply failed with 1 conflict: conflict with \"one\": .data.k",
    );
    lab.check(
        &format!("PATCH {maps}/a?fieldManager=two&force=true {apply}\n{}", config.replace("k: v", "k: w")),
        "200",
    );
}

#[test]
fn quotas_limits_and_roles() {
    let mut lab = Lab::new();
    let space = "/api/v1/namespaces/default";
    lab.check(&format!("POST {space}/limitranges\n{}", r#"{"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","max":{"memory":"1Gi"},"default":{"memory":"100Mi"},"defaultRequest":{"memory":"50Mi"}}]}}"#), "201");
    let pod = |name: &str, memory: &str| {
        format!(
            "POST {space}/pods\n{{\"metadata\":{{\"name\":\"{name}\"}},\"spec\":{{\"containers\":[{{\"name\":\"app\",\"image\":\"x\",\"resources\":{memory}}}]}}}}"
        )
    };
    let made = lab.ask(&pod("a", "{}")).value().clone();
    assert_eq!(
        made["metadata"]["annotations"]["kubernetes.io/limit-ranger"].str(),
        "LimitRanger plugin set: memory request for container app; memory limit for container app"
    );
    assert_eq!(made["status"]["qosClass"].str(), "Burstable");
    lab.check(
        &pod("b", r#"{"limits":{"memory":"2Gi"},"requests":{"memory":"1Gi"}}"#),
        "403 pods \"b\" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi",
    );
    lab.check(
        &format!(
            "POST {space}/resourcequotas\n{}",
            r#"{"metadata":{"name":"q"},"spec":{"hard":{"pods":"1","limits.cpu":"1"}}}"#
        ),
        "201",
    );
    lab.check(&pod("c", "{}"), "403 pods \"c\" is forbidden: failed quota: q: must specify limits.cpu for: app");
    lab.check(
        &pod("c", r#"{"limits":{"cpu":"1"},"requests":{"cpu":"1"}}"#),
        "403 pods \"c\" is forbidden: status unknown for quota: q, resources: limits.cpu,pods",
    );
    lab.ask(&format!(
        "PATCH {space}/resourcequotas/q/status application/merge-patch+json\n{}",
        r#"{"status":{"hard":{"pods":"1","limits.cpu":"1"},"used":{"pods":"0","limits.cpu":"0"}}}"#
    ));
    lab.check(&pod("c", r#"{"limits":{"cpu":"1"},"requests":{"cpu":"1"}}"#), "201");
    lab.check(&pod("d", r#"{"limits":{"cpu":"500m"},"requests":{"cpu":"500m"}}"#), "403 pods \"d\" is forbidden: exceeded quota: q, requested: limits.cpu=500m,pods=1, used: limits.cpu=1,pods=1, limited: limits.cpu=1,pods=1");
    lab.user = User { name: "alice".into(), groups: vec![] };
    lab.check(&format!("GET {space}/pods"), "403 pods is forbidden: User \"alice\" cannot list resource \"pods\" in API group \"\" in the namespace \"default\"");
    lab.check("GET /metrics", "403 forbidden: User \"alice\" cannot get path \"/metrics\"");
}

#[test]
fn warns_and_keeps_pods_secure() {
    let mut lab = Lab::new();
    let space = "/api/v1/namespaces/default";
    let pod = r#"{"metadata":{"name":"a.b"},"spec":{"nodeSelector":{"beta.kubernetes.io/os":"linux"},"containers":[{"name":"c","image":"x","env":[{"name":"A","value":"1"},{"name":"A","value":"2"}],"ports":[{"containerPort":80},{"containerPort":80}],"resources":{"requests":{"memory":"100m"}}}]}}"#;
    let warnings = lab.ask(&format!("POST {space}/pods\n{pod}")).warnings;
    assert_eq!(
        warnings.join("\n"),
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]\nspec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \"kubernetes.io/os\" instead\nspec.containers[0].resources.requests[memory]: fractional byte value \"100m\" is invalid, must be an integer\nspec.containers[0].env[1]: hides previous definition of \"A\", which may be dropped when using apply\nspec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]"
    );
    lab.ask("PATCH /api/v1/namespaces/default application/merge-patch+json\n{\"metadata\":{\"labels\":{\"pod-security.kubernetes.io/enforce\":\"restricted\"}}}");
    lab.check(&format!("POST {space}/pods\n{}", r#"{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"x"}]}}"#), r#"403 pods "p" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")"#);
}

#[test]
fn deletes_wait_for_finalizers() {
    let mut lab = Lab::new();
    let merge = "application/merge-patch+json";
    lab.check("POST /api/v1/namespaces\n{\"metadata\":{\"name\":\"n\"}}", "201");
    let gone = lab.ask("DELETE /api/v1/namespaces/n").value().clone();
    assert_eq!((gone["status"]["phase"].str(), object_is_deleting(&gone)), ("Terminating", true));
    lab.check("DELETE /api/v1/namespaces/n", "200");
    lab.check(
        "POST /api/v1/namespaces/n/configmaps\n{\"metadata\":{\"name\":\"a\"}}",
        "403 configmaps \"a\" is forbidden: unable to create new content in namespace n because it is being terminated",
    );
    let mut finalized = lab.ask("GET /api/v1/namespaces/n").value().clone();
    finalized.set(&["spec", "finalizers"], crate::list![]);
    lab.check(&format!("PUT /api/v1/namespaces/n/finalize\n{}", json::compact(&finalized)), "200");
    lab.check("GET /api/v1/namespaces/n", "404 namespaces \"n\" not found");
    lab.check(
        "DELETE /api/v1/namespaces/default",
        "403 namespaces \"default\" is forbidden: this namespace may not be deleted",
    );

    let maps = "/api/v1/namespaces/default/configmaps";
    lab.ask(&format!("POST {maps}\n{{\"metadata\":{{\"name\":\"a\",\"finalizers\":[\"x.y/z\"]}}}}"));
    let marked = lab.ask(&format!("DELETE {maps}/a\n{{\"propagationPolicy\":\"Foreground\"}}")).value().clone();
    assert_eq!(marked["metadata"]["finalizers"], crate::list!["x.y/z", "foregroundDeletion"]);
    lab.check(
        &format!("POST {maps}\n{{\"metadata\":{{\"name\":\"a\"}}}}"),
        "409 object is being deleted: configmaps \"a\" already exists",
    );
    lab.check(&format!("PATCH {maps}/a {merge}\n{{\"metadata\":{{\"finalizers\":null}}}}"), "200");
    lab.check(&format!("GET {maps}/a"), "404 configmaps \"a\" not found");
    lab.check(&format!("DELETE {maps}/a\n{{\"propagationPolicy\":\"Never\"}}"), "422 DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: \"Never\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"");

    let services = "/api/v1/namespaces/default/services";
    let service = |name: &str, ip: &str| {
        format!(
            "POST {services}\n{{\"metadata\":{{\"name\":\"{name}\"}},\"spec\":{{\"type\":\"NodePort\",\"clusterIP\":\"{ip}\",\"ports\":[{{\"port\":80}}]}}}}"
        )
    };
    lab.check(&service("a", "10.96.0.10"), "201");
    lab.check(&service("b", "10.96.0.10"), "422 Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.96.0.10\"]: failed to allocate IP 10.96.0.10: provided IP is already allocated");
    lab.check(&service("b", "10.1.2.3"), "422 Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.1.2.3\"]: failed to allocate IP 10.1.2.3: the provided network does not match the current range");
    assert!(lab.ask(&format!("GET {services}/a")).value()["spec"]["ports"][0]["nodePort"].int() >= 30_086);
    lab.check(&format!("DELETE {services}/a"), "200");
    lab.check(&service("b", "10.96.0.10"), "201");
    let changed =
        lab.ask(&format!("PATCH {services}/b {merge}\n{{\"spec\":{{\"type\":\"ClusterIP\"}}}}")).value().clone();
    assert!(changed["spec"]["ports"][0]["nodePort"].is_null());
    assert_eq!(changed["spec"]["clusterIP"].str(), "10.96.0.10");
}

fn object_is_deleting(object: &Value) -> bool {
    crate::api::object::is_deleting(object)
}

#[test]
fn two_versions_of_one_object() {
    let mut lab = Lab::new();
    let event = r#"{"metadata":{"name":"e"},"regarding":{"kind":"Pod","name":"p"},"note":"hello","reason":"Scheduled","type":"Normal","eventTime":"2026-01-01T00:00:00.000000Z","action":"Binding","reportingController":"default-scheduler","reportingInstance":"default-scheduler-x"}"#;
    lab.check(&format!("POST /apis/events.k8s.io/v1/namespaces/default/events\n{event}"), "201");
    let all = lab.ask("GET /api/v1/namespaces/default/events?fieldSelector=involvedObject.name=p").value().clone();
    let core = all["items"][0].clone();
    assert_eq!(
        (all["apiVersion"].str(), core["message"].str(), core["reportingComponent"].str()),
        ("v1", "hello", "default-scheduler")
    );
    let new = lab.ask("GET /apis/events.k8s.io/v1/namespaces/default/events/e").value().clone();
    assert_eq!(
        (new["apiVersion"].str(), new["note"].str(), new["regarding"]["kind"].str()),
        ("events.k8s.io/v1", "hello", "Pod")
    );
}

#[test]
fn custom_resources() {
    let mut lab = Lab::new();
    let definition = r#"{"metadata":{"name":"ferries.sea.example"},"spec":{"group":"sea.example","scope":"Namespaced","names":{"plural":"ferries","singular":"ferry","kind":"Ferry","listKind":"FerryList","shortNames":["fy"]},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{}}}]}}"#;
    lab.check("GET /apis/sea.example/v1/namespaces/default/ferries", "404");
    lab.check(&format!("POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions\n{definition}"), "201");
    let ferries = "/apis/sea.example/v1/namespaces/default/ferries";
    lab.check(&format!("POST {ferries}\n{{\"metadata\":{{\"name\":\"a\"}},\"spec\":{{\"crew\":3}}}}"), "201");
    let changed = lab
        .ask(&format!("PATCH {ferries}/a application/merge-patch+json\n{{\"spec\":{{\"crew\":4}}}}"))
        .value()
        .clone();
    assert_eq!(
        (changed["kind"].str(), changed["spec"]["crew"].int(), changed["metadata"]["generation"].int()),
        ("Ferry", 4, 2)
    );
    lab.check(&format!("PATCH {ferries}/a application/strategic-merge-patch+json\n{{}}"), "415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
    let list = lab.ask("GET /apis/sea.example/v1").value().clone();
    assert_eq!(list["resources"][0]["shortNames"], crate::list!["fy"]);
    assert_eq!(list["resources"][1]["name"].str(), "ferries/status");
}

/// A Deployment of 10,000: run with `--ignored --nocapture` to see what one pod costs.
#[test]
#[ignore = "a measurement"]
fn ten_thousand_pods() {
    let mut lab = Lab::new();
    let template = json::parse(
        r#"{"containers":[{"name":"c","image":"x:1","imagePullPolicy":"IfNotPresent","resources":{"requests":{"cpu":"10m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","env":[{"name":"A","value":"b"}],"ports":[{"containerPort":80,"protocol":"TCP"}]}],"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}"#,
    )
    .unwrap();
    let client = crate::api::resource::Client::new("system:kube-controller-manager", &[], "kube-controller-manager");
    #[expect(clippy::disallowed_types, reason = "a measurement, run by hand")]
    let started = std::time::Instant::now();
    for _ in 0..10_000 {
        let pod = crate::map! {
            "apiVersion" => "v1", "kind" => "Pod",
            "metadata" => crate::map! { "generateName" => "web-5fd8-", "labels" => crate::map! { "app" => "web" } },
            "spec" => template.clone(),
        };
        let request = client.create("pods", "default", pod);
        let mut cx = Cx { now: lab.now, chance: &mut lab.chance, trace: &mut lab.trace, cause: 0, actor: Actor::Lab };
        assert!(matches!(lab.server.handle(&mut cx, &request), Answer::Done(response) if response.code == 201));
    }
    #[expect(clippy::print_stderr, reason = "a measurement, run by hand")]
    let () = eprintln!("{:?} a pod", started.elapsed() / 10_000);
}

/// What schemas and rules of a definition refuse, and what they let pass on a change.
#[test]
fn custom_resources_are_judged() {
    let mut lab = Lab::new();
    let definition = r#"{"metadata":{"name":"ferries.sea.example"},"spec":{"group":"sea.example","scope":"Cluster","names":{"plural":"ferries","kind":"Ferry"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"route":{"type":"string","pattern":"^\\d+-[\\w.]+$","minLength":3,"maxLength":6},"at":{"type":"string","format":"date-time"},"ip":{"type":"string","format":"ipv4"},"crew":{"type":"integer","multipleOf":2,"minimum":0,"exclusiveMinimum":true},"tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},"way":{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}},"x-kubernetes-validations":[{"rule":"!has(self.crew) || !has(oldSelf.crew) || self.crew >= oldSelf.crew","messageExpression":"'not below ' + string(oldSelf.crew)","reason":"FieldValueForbidden","fieldPath":".crew"},{"rule":"!has(self.tags) || self.tags.all(t, t.startsWith('x'))"}]}}}}}]}}"#;
    lab.check(&format!("POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions\n{definition}"), "201");
    let mut ask = |spec: &str, want: &str| {
        let body = format!(
            "POST /apis/sea.example/v1/ferries?dryRun=All\n{{\"metadata\":{{\"name\":\"a\"}},\"spec\":{spec}}}"
        );
        let want = want.replace('@', "422 Ferry.sea.example \"a\" is invalid: ");
        lab.check(&body, &want);
    };
    for (spec, want) in [
        (
            r#"{"route":"12-a.b","at":"2026-01-05T09:00:00Z","ip":"10.0.0.1","crew":4,"tags":["xa","xb"],"way":{"a":"1"}}"#,
            "201",
        ),
        (
            r#"{"route":"ab"}"#,
            r#"@[spec.route: Invalid value: "ab": spec.route in body should be at least 3 chars long, spec.route: Invalid value: "ab": spec.route in body should match '^\d+-[\w.]+$']"#,
        ),
        (
            r#"{"route":"1-abcdef"}"#,
            "@[spec.route: Too long: may not be more than 6 characters, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]",
        ),
        (r#"{"crew":0}"#, "@spec.crew: Invalid value: 0: spec.crew in body should be greater than 0"),
        (r#"{"crew":3}"#, "@spec.crew: Invalid value: 3: spec.crew in body should be a multiple of 2"),
        (
            r#"{"tags":["x","a"]}"#,
            "@spec: Invalid value: failed rule: !has(self.tags) || self.tags.all(t, t.startsWith('x'))",
        ),
        (r#"{"tags":["x","x"]}"#, "@spec.tags[1]: Duplicate value: \"x\""),
        (
            r#"{"way":{"a":"1","b":"2"}}"#,
            "@spec.way: Invalid value: \"\": \"spec.way\" must validate one and only one schema (oneOf). Found 2 valid alternatives",
        ),
    ] {
        ask(spec, want);
    }
}

/// A policy refuses what its rules refuse, a second after it is bound.
#[test]
fn admission_policies() {
    let mut lab = Lab::new();
    let root = "/apis/admissionregistration.k8s.io/v1";
    let policy = r#"{"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE","UPDATE"],"resources":["configmaps"]}]},"variables":[{"name":"count","expression":"size(object.data)"}],"validations":[{"expression":"variables.count <= 2","messageExpression":"'too many: ' + string(variables.count)"},{"expression":"!('k' in object.data) || object.data.k != 'no'","message":"not this","reason":"Forbidden"}]}}"#;
    let binding = r#"{"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"]}}"#;
    lab.check(&format!("POST {root}/validatingadmissionpolicies\n{policy}"), "201");
    lab.check(&format!("POST {root}/validatingadmissionpolicybindings\n{binding}"), "201");
    let map = |name: &str, data: &str| {
        format!("POST /api/v1/namespaces/default/configmaps\n{{\"metadata\":{{\"name\":\"{name}\"}},\"data\":{data}}}")
    };
    lab.check(&map("early", r#"{"k":"no"}"#), "201");
    lab.now += crate::base::Span::seconds(2);
    lab.check(&map("a", r#"{"k":"yes"}"#), "201");
    let denied = "is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request:";
    lab.check(&map("c", r#"{"k":"no"}"#), &format!("403 configmaps \"c\" {denied} not this"));
    lab.check(&map("c", r#"{"a":"","b":"","c":""}"#), &format!("422 configmaps \"c\" {denied} too many: 3"));
    lab.check("DELETE /api/v1/namespaces/default/configmaps/early", "200");
}
