//! What runs inside containers, as a learner sees it.

use crate::base::Span;
use crate::cluster::{Preset, Setup};
use crate::lab::{Input, Lab};

/// What a line typed at the terminal comes to; `^C` and `^D` are the keys.
fn typed(lab: &mut Lab, line: &str) -> String {
    lab.input(match line {
        "^C" => Input::Interrupt,
        "^D" => Input::EndOfInput,
        line => Input::Line(line.into()),
    });
    let limit = lab.now() + Span::seconds(20);
    lab.advance(limit, u64::MAX);
    let bytes: Vec<u8> = lab.take_output().into_iter().flat_map(|output| output.bytes).collect();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // The marks of the workstation's own prompt are no text.
    let mut parts = text.split("\x1b]133;");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once('\x07').map_or("", |(_, rest)| rest))
}

fn check(lab: &mut Lab, line: &str, want: &str) {
    assert_eq!(typed(lab, line), want, "{line}");
}

fn lab() -> Lab {
    let mut lab = Lab::new(Setup::new(Preset::Kind));
    // The prompt is there.
    let soon = lab.now() + Span::seconds(1);
    lab.advance(soon, u64::MAX);
    lab
}

#[test]
fn a_terminal_inside_a_container() {
    let mut lab = lab();
    typed(&mut lab, "kubectl run n --image=nginx");
    check(&mut lab, "kubectl exec -it n -- bash", "root@n:/# ");
    check(&mut lab, "cd /etc/nginx; ls conf.d", "default.conf\nroot@n:/etc/nginx# ");
    check(&mut lab, "cat <<EOF", "> ");
    check(&mut lab, "a", "> ");
    let warning = "bash: warning: here-document at line 1 delimited by end-of-file (wanted `EOF')\n";
    check(&mut lab, "^D", &format!("{warning}a\nroot@n:/etc/nginx# "));
    check(&mut lab, "sleep 100", "");
    check(&mut lab, "^C", "root@n:/etc/nginx# ");
    check(&mut lab, "cat", "");
    check(&mut lab, "one", "one\n");
    check(&mut lab, "^D", "root@n:/etc/nginx# ");
    check(&mut lab, "exit", "exit\n");
    check(&mut lab, "kubectl exec -it n -- sh", "# ");
    check(&mut lab, "^D", "");
    check(&mut lab, "kubectl exec n -- sh -c 'test -t 1 && echo yes || echo no'", "no\n");
}

#[test]
fn a_pod_of_the_moment_goes_with_its_session() {
    let mut lab = lab();
    let begun = typed(&mut lab, "kubectl run -it --rm x --image=busybox --restart=Never -- sh");
    assert!(begun.ends_with("pressing enter.\n/ # "), "{begun}");
    let ended = "Session ended, resume using 'kubectl attach x -c x -n default -i -t' command\n\
                 pod \"x\" deleted from default namespace\n";
    check(&mut lab, "^D", ended);
    check(&mut lab, "kubectl get pods", "No resources found in default namespace.\n");
    // The machine's own shell stays, and its here-documents end with the key too.
    check(&mut lab, "^D", "");
    typed(&mut lab, "cat <<EOF");
    assert!(typed(&mut lab, "^D").starts_with("bash: warning: here-document at line 1 delimited by end-of-file"));
    check(&mut lab, "echo here", "here\n");
}

const POD: &str = "kubectl apply -f - <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  initContainers:
  - {name: first, image: busybox, command: [sh, -c, 'echo one > /work/f'], volumeMounts: [{name: w, mountPath: /work}]}
  containers:
  - {name: web, image: nginx, volumeMounts: [{name: w, mountPath: /usr/share/nginx/html}]}
  - name: writer
    image: busybox
    command: [sh, -c, 'while true; do date >> /data/log; sleep 5; done']
    volumeMounts: [{name: w, mountPath: /data}]
  volumes: [{name: w, emptyDir: {}}]
EOF";

#[test]
fn an_empty_directory_is_one_for_the_whole_pod_and_its_life() {
    let mut lab = lab();
    typed(&mut lab, POD);
    check(&mut lab, "kubectl exec p -c web -- curl -s localhost/f", "one\n");
    let count = |lab: &mut Lab| {
        typed(lab, "kubectl exec p -c web -- grep -c UTC /usr/share/nginx/html/log").trim().parse().unwrap_or(0)
    };
    let before: u32 = count(&mut lab);
    assert!(before >= 2, "{before}");
    // Its container begins anew, what it wrote stays.
    check(&mut lab, "kubectl exec p -c writer -- sh -c 'kill -9 1; echo $?'", "0\n");
    typed(&mut lab, "kubectl exec p -c web -- sh -c 'kill 1'");
    assert!(typed(&mut lab, "kubectl get pod p --no-headers").contains("2/2   Running   1 ("));
    assert!(count(&mut lab) > before);
    check(&mut lab, "kubectl exec p -c writer -- wget -qO- localhost/f", "one\n");
    check(
        &mut lab,
        "kubectl exec p -c writer -- wget -qO- localhost:81",
        "wget: can't connect to remote host (127.0.0.1): Connection refused\ncommand terminated with exit code 1\n",
    );
    let log = typed(&mut lab, "kubectl logs p -c web --tail=1");
    assert!(log.starts_with("127.0.0.1 - - ["), "{log}");
}

#[test]
fn what_an_image_has_is_there_and_a_hole_is_told() {
    let mut lab = lab();
    for (name, rest) in [
        ("py", "python:3.12 -- python app.py"),
        ("pyc", "python:3.12 --restart=Never -- python -c 'print(1)'"),
        ("bb", "busybox -- sleep 999"),
        ("typo", "ngnix"),
    ] {
        typed(&mut lab, &format!("kubectl run {name} --image={rest}"));
    }
    typed(&mut lab, "sleep 20");
    let told = lab.take_notices().join("\n");
    assert!(told.contains("not simulated here: program: python; "), "{told}");
    assert!(told.contains("not simulated here: image: ngnix:latest; Drydock knows "), "{told}");
    check(&mut lab, "kubectl logs py", "python: can't open file '/app.py': [Errno 2] No such file or directory\n");
    check(&mut lab, "kubectl get pod pyc -o jsonpath='{.status.phase}'", "Running");
    check(&mut lab, "kubectl exec pyc -- python --version", "Python 3.12.12\n");
    check(
        &mut lab,
        "kubectl exec pyc -- pip list",
        "not simulated here: program: pip\ncommand terminated with exit code 1\n",
    );
    check(&mut lab, "kubectl exec bb -- kill 1", "");
    check(&mut lab, "kubectl exec bb -- id", "uid=0(root) gid=0(root) groups=0(root)\n");
    let node = typed(&mut lab, "kubectl get nodes -o jsonpath='{.items[0].status.nodeInfo.kernelVersion}{\"\\n\"}'");
    check(&mut lab, "kubectl exec bb -- uname -r", &node);
    assert!(lab.trace().entries().any(|entry| crate::lab::describe(entry).contains("mark gap not simulated here")));
}
