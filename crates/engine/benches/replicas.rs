//! How long a Deployment takes from `kubectl apply` to all replicas Ready, and what a pod costs in memory:
//! `cargo bench -p drydock-engine`, or `-- 1000` for one size.

#![allow(unsafe_code, reason = "an allocator that counts")]
#![expect(clippy::disallowed_types, clippy::print_stdout, reason = "a bench measures and tells")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use engine::base::Span;
use engine::cluster::{Preset, Setup};
use engine::lab::Lab;

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        CALLS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Replicas, nodes.
const SIZES: [(u32, u32); 3] = [(300, 10), (1_000, 10), (10_000, 100)];

fn fresh(nodes: u32) -> Lab {
    let mut setup = Setup::new(Preset::BareWorkers);
    setup.nodes = nodes;
    Lab::new(setup)
}

fn manifest(replicas: u32) -> String {
    format!(
        "kubectl apply -f - <<'END'\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  \
         replicas: {replicas}\n  selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: \
         {{labels: {{app: web}}}}\n    spec:\n      containers: [{{name: c, image: nginx:1.29.0}}]\nEND\n"
    )
}

/// From the command to the last Ready pod; the Lab then.
fn to_ready(mut lab: Lab, replicas: u32) -> Lab {
    let limit = lab.now() + Span::seconds(3600);
    lab.start_script(&manifest(replicas), false);
    let ready = |lab: &Lab| {
        lab.objects("deployments.apps").iter().any(|it| it["status"]["readyReplicas"].int() == i64::from(replicas))
    };
    assert!(lab.run_while(limit, |lab| !ready(lab)), "{replicas} replicas become Ready");
    lab
}

fn replicas(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("replicas");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for (replicas, nodes) in SIZES {
        let lab = fresh(nodes);
        group.bench_with_input(BenchmarkId::from_parameter(replicas), &replicas, |bencher, replicas| {
            bencher.iter_batched(|| lab.clone(), |lab| to_ready(lab, *replicas), BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// One run of each size asked for, told in a line: what criterion does not measure.
fn told(_: &mut Criterion) {
    let asked: Vec<String> = std::env::args().collect();
    let is_size = |text: &String| text.parse::<u32>().is_ok();
    for (replicas, nodes) in SIZES {
        if asked.iter().any(is_size) && !asked.contains(&replicas.to_string()) {
            continue;
        }
        let lab = fresh(nodes);
        let (held, calls, steps) = (HELD.load(Ordering::Relaxed), CALLS.load(Ordering::Relaxed), lab.cluster.steps);
        let start = Instant::now();
        let at = lab.now();
        let lab = to_ready(lab, replicas);
        let took = start.elapsed();
        let per = |n: usize| n / replicas as usize;
        println!(
            "{replicas} replicas on {nodes} nodes: {} ms, {} µs a pod, {} bytes and {} allocations a pod, {} steps, {} virtual ms",
            took.as_millis(),
            took.as_micros() / u128::from(replicas),
            per(HELD.load(Ordering::Relaxed) - held),
            per(CALLS.load(Ordering::Relaxed) - calls),
            lab.cluster.steps - steps,
            (lab.now() - at).as_millis(),
        );
    }
}

criterion_group!(benches, told, replicas);
criterion_main!(benches);
