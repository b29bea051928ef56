//! Bad input by the doors users have: an answer soon, bounded memory, a Lab that goes on. Times are held in release
//! builds (`cargo test --release -p drydock-engine --test engine limits`), memory in all.

// How long each case took is for whoever asks with `--nocapture`.
#![allow(clippy::print_stdout)]

mod endless;
mod terraform;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use engine::base::Span;
use engine::base::http::{Body, Method, Request, User};
use engine::cluster::{Preset, Setup};
use engine::lab::{Input, Lab};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Above what the Lab holds before.
const MOST_MEMORY: usize = 200 << 20;
const SOON: Duration = Duration::from_millis(1500);

/// A Lab, and how long things take in it.
struct Case {
    what: String,
    lab: Lab,
    text: String,
    start: Instant,
    before: usize,
    soon: Duration,
}

impl Case {
    fn new(what: &str) -> Case {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        let limit = lab.now() + Span::seconds(1);
        lab.run_until_idle(limit);
        Case::on(what, lab)
    }

    fn on(what: &str, lab: Lab) -> Case {
        let before = HELD.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        Case { what: what.into(), lab, text: String::new(), start: Instant::now(), before, soon: SOON }
    }

    /// A line at the prompt.
    fn line(mut self, line: &str) -> Case {
        self.lab.input(Input::Line(line.into()));
        self
    }

    fn file(mut self, path: &str, text: String) -> Case {
        self.lab.input(Input::WriteFile { path: path.into(), text });
        self.start = Instant::now();
        self
    }

    /// Lets the clock run by this much, or until the prompt is back, or for as many steps.
    fn go(mut self, span: Span, steps: u64) -> Case {
        let until = self.lab.now() + span;
        for _ in 0..steps {
            self.read();
            if !self.lab.is_busy() || self.lab.next_at().is_none_or(|at| at > until) {
                break;
            }
            self.lab.step();
        }
        self.read();
        self
    }

    fn read(&mut self) {
        for notice in self.lab.take_notices() {
            self.text.push_str(&notice);
            self.text.push('\n');
        }
        for output in self.lab.take_output() {
            self.text.push_str(&String::from_utf8_lossy(&output.bytes));
        }
        if self.text.len() > 4 << 20 {
            self.text.clear();
        }
    }

    /// Ctrl+C brings the prompt back.
    fn interrupt(mut self) -> Case {
        if !self.lab.is_busy() {
            fail(&format!("{}: ended by itself", self.what));
        }
        self.lab.input(Input::Interrupt);
        self.go(Span::seconds(1), 50)
    }

    /// The prompt is back, and the time and memory it took were few; what was printed.
    fn done(self) -> String {
        let took = self.start.elapsed();
        let peak = PEAK.load(Ordering::Relaxed).saturating_sub(self.before);
        let shown: String = self.text.chars().take(300).collect();
        println!("{:40} {:6} ms {:6} KB  {shown:?}", self.what, took.as_millis(), peak >> 10);
        if self.lab.is_busy() {
            fail(&format!("{}: no prompt", self.what));
        }
        if peak > MOST_MEMORY {
            fail(&format!("{}: {} MB", self.what, peak >> 20));
        }
        if !cfg!(debug_assertions) && took > self.soon {
            fail(&format!("{}: {} ms", self.what, took.as_millis()));
        }
        self.text
    }
}

fn check(what: &str, line: &str, want: &str) {
    let text = Case::new(what).line(line).go(Span::seconds(3600), 20_000).done();
    holds(what, &text, want);
}

fn holds(what: &str, text: &str, want: &str) {
    if !text.contains(want) {
        fail(&format!("{what}: {:?}", text.chars().take(400).collect::<String>()));
    }
}

/// All failures are told, not just the first.
static FAILURES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn fail(text: &str) {
    println!("FAILED {text}");
    FAILURES.lock().unwrap().push(text.into());
}

#[test]
fn limits() {
    // One after another: memory is counted for the whole process.
    manifests();
    shells();
    numbers();
    endless::cases();
    terraform::cases();
    let failures = FAILURES.lock().unwrap();
    assert!(failures.is_empty(), "{failures:#?}");
}

