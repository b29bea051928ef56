//! The machine on which recorded commands are given: each in a shell of its own, with the variables the recording has
//! set so far, on the virtual clock.

use engine::base::Span;
use engine::cluster::{Preset, Setup};
use engine::lab::{Lab, Output};
use engine::process::{Env, Pid};
use engine::workstation::login_env;

#[derive(Clone)]
pub struct Machine {
    pub lab: Lab,
    variables: Vec<(String, String)>,
    /// Said by commands that nobody has waited for yet.
    output: Vec<Output>,
}

impl Machine {
    pub fn new(preset: Preset) -> Machine {
        Machine { lab: Lab::new(Setup::new(preset)), variables: Vec::new(), output: Vec::new() }
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_string(), value.to_string()));
    }

    /// What a command finds in its environment.
    pub fn env(&self, fixed: &[(&str, &str)]) -> Env {
        let mut env = login_env();
        env.extend(fixed.iter().map(|(name, value)| (name.to_string(), value.to_string())));
        env.extend(self.variables.iter().cloned());
        env
    }

    pub fn pause(&mut self, seconds: f64) {
        if seconds > 0.0 {
            let until = self.lab.now() + Span::seconds_f64(seconds);
            self.lab.advance(until, u64::MAX);
        }
    }

    pub fn has_ended(&self, pid: Pid) -> bool {
        self.lab.station.exit(pid).is_some()
    }

    /// Lets the clock go on until a command has ended, for so long at most.
    pub fn wait(&mut self, pid: Pid, patience: Span) {
        let limit = self.lab.now() + patience;
        self.lab.run_while(limit, |lab| lab.station.exit(pid).is_none());
    }

    /// Waits for a command: its exit code (-1 when it has none) and what it said.
    pub fn finish(&mut self, pid: Pid, patience: Span) -> (i64, Vec<Output>) {
        self.wait(pid, patience);
        self.output.extend(self.lab.take_output());
        let said = self.output.extract_if(.., |output| output.job == pid).collect();
        (self.lab.station.exit(pid).map_or(-1, i64::from), said)
    }
}
