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
    let before = (lab.trace().hash(), lab.now());
    #[rustfmt::skip]
    let cases: [(&str, &str); 13] = [
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
        let limit = lab.now() + Span::seconds(60);
        assert!(lab.run_until_idle(limit));
        lab.input(Input::Line((*line).into()));
    }
    let limit = lab.now() + Span::seconds(60);
    assert!(lab.run_until_idle(limit));
    lab.take_output().iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).collect()
}

#[test]
fn a_here_document_may_be_typed() {
    let text = typed(&["cat > f <<'EOF'", "a", "", "b $HOME", "EOF", "cat f"]);
    assert_eq!(text, "a\n\nb $HOME\n");
}

#[test]
fn a_busy_program_can_be_ended_soon() {
    for line in ["while true; do :; done", "yes > /dev/null", "seq 1 1000000000 | tail -1"] {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        lab.input(Input::Line(line.into()));
        assert_eq!(lab.advance(lab.now() + Span::seconds(1), 500), Reached::Budget, "{line}");
        lab.input(Input::Interrupt);
        let limit = lab.now() + Span::seconds(1);
        assert!(lab.run_until_idle(limit), "{line}");
    }
}
