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

    /// Whether a step can be done yet: a command counts once what the steps before it look for in the cluster has been
    /// there, since it is about that.
    pub fn is_open(&self, index: usize, is_done: &dyn Fn(usize) -> bool) -> bool {
        let is_command = self.steps.get(index).is_some_and(|step| step.check.is_command());
        !is_command
            || self.steps.iter().take(index).enumerate().all(|(at, step)| step.check.is_command() || is_done(at))
    }

    /// A control plane and two workers.
    pub fn setup(&self) -> Setup {
        Setup { nodes: 3, ..Setup::new(Preset::Kind) }
    }
}

impl Check {
    fn is_command(&self) -> bool {
        matches!(self, Check::Entered(_) | Check::Gone(..))
    }

    /// `objects` lists a resource, `lines` are the commands entered since the step was open.
    pub fn holds(&self, objects: &dyn Fn(&str) -> Vec<Value>, lines: &[String]) -> bool {
        let entered = |start: &str| lines.iter().any(|line| is_command(line, start));
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

/// Whether a line has a command that begins with these words, flags apart; the last word may go on.
fn is_command(line: &str, start: &str) -> bool {
    line.split(['\n', ';', '&', '|']).any(|command| {
        let mut words = command.split_whitespace();
        let mut wanted = start.split(' ').peekable();
        let mut was_flag = false;
        while let Some(want) = wanted.peek().copied() {
            let Some(word) = words.next() else { return false };
            let is_last = wanted.clone().count() == 1;
            let fits = if is_last { word.starts_with(want) } else { word == want };
            match (fits, word.starts_with('-')) {
                (true, _) => drop(wanted.next()),
                // A flag may have its value behind it.
                (false, true) => was_flag = !word.contains('='),
                (false, false) if was_flag => was_flag = false,
                (false, false) => return false,
            }
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command that is about something counts once that has been there: in no scenario can the last step be done alone.
    #[test]
    fn commands_wait_for_what_they_are_about() {
        let open = |id: &str, done: &[usize]| -> Vec<usize> {
            let scenario = Scenario::find(id).unwrap();
            (0..scenario.steps.len()).filter(|at| scenario.is_open(*at, &|it| done.contains(&it))).collect()
        };
        assert_eq!(open("first-pod", &[]), [0, 1, 2]);
        assert_eq!(open("first-pod", &[1]), [0, 1, 2]);
        assert_eq!(open("first-pod", &[1, 2]), [0, 1, 2, 3, 4]);
        assert_eq!(open("missing-tag", &[]), [0, 1, 3]);
        assert_eq!(open("missing-tag", &[0, 1]), [0, 1, 2, 3]);
        assert_eq!(open("missing-tag", &[0, 1, 3]), [0, 1, 2, 3, 4]);
        for scenario in ALL.into_iter().filter(|scenario| !scenario.is_compared()) {
            assert!(!open(scenario.id, &[]).contains(&(scenario.steps.len() - 1)), "{}", scenario.id);
        }
    }

    #[test]
    fn commands_are_known_in_any_dress() {
        for (line, start, is) in [
            ("kubectl get nodes", "kubectl get no", true),
            ("  kubectl   get no -o wide", "kubectl get no", true),
            ("kubectl -n default get node/kind-worker", "kubectl get no", true),
            ("kubectl get --watch=false nodes", "kubectl get no", true),
            ("ls; kubectl get nodes | grep x", "kubectl get no", true),
            ("terraform init&&terraform apply -auto-approve", "terraform init", true),
            ("terraform -chdir=. plan", "terraform plan", true),
            ("kubectl get pods nope", "kubectl get no", false),
            ("kubectl describe nodes", "kubectl get no", false),
            ("echo kubectl get nodes", "kubectl get no", false),
            ("kubectl get", "kubectl get no", false),
            ("", "kubectl get no", false),
        ] {
            assert_eq!(is_command(line, start), is, "{line}");
        }
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
