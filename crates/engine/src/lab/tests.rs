use super::*;
use crate::cluster::{Preset, Setup};

#[test]
fn completion_asks_the_api_server() {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    let limit = lab.now() + Span::seconds(60);
    assert!(lab.run_until_idle(limit));
    lab.input(Input::Line("kubectl create namespace shop; kubectl create configmap colours -n shop".into()));
    lab.input(Input::WriteFile { path: "web.yaml".into(), text: "a: 1".into() });
    assert!(lab.run_until_idle(limit));
    lab.input(Input::Line("alias k=kubectl kg='k get'; HARBOUR_1=a".into()));
    assert!(lab.run_until_idle(limit));
    let before = (lab.trace().hash(), lab.now());
    #[rustfmt::skip]
    let cases: [(&str, &str); 19] = [
        ("kub", "kubectl"),
        ("kubectl cluster-i", "cluster-info"),
        ("kubectl rollout sta", "status"),
        ("kubectl get dep", "deployments.apps"),
        ("kubectl get nodes ", "kind-control-plane"),
        ("kubectl describe node/", "node/kind-control-plane"),
        ("kubectl get cm -n shop col", "colours"),
        ("kubectl -n sh", "shop"),
        ("kubectl get pods --namespace=sh", "shop"),
        ("kubectl config use-context k", "kind-kind"),
        ("kubectl get pods --sort", "--sort-by"),
        ("kubectl apply -f w", "web.yaml"),
        ("echo a | kubectl drain kind-c", "kind-control-plane"),
        ("k get dep", "deployments.apps"),
        ("cat a; kg nodes ", "kind-control-plane"),
        ("kg", "kg"),
        ("echo $HARB", "$HARBOUR_1"),
        ("echo a/\"${HARB", "a/\"${HARBOUR_1}"),
        ("alias g=k; cat $HARB", "$HARBOUR_1"),
    ];
    for (line, expected) in cases {
        let (start, found) = lab.complete(line, line.len());
        assert_eq!(found, [expected], "{line}");
        assert!(start <= line.len());
    }
    assert!(lab.complete("kubectl get pods nothing-like-this", 34).1.is_empty());
    assert_eq!((lab.trace().hash(), lab.now()), before);
}

/// Enters lines one by one, as a person does, and gives all output.
fn typed(lines: &[&str]) -> String {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    for line in lines {
        let limit = lab.now() + Span::seconds(300);
        assert!(lab.run_until_idle(limit));
        lab.input(Input::Line((*line).into()));
    }
    let limit = lab.now() + Span::seconds(300);
    assert!(lab.run_until_idle(limit));
    lab.take_output().iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).collect()
}

#[test]
fn a_here_document_may_be_typed() {
    let text = typed(&["cat > f <<'EOF'", "a", "", "b $HOME", "EOF", "cat f"]);
    assert_eq!(text, "a\n\nb $HOME\n");
}

#[test]
fn the_terminal_has_the_size_it_was_given_in_a_replay_too() {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    let cases = [
        (80, "alpha  beta  d  gamma-long\n"),
        (20, "alpha  d\nbeta   gamma-long\n"),
        (12, "alpha\nbeta\nd\ngamma-long\n"),
    ];
    for name in ["alpha", "beta", "gamma-long", "d"] {
        lab.input(Input::WriteFile { path: name.into(), text: String::new() });
    }
    let mut all = String::new();
    for (columns, expected) in cases {
        lab.input(Input::Resize { columns, rows: 24 });
        lab.input(Input::Line("ls; echo $COLUMNS; stty size".into()));
        let expected = format!("{expected}{columns}\n24 {columns}\n");
        let limit = lab.now() + Span::seconds(5);
        assert!(lab.run_until_idle(limit));
        let said: Vec<u8> = lab.take_output().into_iter().flat_map(|output| output.bytes).collect();
        assert_eq!(String::from_utf8_lossy(&said), expected, "{columns}");
        all.push_str(&expected);
    }
    let mut again = lab.recording().play(lab.now());
    let said: Vec<u8> = again.take_output().into_iter().flat_map(|output| output.bytes).collect();
    assert_eq!(String::from_utf8_lossy(&said), all);
}

