//! What clients of the API server keep between watch deliveries: caches with indexes, work queues with retries, the
//! event recorder, and the runner that lets a controller be one straight function (client-go's shared informers,
//! workqueue, and record packages).

mod caches;
mod queue;
mod recorder;
mod runner;

pub use caches::Caches;
pub use queue::Queue;
pub use recorder::{EventType, Recorder};
pub use runner::{Io, Reconciler, Runner, RunnerToken, Stop};