fn manifests() {
    let garbage: String =
        (0..1_000_000u32).map(|n| char::from(33 + (n.wrapping_mul(2_654_435_761) >> 25) as u8 % 94)).collect();
    let deep = 10_000;
    let cases = [
        ("garbage", garbage.clone(), "error"),
        ("garbage in lines", garbage.replace('a', "\n"), "error"),
        ("deep YAML, flow", "[".repeat(deep), "error"),
        ("deep YAML, block", (0..deep / 10).map(|n| format!("{}a:\n", " ".repeat(n))).collect(), "error"),
        ("deep JSON", format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep)), "error"),
        (
            "a long line",
            format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata: {{a: {}}}\n", "x".repeat(900_000)),
            "may not be more than 262144 bytes",
        ),
        (
            "aliases that grow",
            format!(
                "a0: &a0 [x,x,x,x,x,x,x,x,x]\n{}",
                (1..12)
                    .map(|n| format!("a{n}: &a{n} [{}*a{m}]\n", format!("*a{m}, ", m = n - 1).repeat(8), m = n - 1))
                    .collect::<String>()
            ),
            "error",
        ),
        ("many documents", "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a}\n---\n".repeat(20_000), ""),
    ];
    for (what, text, want) in cases {
        let case = Case::new(what).file("a.yaml", text).line("kubectl apply -f a.yaml").go(Span::seconds(60), 20_000);
        let case = if case.lab.is_busy() { case.interrupt() } else { case };
        let text = case.done();
        holds(what, &text, want);
    }
}

fn shells() {
    for line in [
        "while true; do :; done",
        "while :; do echo y; done",
        "yes",
        "seq 1 1000000000",
        "f() { f | f & }; f; sleep 1000",
        "while :; do x=$(echo a); done",
        "cat /dev/zero",
        "while :; do sleep 0; done",
        "for ((;;)); do kubectl get pods; done",
    ] {
        let case = Case::new(line).line(line).go(Span::seconds(5), 20);
        case.interrupt().done();
    }
    check("yes | head", "yes | head -n 3", "y\ny\ny\n");
    check("recursion", "f() { f; }; f; echo after $?", "maximum function nesting level exceeded");
    check("recursion by substitution", "f() { echo $(f); }; f; echo after $?", "after ");
    check(
        "a file into itself",
        "echo a > a; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26; do cat a >> a; done; echo after",
        "cat: a: input file is output file",
    );
    check("a full disk", "yes > a; echo after $?", "yes: write error: No space left on device\nafter 1");
    check(
        "a long word",
        "x=a; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26; do x=$x$x; done; echo after",
        "cannot allocate memory",
    );
    check("braces", "echo {1..1000000000} | wc -c", "");
    check("a long line", &format!("echo {} | wc -c", "x".repeat(200_000)), "200001");
}

/// The pod that is too many is refused as not simulated.
fn most_pods() {
    let mut case = Case::new("20000 pods");
    case.soon = Duration::from_secs(10);
    let admin = User { name: "kubernetes-admin".into(), groups: vec!["system:masters".into()] };
    let mut request = Request::new(&admin, "test", Method::Post, "/api/v1/namespaces/default/pods");
    request.content_type = "application/json".into();
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"a-"},"spec":{"containers":[{"name":"c","image":"a"}]}}"#;
    request.body = Body::Text(pod.into());
    let refused = (0..20_001).map(|_| case.lab.write_past_the_clock(&request)).find(|response| !response.ok());
    let message = refused.map(|response| response.value()["message"].str().to_string()).unwrap_or_default();
    holds("20000 pods", &message, "not simulated here: clusters of more than 20000 pods");
    case.done();
}

fn numbers() {
    let text = Case::new("a milliard replicas")
        .line(
            "kubectl create deployment web --image=nginx --replicas=1000000000; sleep 2; kubectl get deployment web; \
             kubectl get replicasets",
        )
        .go(Span::seconds(60), 200_000)
        .done();
    holds("a milliard replicas", &text, "deployment.apps/web created");
    holds("a milliard replicas", &text, "/1000000000");
    most_pods();
    let objects = "for i in {1..200}; do echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: c'$i'}}'; echo ---; done > a.yaml; \
         kubectl create -f a.yaml | tail -n 1; kubectl get configmaps --no-headers | wc -l";
    check("200 objects", objects, "configmap/c200 created\n201\n");
}