#[test]
fn a_busy_program_does_not_hold_up_the_clock() {
    for line in ["while true; do :; done", "yes > /dev/null", "seq 1 1000000000 | tail -1"] {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        let now = lab.now();
        assert!(lab.run_until_idle(now));
        lab.input(Input::Line(line.into()));
        assert_eq!(lab.advance(lab.now() + Span::seconds(1), 50), Reached::Budget, "{line}");
        let limit = lab.now() + Span::seconds(8);
        assert_eq!(lab.advance(limit, 20_000), Reached::Time, "{line}");
        assert!(lab.is_busy() && lab.working_since().is_some(), "{line}");
        lab.input(Input::Interrupt);
        let limit = lab.now() + Span::seconds(1);
        assert!(lab.run_until_idle(limit), "{line}");
    }
    // A loop beside the prompt, and one in a container, leave room for everybody else.
    let text = typed(&[
        "while true; do :; done &",
        "kubectl run p --image=busybox --restart=Never -- sh -c 'while true; do echo hi; done'",
        "kubectl wait --for=condition=Ready pod/p > /dev/null; sleep 5; kill %1; date +%S > /dev/null; echo alive",
        "timeout 1 sh -c 'while true; do :; done'; echo $?; seq 1 300000 | tail -1",
    ]);
    assert!(text.contains("alive\n124\n300000\n"), "{text}");
}

#[test]
fn lists_of_many_chunks_are_whole() {
    let text = typed(&[
        "for i in $(seq 12); do echo \"{apiVersion: v1, kind: ConfigMap, metadata: {name: c$i}}\"; echo ---; done > all",
        "kubectl apply -f all --validate=false | wc -l; kubectl delete cm kube-root-ca.crt > /dev/null",
        "kubectl get cm --chunk-size=5 --no-headers | wc -l; kubectl get cm --chunk-size=5 | grep -c NAME",
        "kubectl get cm --chunk-size=5 -o name | grep -c c1; kubectl describe cm --chunk-size=5 | grep -c ^Name:",
        "kubectl get cm -o json --chunk-size=5 | grep -c '\"kind\": \"List\"'",
        "kubectl label cm --all a=b | wc -l; kubectl delete cm --all | wc -l; kubectl get pod ..",
    ]);
    let expected = "12\n13\n1\n4\n13\n1\n13\n13\nerror: invalid resource name \"..\": [may not be '..']\n";
    assert_eq!(text, expected);
}

#[test]
fn a_shell_in_a_pod_prompts_before_it_is_spoken_to() {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    let told = |lab: &mut Lab, line: &str| -> String {
        lab.input(Input::Line(line.into()));
        let limit = lab.now() + Span::seconds(20);
        lab.run_while(limit, Lab::is_busy);
        lab.take_output().iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).collect()
    };
    let now = lab.now();
    assert!(lab.run_until_idle(now));
    let text = told(&mut lab, "kubectl run t -it --image=busybox:1.36 --restart=Never -- sh");
    assert!(text.ends_with("/ # "), "{text:?}");
    assert_eq!(told(&mut lab, "echo in pod"), "in pod\n/ # ");
    assert_eq!(told(&mut lab, "cd /tmp"), "/tmp # ");
}

#[test]
fn the_api_server_keeps_its_own_service() {
    let text = typed(&[
        "kubectl delete svc,endpoints,endpointslice kubernetes > /dev/null 2>&1; kubectl get svc -o name",
        "sleep 11; kubectl get svc,endpoints,endpointslice kubernetes -o name 2> /dev/null",
    ]);
    let all = "service/kubernetes\nendpoints/kubernetes\nendpointslice.discovery.k8s.io/kubernetes\n";
    assert_eq!(text, all);
}

