//! Latencies of the control plane and the nodes, in one place. Defaults lie inside or just below what was recorded on a
//! real cluster; intervals fixed by Kubernetes itself (leases, monitors, back-offs) stand with their owners.

use crate::base::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Weather {
    /// From Enter to kubectl's first request.
    pub kubectl_start: Span,
    /// What `kubectl rollout status` takes longer to its first request.
    pub rollout_start: Span,
    /// From kubectl's last word to its end.
    pub kubectl_exit: Span,
    /// GET, LIST, opening a watch.
    pub read: Span,
    /// From a write's issue to its commit, which is also when its answer leaves.
    pub write: Span,
    /// How long a write keeps the store from the next one.
    pub commit: Span,
    /// From one event of a component to its next: they are written one after another.
    pub event: Span,
    /// From a commit to every watcher.
    pub watch: Span,
    /// One scheduling attempt.
    pub schedule: Span,
    /// Kubelet: from seeing a bound pod to its first status write; from a DELETE to Killing.
    pub kubelet_first: Span,
    pub kubelet_kill: Span,
    /// Mounting volumes, making the sandbox, creating and starting a container.
    pub volumes: Span,
    pub sandbox: Span,
    pub create_container: Span,
    pub start_container: Span,
    /// Looking at a pod again after a sync that changed something.
    pub relist: Span,
    /// Asking a registry before any byte, and bytes per second.
    pub pull_overhead: Span,
    pub pull_rate: u64,
    /// Pulls that fail: missing tag or repository, unknown host, connection refused, no answer.
    pub pull_not_found: Span,
    pub pull_no_host: Span,
    pub pull_refused: Span,
    pub pull_timeout: Span,
    /// A process that ends at once on its stop signal, until the terminal status is written.
    pub stop_container: Span,
    /// The share by which waits in a container's back-off are longer than their base: more than the mean of their range,
    /// for a back-off over several waits ends with the first that oversteps it.
    pub back_off_jitter: f64,
    /// The share by which retry and resync waits are longer than their base.
    pub jitter: f64,
}

impl Default for Weather {
    fn default() -> Weather {
        Weather {
            kubectl_start: Span::millis(80),
            rollout_start: Span::millis(20),
            kubectl_exit: Span::micros(3500),
            read: Span::millis(5),
            write: Span::millis(6),
            commit: Span::micros(2500),
            event: Span::millis(10),
            watch: Span::millis(4),
            schedule: Span::millis(5),
            kubelet_first: Span::millis(10),
            kubelet_kill: Span::millis(20),
            volumes: Span::millis(300),
            sandbox: Span::millis(250),
            create_container: Span::millis(50),
            start_container: Span::millis(50),
            relist: Span::millis(20),
            pull_overhead: Span::millis(600),
            pull_rate: 25_000_000,
            pull_not_found: Span::millis(1200),
            pull_no_host: Span::millis(100),
            pull_refused: Span::millis(50),
            pull_timeout: Span::seconds(30),
            stop_container: Span::millis(120),
            back_off_jitter: 0.3,
            jitter: 0.25,
        }
    }
}

#[cfg(test)]
impl Weather {
    /// What the reference traces of the tests were reckoned with.
    pub fn of_the_traces() -> Weather {
        let step = Span::millis(10);
        Weather {
            write: step,
            commit: Span::ZERO,
            watch: step,
            back_off_jitter: 0.1,
            jitter: 0.1,
            ..Weather::default()
        }
    }
}
