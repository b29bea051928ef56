//! What never ends by itself: it costs whoever waits for something else next to nothing, however long they wait.

use engine::base::Span;

use super::{Case, check, holds};

const HOUR: i64 = 3600;

/// Lines that end by themselves, within so much virtual time; what they print at the end.
fn ends(cases: &[(&str, i64, &str)]) {
    for (line, seconds, want) in cases {
        let what: String = line.chars().take(90).collect();
        let text = Case::new(&what).line(line).go(Span::seconds(*seconds), 2_000_000).done();
        holds(&what, &text, want);
    }
}

pub fn cases() {
    containers();
    pods();
    hooks();
    floods();
    crowds();
    texts();
}

fn containers() {
    for program in [
        "sh -c 'while :; do :; done'",
        "sh -c 'while true; do sleep 0; done'",
        "sh -c 'while true; do sleep 0.001; done'",
        "sh -c 'while :; do x=$(echo a); done'",
        "sh -c 'while :; do wget -qO- 127.0.0.1; done'",
        "sh -c 'yes | cat > /dev/null'",
        "sh -c 'f() { f | f & }; f; sleep 1000000'",
        "yes",
        "cat /dev/zero",
        "cat /dev/urandom",
        "sh -c 'cat /dev/zero > /dev/null'",
    ] {
        let line = format!("docker run -d busybox {program} > id 2>&1; sleep 20000; docker ps -q | wc -l");
        ends(&[(&line, 6 * HOUR, "1\n")]);
    }
    ends(&[
        (
            "for i in 1 2 3; do docker run -d busybox sh -c 'while :; do :; done' > id 2>&1; done; sleep 3600; docker ps -q | wc -l",
            2 * HOUR,
            "3\n",
        ),
        (
            "docker run -d --restart always --name web busybox false > id 2>&1; sleep 20000; docker ps -a -q | wc -l",
            6 * HOUR,
            "1\n",
        ),
    ]);
}

fn pods() {
    for program in ["sh -c 'while :; do :; done'", "yes", "sh -c 'while :; do wget -qO- http://kubernetes; done'"] {
        let line = format!(
            "kubectl run a --image=busybox --restart=Never -- {program}; sleep 3600; kubectl get pods | tail -n 1"
        );
        ends(&[(&line, 2 * HOUR, "1/1     Running")]);
    }
}

/// Checks and hooks that do not come back: their time is up when it is, and those after them cost no more.
fn hooks() {
    ends(&[(
        "docker run -d --health-cmd 'while :; do :; done' --health-interval 5s --health-timeout 3s busybox sleep 10000 > id 2>&1; \
         sleep 600; docker ps --format '{{.Status}}'",
        HOUR,
        "(unhealthy)",
    )]);
    let endless = "exec: {command: [sh, -c, 'while :; do :; done']}";
    for (what, more, want) in [
        ("livenessProbe", format!("livenessProbe: {{periodSeconds: 1, {endless}}}"), "CrashLoopBackOff"),
        ("readinessProbe", format!("readinessProbe: {{periodSeconds: 1, {endless}}}"), "0/1     Running"),
        ("postStart", format!("lifecycle: {{postStart: {{{endless}}}}}"), "p "),
        ("preStop", format!("lifecycle: {{preStop: {{{endless}}}}}"), "No resources found"),
    ] {
        let text = format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n  - name: c\n    image: busybox\n    \
             command: [sleep, '100000']\n    {more}\n"
        );
        let last = if what == "preStop" { "kubectl delete pod p; " } else { "" };
        let line = format!("kubectl apply -f p.yaml; sleep 600; {last}kubectl get pods");
        let text = Case::new(what).file("p.yaml", text).line(&line).go(Span::seconds(2 * HOUR), 500_000).done();
        holds(what, &text, want);
    }
}