#[test]
fn a_program_that_outgrows_its_container_is_killed() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {restartPolicy: Never, containers: [{name: c, \
               image: busybox:1.36, command: [sh, -c, 'x=a; while true; do x=$x$x; done'], resources: {limits: {memory: \
               10Mi}}}]}}";
    let path = "{.status.containerStatuses[0].state.terminated['reason','exitCode']}";
    let text = typed(&[
        "kubectl apply -f - <<'EOF'",
        pod,
        "EOF",
        &format!("sleep 20; kubectl get pod p -o jsonpath=\"{path}\""),
    ]);
    assert_eq!(text, "pod/p created\nOOMKilled 137");
}

#[test]
fn servers_that_are_not_there() {
    let text = typed(&[
        "kubectl get pods --server=http://127.0.0.1:9 2>&1 | cut -c1,30-",
        "kubectl get pods --server=https://1.2.3.4 2>&1 | tail -1; kubectl get pods --request-timeout=banana",
    ]);
    let line = "memcache.go:381] \"Couldn't get current server API group list\" err=\"Get \
                \\\"http://127.0.0.1:9/api?timeout=32s\\\": dial tcp 127.0.0.1:9: connect: connection refused\"\n";
    assert_eq!(text.matches(line.trim_end()).count(), 5, "{text}");
    assert!(text.ends_with(
        "Unable to connect to the server: dial tcp 1.2.3.4:443: i/o timeout\nerror: Invalid timeout value. Timeout must \
         be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)\n"
    ), "{text}");
}

#[test]
fn an_interrupt_ends_the_question_of_terraform() {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    let now = lab.now();
    assert!(lab.run_until_idle(now));
    lab.input(Input::WriteFile { path: "main.tf".into(), text: "resource \"terraform_data\" \"a\" {}\n".into() });
    lab.input(Input::Line("terraform apply -no-color".into()));
    let limit = lab.now() + Span::seconds(5);
    assert!(!lab.run_until_idle(limit), "it asks");
    lab.input(Input::Interrupt);
    let limit = lab.now() + Span::seconds(5);
    assert!(lab.run_until_idle(limit), "it ends");
    let text: String =
        lab.take_output().iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).collect();
    assert!(text.contains("error asking for approval: interrupted"), "{text}");
    lab.input(Input::Line("ls -a".into()));
    let limit = lab.now() + Span::seconds(5);
    lab.run_while(limit, Lab::is_busy);
    let left: String =
        lab.take_output().iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).collect();
    assert!(!left.contains("lock.info") && left.contains("main.tf"), "{left}");
}

/// A container killed from outside: the kubelet starts it again by itself; docker only tells of it.
#[test]
fn a_killed_container_comes_back_where_somebody_compares() {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    let now = lab.now();
    assert!(lab.run_until_idle(now));
    lab.input(Input::Job("kubectl create deployment web --image=nginx:1.29".into()));
    lab.input(Input::Job("docker run -d --name web nginx:1.29".into()));
    let limit = lab.now() + Span::seconds(60);
    lab.advance(limit, u64::MAX);
    assert!(!lab.has_jobs());
    assert_eq!((lab.take_started().len(), lab.running_containers()), (2, vec!["web".to_string()]));
    let name = lab
        .objects("pods")
        .iter()
        .map(|pod| pod["metadata"]["name"].str().to_string())
        .find(|name| name.starts_with("web-"));
    let name = name.unwrap();
    lab.input(Input::Kill(format!("pod/default/{name}")));
    lab.input(Input::Kill("container/web".into()));
    lab.input(Input::Kill("container/none".into()));
    let limit = lab.now() + Span::seconds(10);
    lab.advance(limit, u64::MAX);
    let pods = lab.objects("pods");
    let status = &pods.iter().find(|pod| pod["metadata"]["name"].str() == name).unwrap()["status"]["containerStatuses"]
        .items()[0];
    assert_eq!(status["restartCount"].int(), 1);
    assert_eq!(status.at(&["lastState", "terminated", "exitCode"]).int(), 137);
    assert!(status["state"].has("running"));
    assert!(lab.running_containers().is_empty());
    // What each command wrote has it as its cause, though they ran side by side.
    let caused = |line: &str| {
        let command = lab
            .trace()
            .entries()
            .find(|entry| matches!(&entry.what, What::Command { line: own } if own.contains(line)))
            .unwrap()
            .seq;
        lab.trace()
            .entries()
            .filter(|entry| entry.cause == command && entry.actor != Actor::Lab)
            .map(|entry| entry.actor)
            .collect::<Vec<_>>()
    };
    assert!(caused("kubectl").iter().all(|actor| *actor == Actor::User));
    assert!(caused("docker run").contains(&Actor::Docker));
    let again = lab.recording().play(lab.now());
    assert_eq!(again.trace().hash(), lab.trace().hash());
}

