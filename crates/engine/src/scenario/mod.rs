//! Scenarios: a cluster, files and a few steps to walk through, in both languages. A step names a command to try and a
//! check that says, from the objects alone, whether it has been done. Nothing here moves the world.

mod first_pod;
mod missing_tag;
mod outcomes;

use crate::api::object;
use crate::api::table::pod_summary;
use crate::base::Value;
use crate::cluster::{Preset, Setup};

pub static ALL: [&Scenario; 8] = [
    &first_pod::SCENARIO,
    &missing_tag::SCENARIO,
    &outcomes::NO_SUCH_TAG,
    &outcomes::EXITS_AT_ONCE,
    &outcomes::EXITS_LATER,
    &outcomes::NO_HEALTH_CHECK,
    &outcomes::NEVER_HEALTHY,
    &outcomes::HEALTHY,
];

#[derive(Debug)]
pub struct Scenario {
    pub id: &'static str,
    pub title: Both,
    pub summary: Both,
    pub files: &'static [File],
    pub steps: &'static [Step],
    /// What has been seen once all steps are done, and what else to try.
    pub closing: Both,
}

/// A text in English and Japanese.
#[derive(Debug)]
pub struct Both {
    pub en: &'static str,
    pub ja: &'static str,
}

/// A file in the learner's home directory; the first one is open.
#[derive(Debug)]
pub struct File {
    pub path: &'static str,
    pub text: &'static str,
}

#[derive(Debug)]
pub struct Step {
    pub title: Both,
    pub text: Both,
    /// What to type; "" when the step is only to look.
    pub command: &'static str,
    pub check: Check,
}

#[derive(Debug)]
pub enum Check {
    /// A command that starts like this was entered.
    Entered(&'static str),
    /// An object is there.
    Exists(&'static str, &'static str),
    /// The pod's condition Ready is True.
    PodReady(&'static str),
    /// A pod whose name starts like this shows one of these words.
    PodShows(&'static str, &'static [&'static str]),
    /// As many replicas as wanted are available.
    Available(&'static str),
    /// An object was there and is gone: the first command has been entered.
    Gone(&'static str, &'static str, &'static str),
}

impl Scenario {
    pub fn find(id: &str) -> Option<&'static Scenario> {
        ALL.into_iter().find(|scenario| scenario.id == id)
    }

    /// The one that comes after it, if it is not the last.
    pub fn next(&self) -> Option<&'static Scenario> {
        let place = ALL.iter().position(|scenario| scenario.id == self.id)?;
        ALL.get(place + 1).copied()
    }

    /// Whether it is told to both tools.
    pub fn is_compared(&self) -> bool {
        self.files.iter().any(|file| file.path.ends_with(".tf"))
    }

    /// Whether a step can be done yet: what is gone has been there before.
    pub fn is_open(&self, index: usize, is_done: &dyn Fn(usize) -> bool) -> bool {
        let Some(Check::Gone(resource, name, _)) = self.steps.get(index).map(|step| &step.check) else { return true };
        let made = |step: &Step| matches!(&step.check, Check::Exists(a, b) if a == resource && b == name);
        self.steps.iter().take(index).enumerate().all(|(at, step)| !made(step) || is_done(at))
    }

    /// A control plane and two workers.
    pub fn setup(&self) -> Setup {
        Setup { nodes: 3, ..Setup::new(Preset::Kind) }
    }
}

impl Check {
    /// `objects` lists a resource, `lines` are the commands entered so far.
    pub fn holds(&self, objects: &dyn Fn(&str) -> Vec<Value>, lines: &[String]) -> bool {
        let entered = |start: &str| lines.iter().any(|line| line.starts_with(start));
        let find = |resource: &str, name: &str| objects(resource).into_iter().find(|it| object::name(it) == name);
        match self {
            Check::Entered(start) => entered(start),
            Check::Exists(resource, name) => find(resource, name).is_some(),
            Check::PodReady(name) => find("pods", name).is_some_and(|pod| object::condition_is(&pod, "Ready", "True")),
            Check::PodShows(start, words) => objects("pods")
                .iter()
                .any(|pod| object::name(pod).starts_with(start) && words.contains(&pod_summary(pod).reason.as_str())),
            Check::Available(name) => find("deployments.apps", name).is_some_and(|deployment| {
                let (spec, status) = (&deployment["spec"], &deployment["status"]);
                let wanted = spec["replicas"].as_int().unwrap_or(1);
                status["observedGeneration"].int() == deployment["metadata"]["generation"].int()
                    && status["updatedReplicas"].int() == wanted
                    && status["availableReplicas"].int() == wanted
            }),
            Check::Gone(resource, name, start) => entered(start) && find(resource, name).is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_gone_before_it_has_been_there() {
        let scenario = Scenario::find("first-pod").unwrap();
        let steps = || scenario.steps.iter().enumerate();
        let made = steps().position(|(_, step)| matches!(step.check, Check::Exists("pods", "web"))).unwrap();
        let gone = steps().position(|(_, step)| matches!(step.check, Check::Gone("pods", "web", _))).unwrap();
        let open = |done: &[usize]| -> Vec<usize> {
            steps().map(|(at, _)| at).filter(|at| scenario.is_open(*at, &|it| done.contains(&it))).collect()
        };
        assert_eq!(open(&[]), steps().map(|(at, _)| at).filter(|at| *at != gone).collect::<Vec<_>>());
        assert_eq!(open(&[made]).len(), scenario.steps.len());
    }

    #[test]
    fn manifests_can_be_read_and_texts_are_there() {
        for scenario in ALL {
            assert!(Scenario::find(scenario.id).is_some());
            for file in scenario.files.iter().filter(|file| file.path.ends_with(".yaml")) {
                let stream = crate::base::yaml::read(file.text);
                assert_eq!(stream.error, None, "{}", file.path);
                assert!(!stream.documents.is_empty(), "{}", file.path);
            }
            let texts = scenario.steps.iter().flat_map(|step| [&step.title, &step.text]);
            for text in texts.chain([&scenario.title, &scenario.summary, &scenario.closing]) {
                assert!(!text.en.is_empty() && !text.ja.is_empty());
                assert!(text.en.replace(['—', '…', '⏎', '◉'], "").is_ascii(), "{}", text.en);
                assert!(!text.ja.is_ascii(), "{}", text.ja);
            }
        }
    }
}
