//! What happens to containers from outside of docker: the kernel, or somebody with a shell on the machine, ends a process.

use super::container::State;
use super::life::{GOOD_RUN, RESTART};
use super::{Cx, Engine};
use crate::base::Time;

/// A container that is between two runs, has not run for long since, or is not healthy.
pub struct Unwell {
    pub name: String,
    pub word: &'static str,
    pub exit: Option<i64>,
    pub restarts: i64,
    /// When it is started again.
    pub next: Option<Time>,
}

impl Engine {
    /// Ends a container's first process with SIGKILL, as the kernel would; docker learns of it as of any other end.
    pub fn kill_from_outside(&mut self, cx: &mut Cx<'_>, name: &str) -> bool {
        let found = self.containers.iter_mut().find(|(_, container)| container.name == name);
        let Some((id, running)) = found.and_then(|(id, container)| Some((id.clone(), container.running.as_mut()?)))
        else {
            return false;
        };
        running.kill(cx.now);
        self.go_on(cx, &id);
        true
    }

    /// Names of the containers that run, by name.
    pub fn running(&self) -> Vec<String> {
        let running = self.containers.values().filter(|container| container.running.is_some());
        let mut names: Vec<String> = running.map(|container| container.name.to_string()).collect();
        names.sort();
        names
    }

    /// Containers that should run, or be healthy, and are not (yet).
    pub fn unwell(&self, now: Time) -> Vec<Unwell> {
        let wrong = self.containers.values().filter_map(|container| {
            let health = container.health.as_ref().filter(|health| health.status != "healthy");
            let word = match container.state {
                State::Restarting => "restarting",
                State::Running if container.restarts > 0 && now - container.started? < GOOD_RUN => "running",
                State::Running => health?.status,
                _ => return None,
            };
            let ended = container.finished.filter(|_| container.state == State::Restarting);
            Some(Unwell {
                name: container.name.clone(),
                word,
                exit: (container.restarts > 0).then_some(container.exit_code),
                restarts: container.restarts,
                next: ended.map(|ended| ended + container.backoff + RESTART),
            })
        });
        wrong.collect()
    }
}