/// What one command declared is not what another is waited for, though it returned while the other still ran.
#[test]
fn a_command_converges_by_what_it_wrote_itself() {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    let now = lab.now();
    assert!(lab.run_until_idle(now));
    lab.input(Input::Job("kubectl create deployment web --image=nginx:1.29".into()));
    lab.input(Input::Job("sleep 30".into()));
    let limit = lab.now() + Span::seconds(60);
    lab.advance(limit, u64::MAX);
    let converged = lab.trace().entries().filter_map(|entry| match &entry.what {
        What::Converged { line } => Some(line.as_str()),
        _ => None,
    });
    assert_eq!(converged.collect::<Vec<_>>(), ["kubectl create deployment web --image=nginx:1.29"]);
}

/// What is deleted is gone when all that belonged to it is.
#[test]
fn a_deletion_converges_when_the_last_pod_is_gone() {
    for (make, delete) in [
        ("kubectl create deployment web --image=nginx:1.29 --replicas=3", "kubectl delete deployment web --wait=false"),
        ("kubectl create job web --image=busybox:1.36 -- sleep 3600", "kubectl delete job web"),
        ("kubectl run web --image=nginx:1.29", "kubectl delete pod web --wait=false"),
        // Before it has begun to run, too.
        ("kubectl create deployment web --image=nginx:1.29 --replicas=3", "sleep 0; kubectl delete deployment web"),
    ] {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        let start = lab.now();
        assert!(lab.run_until_idle(start + Span::seconds(60)));
        lab.input(Input::Line(make.into()));
        let pause = if delete.starts_with("sleep") { Span::millis(900) } else { Span::seconds(20) };
        lab.advance(lab.now() + pause, u64::MAX);
        lab.input(Input::Line(delete.into()));
        let of = |lab: &Lab| {
            lab.trace().entries().any(|entry| matches!(&entry.what, What::Converged { line } if line == delete))
        };
        let mine = |lab: &Lab| {
            lab.objects("pods").iter().filter(|pod| pod["metadata"]["namespace"].str() == "default").count()
        };
        let limit = lab.now() + Span::seconds(90);
        while !of(&lab) && lab.now() < limit {
            lab.advance(lab.now() + Span::millis(20), u64::MAX);
            assert!(!of(&lab) || mine(&lab) == 0, "{delete}: {} pods are left", mine(&lab));
        }
        assert!(of(&lab), "{delete}");
    }
}

/// The steps of the scenarios that are told to both tools are open at first, and done when their commands have run. The
/// page looks all the time, so what shows for a moment counts.
#[test]
fn compared_scenarios_can_be_walked_through() {
    for scenario in crate::scenario::ALL.into_iter().filter(|scenario| scenario.is_compared()) {
        let mut lab = Lab::new(scenario.setup());
        for file in scenario.files {
            lab.input(Input::WriteFile { path: file.path.into(), text: file.text.into() });
        }
        let mut lines: Vec<String> = Vec::new();
        let mut done = vec![false; scenario.steps.len()];
        for step in scenario.steps {
            lab.input(Input::Line(step.command.into()));
            lines.push(step.command.into());
            let limit = lab.now() + Span::seconds(40);
            while lab.now() < limit {
                let next = lab.now() + Span::millis(500);
                lab.advance(next, u64::MAX);
                for (index, step) in scenario.steps.iter().enumerate() {
                    done[index] |= scenario.is_open(index, &|at| done[at])
                        && step.check.holds(&|resource| lab.objects(resource), &lines);
                }
            }
            assert!(!lab.is_busy(), "{}: {}", scenario.id, step.command);
            if lines.len() == 1 {
                assert!(done[0] && !done[1] && !done[3], "{}: {done:?}", scenario.id);
            }
        }
        assert!(done.iter().all(|done| *done), "{}: {done:?}", scenario.id);
    }
}

