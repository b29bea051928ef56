//! What a user feels with many objects, each at two sizes: the time an object takes must not grow with their number.
//! `cargo bench -p drydock-engine --bench paths`, or `-- get idle` for some.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench measures and tells"
)]

use std::fmt::Write;
use std::time::{Duration, Instant};

use engine::base::Span;
use engine::cluster::{Preset, Setup};
use engine::lab::Lab;

/// A way through the engine: what stands before the clock is started, and what is measured.
struct Path {
    name: &'static str,
    sizes: [u32; 2],
    before: fn(u32) -> Lab,
    measured: fn(&mut Lab, u32),
}

const PATHS: &[Path] = &[
    Path { name: "get", sizes: [1000, 5000], before: pods, measured: |lab, _| run(lab, "kubectl get pods -A >out") },
    Path {
        name: "wide",
        sizes: [1000, 5000],
        before: pods,
        measured: |lab, _| run(lab, "kubectl get pods -o wide >out"),
    },
    Path {
        name: "yaml",
        sizes: [1000, 5000],
        before: pods,
        measured: |lab, _| run(lab, "kubectl get pods -o yaml >out"),
    },
    Path { name: "events", sizes: [1000, 5000], before: pods, measured: |lab, _| run(lab, "kubectl get events >out") },
    Path {
        name: "describe",
        sizes: [50, 250],
        before: pods,
        measured: |lab, _| run(lab, "kubectl describe pods >out"),
    },
    Path {
        name: "node",
        sizes: [1000, 5000],
        before: pods,
        measured: |lab, _| run(lab, "kubectl describe nodes >out"),
    },
    Path { name: "apply", sizes: [500, 2000], before: |_| fresh(1), measured: apply },
    Path { name: "pods", sizes: [500, 2000], before: |n| fresh(n.div_ceil(50)), measured: apply_pods },
    Path {
        name: "namespace",
        sizes: [1000, 5000],
        before: pods,
        measured: |lab, _| run(lab, "kubectl delete ns shop"),
    },
    Path { name: "scale", sizes: [1000, 5000], before: pods, measured: scale_down },
    Path { name: "foreground", sizes: [1000, 5000], before: pods, measured: foreground },
    Path { name: "restart", sizes: [500, 2500], before: pods, measured: restart },
    Path { name: "watch", sizes: [1000, 5000], before: |n| fresh(n.div_ceil(50)), measured: watch },
    Path { name: "service", sizes: [500, 1500], before: |n| fresh(n.div_ceil(50)), measured: service },
    Path { name: "jobs", sizes: [250, 1000], before: |n| fresh(n.div_ceil(50)), measured: jobs },
    Path { name: "idle", sizes: [10, 50], before: fresh, measured: |lab, _| pass(lab, Span::seconds(3600)) },
    Path { name: "clone", sizes: [1000, 5000], before: pods, measured: |lab, _| drop(lab.clone()) },
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for path in PATHS.iter().filter(|path| asked.is_empty() || asked.iter().any(|one| one == path.name)) {
        let took = path.sizes.map(|size| {
            let mut lab = (path.before)(size);
            let start = used();
            (path.measured)(&mut lab, size);
            (used() - start).as_secs_f64() * 1e6 / f64::from(size)
        });
        println!(
            "{:<12}{:>7} {:>9.1} µs each {:>7} {:>9.1} µs each   × {:.2}",
            path.name,
            path.sizes[0],
            took[0],
            path.sizes[1],
            took[1],
            took[1] / took[0]
        );
    }
}

/// The processor's time where the system tells it: other work on the machine does not count.
fn used() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn fresh(nodes: u32) -> Lab {
    let mut setup = Setup::new(Preset::BareWorkers);
    setup.nodes = nodes.max(1);
    let mut lab = Lab::new(setup);
    run(&mut lab, "kubectl create ns shop; kubectl config set-context --current --namespace shop");
    lab
}

fn run(lab: &mut Lab, script: &str) {
    let limit = lab.now() + Span::seconds(3600);
    let job = lab.start_script(script, false);
    assert!(lab.run_while(limit, |lab| lab.exit_code(job).is_none()), "{script} ends");
    lab.take_output();
}

fn pass(lab: &mut Lab, span: Span) {
    let until = lab.now() + span;
    lab.run_while(until, |_| true);
}

fn deployment(replicas: u32) -> String {
    format!(
        "kubectl apply -f - <<'END'\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  \
         replicas: {replicas}\n  selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: \
         {{labels: {{app: web}}}}\n    spec:\n      containers: [{{name: c, image: nginx:1.29.0}}]\nEND\n"
    )
}

fn until_ready(lab: &mut Lab, replicas: u32) {
    let limit = lab.now() + Span::seconds(3600);
    let all = ["replicas", "updatedReplicas", "readyReplicas"];
    let ready = |lab: &Lab| {
        let count = i64::from(replicas);
        lab.objects("deployments.apps").iter().any(|it| {
            it["status"]["observedGeneration"] == it["metadata"]["generation"]
                && all.iter().all(|field| it["status"][*field].int() == count)
        })
    };
    assert!(lab.run_while(limit, |lab| !ready(lab)), "{replicas} replicas are Ready");
}

fn pods(count: u32) -> Lab {
    let mut lab = fresh(count.div_ceil(50));
    run(&mut lab, &deployment(count));
    until_ready(&mut lab, count);
    lab
}

fn apply(lab: &mut Lab, count: u32) {
    let mut script = "kubectl apply -f - <<'END'\n".to_owned();
    for number in 0..count {
        let _ =
            write!(script, "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: c{number}}}, data: {{a: b}}}}\n");
    }
    run(lab, &(script + "END\n"));
    pass(lab, Span::seconds(10));
}

fn apply_pods(lab: &mut Lab, count: u32) {
    let mut script = "kubectl apply -f - <<'END'\n".to_owned();
    for number in 0..count {
        let _ = write!(
            script,
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{number}}}\nspec: {{containers: [{{name: c, image: \
             nginx:1.29.0}}]}}\n"
        );
    }
    run(lab, &(script + "END\n"));
    pass(lab, Span::seconds(30));
}

fn scale_down(lab: &mut Lab, _: u32) {
    run(lab, "kubectl scale deployment web --replicas 1");
    let limit = lab.now() + Span::seconds(3600);
    assert!(lab.run_while(limit, |lab| lab.cluster.server.store.count("pods") > 1), "pods go");
}

fn foreground(lab: &mut Lab, _: u32) {
    run(lab, "kubectl delete deployment web --cascade=foreground");
}

fn restart(lab: &mut Lab, count: u32) {
    run(lab, "kubectl rollout restart deployment web");
    until_ready(lab, count);
}

fn watch(lab: &mut Lab, count: u32) {
    lab.start_script("kubectl get pods --watch >out", false);
    run(lab, &deployment(count));
    until_ready(lab, count);
}

fn service(lab: &mut Lab, count: u32) {
    run(lab, "kubectl create service clusterip web --tcp 80");
    run(lab, &deployment(count));
    until_ready(lab, count);
}

fn jobs(lab: &mut Lab, count: u32) {
    let mut script = "kubectl apply -f - <<'END'\n".to_owned();
    for number in 0..count {
        let _ = write!(
            script,
            "---\napiVersion: batch/v1\nkind: Job\nmetadata: {{name: j{number}}}\nspec: {{template: {{spec: {{restartPolicy: \
             Never, containers: [{{name: c, image: busybox, command: ['true']}}]}}}}}}\n"
        );
    }
    run(lab, &(script + "END\n"));
    pass(lab, Span::seconds(120));
}
