//! What happens to containers from outside of docker: the kernel, or somebody with a shell on the machine, ends a process.

use super::{Cx, Engine};

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
}