#[test]
fn docker_and_terraform_command_lines_are_completed() {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    for line in [
        "docker run -d --name web -v data:/d nginx:1.25",
        "docker create --name idle busybox:1.36",
        "docker network create backend",
        "mkdir -p terraform.tfstate.d/prod",
    ] {
        lab.input(Input::Line(line.into()));
        let limit = lab.now() + Span::seconds(60);
        assert!(lab.run_until_idle(limit));
    }
    let state = r#"{"resources": [{"mode": "managed", "type": "docker_container", "name": "web", "instances":
        [{"index_key": 0}, {"index_key": "b"}]}, {"module": "module.m", "mode": "data", "type": "x", "name": "y",
        "instances": [{}]}], "outputs": {"url": {}}}"#;
    lab.input(Input::WriteFile { path: "terraform.tfstate".into(), text: state.into() });
    for (line, expected) in [
        ("docker ru", "run"),
        ("docker run --na", "--name"),
        ("docker run --network back", "backend"),
        ("docker run --network=back", "backend"),
        ("docker run --rm -d nginx:1.25", "nginx:1.25"),
        ("docker -H x ps --no", "--no-trunc"),
        ("docker container un", "unpause"),
        ("docker exec we", "web"),
        ("docker exec idl", ""),
        ("docker stop ", "web"),
        ("docker start ", "idle"),
        ("docker rm -v ", "idle"),
        ("docker rm -f ", "idle web"),
        ("docker stop web w", ""),
        ("docker exec web sh --na", ""),
        ("docker cp we", "web:"),
        ("docker network connect backend i", "idle"),
        ("docker volume rm ", "data"),
        ("docker inspect da", "data"),
        ("docker ps -f stat", "status="),
        ("docker ps -f status=ex", "exited"),
        ("docker ps --filter=status=pa", "paused"),
        ("docker run --restart un", "unless-stopped"),
        ("docker --log", "--log-level"),
        ("terraform pl", "plan"),
        ("terraform plan -de", "-destroy -detailed-exitcode"),
        ("terraform apply -target=docker_container.web[0", "docker_container.web[0]"),
        ("terraform state sh", "show"),
        ("terraform state show m", "module.m.data.x.y"),
        ("terraform -chdir=x wor", "workspace"),
        ("terraform workspace select p", "prod"),
        ("terraform output u", "url"),
        ("terraform -v", "-version"),
        ("terraform nosuch a", ""),
    ] {
        assert_eq!(lab.complete(line, line.len()).1.join(" "), expected, "{line}");
    }
}

#[test]
fn an_interrupted_command_says_how_it_took_it() {
    for (line, expected) in [
        ("sh -c 'trap \"exit 7\" INT; while :; do sleep 0.1; done'; echo after $?", "after 7\n0\n"),
        ("sleep 100; echo after", "130\n"),
        ("for i in 1 2 3; do sleep 100; done; echo after", "130\n"),
        ("while :; do :; done; echo after", "130\n"),
        ("while :; do sleep 0; done; echo after", "130\n"),
        ("(sleep 100; echo inside); echo after", "130\n"),
        ("cat | sleep 100; echo after", "130\n"),
    ] {
        let mut lab = Lab::new(Setup::new(Preset::Bare));
        let now = lab.now();
        assert!(lab.run_until_idle(now));
        for input in [Input::Line(line.into()), Input::Interrupt, Input::Line("echo $?".into())] {
            lab.input(input);
            let limit = lab.now() + Span::seconds(2);
            lab.run_until_idle(limit);
        }
        let text: String =
            lab.take_output().iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).collect();
        assert_eq!(text, expected, "{line}");
    }
}
