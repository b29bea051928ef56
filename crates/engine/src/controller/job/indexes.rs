//! The indexes of an Indexed Job: their text, and the pod of one.

use crate::base::BTreeSet;

use crate::api::object;
use crate::base::Value;
use crate::map;

const INDEX: &str = "batch.kubernetes.io/job-completion-index";
/// Indexes a text may stand for.
const MOST: i64 = 100_000;

/// `0-2,5`
pub fn parse(text: &str) -> BTreeSet<i64> {
    let mut all = BTreeSet::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
            all.extend((first..=last).take(MOST as usize));
        }
    }
    all
}

/// Two in a row stand one by one, three and more as a range.
pub fn text(all: &BTreeSet<i64>) -> String {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for index in all {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *index => *last = *index,
            _ => runs.push((*index, *index)),
        }
    }
    let show = |(first, last): &(i64, i64)| match last - first {
        0 => first.to_string(),
        1 => format!("{first},{last}"),
        _ => format!("{first}-{last}"),
    };
    runs.iter().map(show).collect::<Vec<_>>().join(",")
}

pub fn of_pod(pod: &Value) -> Option<i64> {
    object::annotation(pod, INDEX).parse().ok()
}

/// The pod of an index.
pub fn pod(base: &Value, job: &Value, index: i64) -> Value {
    let mut pod = base.clone();
    let name = format!("{}-{index}", object::name(job));
    pod.set(&["metadata", "generateName"], format!("{name}-"));
    pod.set(&["metadata", "annotations", INDEX], index.to_string());
    pod.set(&["metadata", "labels", INDEX], index.to_string());
    pod.set(&["spec", "hostname"], name);
    let variable = map! {
        "name" => "JOB_COMPLETION_INDEX",
        "valueFrom" => map! { "fieldRef" => map! { "fieldPath" => format!("metadata.labels['{INDEX}']") } },
    };
    for list in ["containers", "initContainers"] {
        if pod["spec"][list].items().is_empty() {
            continue;
        }
        for container in pod.at_mut(&["spec", list]).list_mut() {
            let has = container["env"].items().iter().any(|one| one["name"].str() == "JOB_COMPLETION_INDEX");
            if !has {
                container.at_mut(&["env"]).list_mut().push(variable.clone());
            }
        }
    }
    pod
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_indexes() {
        for (list, want) in [("0,1,2,5", "0-2,5"), ("0,1", "0,1"), ("3", "3"), ("0-4,7,9-10", "0-4,7,9,10"), ("", "")] {
            assert_eq!(text(&parse(list)), want);
        }
    }
}