/// Output that comes faster than anybody reads.
fn floods() {
    check(
        "a log's end",
        "docker run -d --name web busybox yes > id 2>&1; sleep 60; docker logs --tail 2 web",
        "y\ny\n",
    );
    check("a log's start", "docker run -d --name web busybox yes > id 2>&1; docker logs -f web | head -n 1", "y\n");
    check("docker run", "docker run busybox yes 2> /dev/null | head -n 2", "y\ny\n");
    check("a long log", "docker run busybox seq 1 100000 2> /dev/null | tail -n 1", "100000\n");
    check("the last of many lines", "seq 1 3000000 | tail -n 1", "3000000\n");
}

/// Many of one kind.
fn crowds() {
    let mut case = Case::new("1500 containers");
    case.soon = std::time::Duration::from_secs(4);
    let line = "for i in {1..1500}; do docker run -d busybox sleep 10000; done > ids 2>&1; docker ps -q | wc -l";
    let text = case.line(line).go(Span::seconds(4 * HOUR), 2_000_000).done();
    holds("1500 containers", &text, "1500\n");
    check(
        "more networks than pools",
        "for i in {1..1000}; do docker network create net$i; done 2>&1 | tail -n 1",
        "all predefined address pools have been fully subnetted",
    );
    check(
        "no port is left",
        "docker run -d -p 32768-65535:32768-65535 nginx > id 2>&1; docker run -P nginx; echo after $?",
        "all ports are allocated",
    );
    check(
        "many labels",
        "docker run $(for i in {1..5000}; do echo -l a$i=b -e A$i=b; done) busybox env 2> /dev/null | wc -l",
        "500",
    );
    check(
        "many documents without content",
        "yes --- | head -n 100000 > a.yaml; kubectl apply -f a.yaml",
        "no objects passed to apply",
    );
    check("a selector of many", "kubectl get pods -l \"a in ($(seq -s, 1 100000))\"; echo after", "after");
    check("a selector of many terms", "kubectl get pods -l \"$(seq -s, -f 'a%g!=b' 1 20000)\"; echo after", "after");
    check("jsonpath upon itself", "kubectl get pods -A -o jsonpath='{..}{..}{..}{..}' | wc -c", "");
}

/// Texts a shell makes much of.
fn texts() {
    let long = "x=$(printf 'a%.0s' {1..5000}); ";
    let lines = [
        ("a word of many braces", format!("echo {} | wc -l", "{a,b}".repeat(32)), "1\n"),
        (
            "nested substitution",
            format!("echo {}a{}; echo after", "$(echo ".repeat(300), ")".repeat(300)),
            "nesting too deep",
        ),
        (
            "nested arithmetic",
            format!("echo $(({}1{})); echo after", "(".repeat(5000), ")".repeat(5000)),
            "recursion level exceeded",
        ),
        ("nested parentheses", format!("{}:{}; echo after", "( ".repeat(2000), " )".repeat(2000)), "nesting too deep"),
        ("a regular expression", format!("{long}[[ $x =~ ^(a*)*b$ ]]; echo $?"), "1\n"),
        ("a pattern", format!("{long}case $x in *a*a*a*a*a*a*a*b) echo y;; esac; echo after"), "after"),
        ("a replacement", format!("{long}echo ${{x//a*a*a*b/c}} | wc -c"), "5001\n"),
        ("grep", format!("{long}echo $x | grep -E '(a|aa)+b'; echo $?"), "1\n"),
        ("sed", format!("{long}echo $x | sed 's/\\(a*\\)*b//' | wc -c"), "5001\n"),
        ("a wide number", "printf '%1000000000d' 1 | wc -c".into(), "\n"),
        ("many words", "set -- {1..100000}; while [ $# -gt 0 ]; do shift; done; echo $#".into(), "0\n"),
        ("a doubling text", "x=x; for i in {1..200}; do x=$x$x; done; echo after".into(), "cannot allocate memory"),
        ("many files", "mkdir d; for i in {1..3000}; do : > d/$i; done; echo d/* | wc -w".into(), "3000\n"),
        ("a sort of many", "seq 1 300000 | sort -n | tail -n 1".into(), "300000\n"),
    ];
    for (what, line, want) in lines {
        check(what, &line, want);
    }
}
