//! How fast this machine's browser brings a Deployment to life: `?bench=1000x10` runs it instead of the page and tells
//! in a line. The native twin is the engine's bench `replicas`.

use engine::base::Span;
use engine::cluster::{Preset, Setup};
use engine::lab::Lab;

use crate::browser::wall_clock;

/// From `kubectl apply` to all replicas Ready, for `REPLICASxNODES`.
#[inline(never)]
pub fn run(size: &str) -> Option<String> {
    let (replicas, nodes) = size.split_once('x')?;
    let (replicas, nodes): (u32, u32) = (replicas.parse().ok()?, nodes.parse().ok()?);
    let mut lab =
        Lab::with(Setup { nodes: nodes.clamp(1, 200), ..Setup::new(Preset::BareWorkers) }, crate::side::programs());
    let manifest = format!(
        "kubectl apply -f - <<'END'\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  \
         replicas: {replicas}\n  selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: \
         {{labels: {{app: web}}}}\n    spec:\n      containers: [{{name: c, image: nginx:1.29.0}}]\nEND\n"
    );
    let (start, from, steps) = (wall_clock(), lab.now(), lab.cluster.steps);
    lab.start_script(&manifest, false);
    let ready = |lab: &Lab| {
        lab.objects("deployments.apps").iter().any(|it| it["status"]["readyReplicas"].int() == i64::from(replicas))
    };
    let all = lab.run_while(from + Span::seconds(3600), |lab| !ready(lab));
    let took = wall_clock() - start;
    let (steps, virtual_time) = (lab.cluster.steps - steps, (lab.now() - from).as_millis());
    let each = took * 1000.0 / f64::from(replicas.max(1));
    let end = if all { "" } else { " (not all Ready)" };
    Some(format!(
        "{replicas} replicas on {nodes} nodes: {took:.0} ms, {each:.0} µs a pod, {steps} steps, {virtual_time} virtual ms{end}"
    ))
}
