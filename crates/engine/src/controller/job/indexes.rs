//! The indexes of an Indexed Job: their text, the pod of one, and the success policy that asks for them.

use crate::base::BTreeSet;

use crate::api::object;
use crate::base::Value;
use crate::map;

const INDEX: &str = "batch.kubernetes.io/job-completion-index";
/// Indexes a text may stand for.
const MOST: i64 = 100_000;

/// `0-2,5`; those below the number of completions.
pub fn parse(text: &str, completions: i64) -> BTreeSet<i64> {
    let mut all = BTreeSet::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
            all.extend((first.max(0)..=last.min(completions.saturating_sub(1))).take(MOST as usize));
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

pub fn of_pod(pod: &Value, completions: i64) -> Option<i64> {
    object::annotation(pod, INDEX).parse().ok().filter(|index| (0..completions).contains(index))
}

/// Why the indexes that are done are enough.
pub fn suffice(job: &Value, done: &BTreeSet<i64>) -> Option<String> {
    if done.is_empty() {
        return None;
    }
    let spec = &job["spec"];
    let completions = spec["completions"].int();
    let holds = |rule: &Value| {
        let least = rule["succeededCount"].as_int();
        let Some(wanted) = rule["succeededIndexes"].as_str() else {
            return least.is_some_and(|least| done.len() as i64 >= least);
        };
        let wanted = parse(wanted, completions);
        let met = wanted.intersection(done).count();
        !wanted.is_empty() && (met == wanted.len() || least.is_some_and(|least| met as i64 >= least))
    };
    let rule = spec["successPolicy"]["rules"].items().iter().position(holds)?;
    Some(format!("Matched rules at index {rule}"))
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
            assert_eq!(text(&parse(list, 20)), want);
        }
        for (completions, want) in [(0, ""), (1, "0"), (6, "0-2,5"), (9, "0-2,5,7,8"), (99, "0-2,5,7-9")] {
            assert_eq!(text(&parse("0-2,5,7-9,x,-1", completions)), want);
        }
    }

    #[test]
    fn rules_of_success() {
        let rule = |indexes: Option<&str>, count: Option<i64>| {
            let mut rule = Value::empty_map();
            if let Some(indexes) = indexes {
                rule.set(&["succeededIndexes"], indexes);
            }
            if let Some(count) = count {
                rule.set(&["succeededCount"], count);
            }
            rule
        };
        for (indexes, count, done, want) in [
            (Some("0"), None, "0", true),
            (Some("0"), None, "1-4", false),
            (Some("0,3-4"), None, "0,4", false),
            (Some("0,3-4"), None, "0,3,4", true),
            (Some("0,3-4"), Some(1), "1,4", true),
            (Some("0,3-4"), Some(2), "1,4", false),
            (None, Some(2), "3", false),
            (None, Some(2), "1,3", true),
            (Some("7"), None, "1,3", false),
            (Some("0"), Some(0), "", false),
        ] {
            let never = rule(Some("9"), None);
            let job = map! { "spec" => map! {
                "completions" => 5_i64, "successPolicy" => map! { "rules" => vec![never, rule(indexes, count)] },
            } };
            let want = want.then(|| "Matched rules at index 1".to_owned());
            assert_eq!(suffice(&job, &parse(done, 5)), want, "{indexes:?} {count:?} {done}");
        }
    }
}
