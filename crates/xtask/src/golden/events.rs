//! Lists of events. In tables, which of two that were made in one second comes first is chance; in JSON, what
//! `timelines.md` section 3 says of events holds: their set and counts, and per object the order of their first
//! occurrences, but for the texts that depend on the image cache and for counts that follow from intervals.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Events whose counts grow with time or with the number of an object's writes, and those that how far a container with
/// back-offs got decides.
const REPEATED: [&str; 14] = [
    "BackOff",
    "ErrImageNeverPull",
    "Failed",
    "FailedComputeMetricsReplicas",
    "FailedCreate",
    "FailedGetResourceMetric",
    "FailedPostStartHook",
    "FailedScheduling",
    "InspectFailed",
    "JobAlreadyActive",
    "ProvisioningFailed",
    "UnexpectedJob",
    "Unhealthy",
    "WaitForFirstConsumer",
];
const STEPS: [&str; 3] = ["Created", "Killing", "Started"];

/// Two normalised lists of events in JSON, equal in what of events is comparable.
pub fn same_list(recorded: &str, ours: &str) -> bool {
    match (by_object(recorded), by_object(ours)) {
        (Some(recorded), Some(ours)) => recorded == ours,
        _ => false,
    }
}

/// The comparable part of each object's events, in the order they were made.
fn by_object(text: &str) -> Option<BTreeMap<String, Vec<Value>>> {
    let list: Value = serde_json::from_str(text).ok().filter(|list: &Value| list["kind"] == "List")?;
    let items = list["items"].as_array().filter(|items| !items.is_empty())?;
    if items.iter().any(|event| event["kind"] != "Event") {
        return None;
    }
    let restarts = |event: &Value| {
        let text = event["message"].as_str().unwrap_or_default();
        event["reason"] == "BackOff" && text.starts_with("Back-off restarting")
    };
    let on = |event: &Value| format!("{} {}", event["involvedObject"]["namespace"], event["involvedObject"]["name"]);
    let backs_off: Vec<String> = items.iter().filter(|event| restarts(event)).map(on).collect();
    let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in items.iter().filter(|event| event["action"] != "StartKubeProxy") {
        let (object, reason) = (on(event), event["reason"].as_str().unwrap_or_default());
        let events = all.entry(object.clone()).or_default();
        if super::timeline::depends_on_cache_or_races(reason) || restarts(event) {
            continue;
        }
        let mut event = event.clone();
        let counts = REPEATED.contains(&reason) || STEPS.contains(&reason) && backs_off.contains(&object);
        for (at, key) in [("", "count"), ("involvedObject", "uid"), ("metadata", "uid")] {
            let map = if at.is_empty() { event.as_object_mut() } else { event[at].as_object_mut() };
            if let Some(map) = map.filter(|_| key != "count" || counts) {
                without(map, key);
            }
        }
        events.push(event);
    }
    Some(all)
}

/// That there is a value is comparable.
fn without(map: &mut Map<String, Value>, key: &str) {
    if let Some(value) = map.get_mut(key) {
        *value = Value::from("some");
    }
}

/// What a drain says: it asks for every eviction at once, and keeps its reasons in a map.
pub fn same_drain(recorded: &str, ours: &str) -> bool {
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for line in &mut lines {
            if let (true, Some(from), Some(to)) =
                (line.starts_with("error: unable to drain"), line.find('['), line.find(']'))
            {
                let mut reasons: Vec<&str> =
                    line[from + 1..to].split(", cannot ").map(|r| r.trim_start_matches("cannot ")).collect();
                reasons.sort_unstable();
                *line = format!("{}{}{}", &line[..from], reasons.join(";"), &line[to..]);
            }
        }
        lines.sort();
        lines
    };
    recorded.lines().any(|line| line.starts_with("node/") && line.contains(" cordoned"))
        && lines(recorded) == lines(ours)
}

/// The variables of a container: the kubelet keeps them in maps, whose order is chance; the runtime's stand around them.
pub fn same_environment(recorded: &str, ours: &str) -> bool {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (mut theirs, mut mine) = (lines(recorded), lines(ours));
    let is_one = |line: &String| line.split_once('=').is_some_and(|(name, _)| !name.contains(' '));
    let ends = |lines: &[String]| [lines.first().cloned(), lines.get(1).cloned(), lines.last().cloned()];
    if !theirs.iter().all(is_one)
        || !theirs.iter().any(|line| line.starts_with("KUBERNETES_"))
        || ends(&theirs) != ends(&mine)
    {
        return false;
    }
    theirs.sort();
    mine.sort();
    theirs == mine
}

/// The same lines, with events of one second (in either of the two) in another order. Every text comes with the one it
/// was made from, which still has the ages.
pub fn same_but_for_order(recorded: (&str, &str), ours: (&str, &str)) -> bool {
    let (theirs, mine) = (Lines::read(recorded), Lines::read(ours));
    let (Some(theirs), Some(mine)) = (theirs, mine) else { return false };
    theirs.plain == mine.plain
        && theirs.tables.len() == mine.tables.len()
        && theirs.tables.iter().zip(&mine.tables).all(|(theirs, mine)| is_order_chance(theirs, mine))
}

/// A line and the age in the one it was made from.
type Line = (String, String);

#[derive(Default)]
struct Lines {
    plain: Vec<String>,
    tables: Vec<Vec<Line>>,
}

impl Lines {
    fn read((text, raw): (&str, &str)) -> Option<Lines> {
        let (text, raw): (Vec<&str>, Vec<&str>) = (text.lines().collect(), raw.lines().collect());
        if text.len() != raw.len() {
            return None;
        }
        let mut lines = Lines::default();
        // Which column holds the age, inside a table.
        let mut age = None;
        for (line, raw) in text.iter().zip(raw) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let header = match words.as_slice() {
                ["Type", "Reason", "Age", "From", "Message"] => Some(2),
                ["LAST", "SEEN", "TYPE", "REASON", ..] => Some(0),
                _ => None,
            };
            if header.is_some() {
                age = header;
                lines.tables.push(Vec::new());
            } else if words.is_empty() {
                age = None;
            }
            match (age, header, lines.tables.last_mut()) {
                (Some(column), None, Some(table)) if !line.trim_start().starts_with('-') => {
                    let cells: Vec<&str> = raw.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
                    let cell = cells.get(column).copied().unwrap_or_default();
                    let seconds = cell.split(" (").next().unwrap_or(cell);
                    // The recorded machine was started again at times.
                    if !line.contains("Normal  Starting  node/") {
                        table.push((without_count(line), seconds.to_string()));
                    }
                }
                _ => lines.plain.push(line.to_string()),
            }
        }
        Some(lines)
    }
}

/// The line of an event whose count follows from intervals, told as one that is met for the first time.
fn without_count(line: &str) -> String {
    let reason = line.split_whitespace().nth(1).unwrap_or_default();
    match (line.find(" (x"), line.find(" over <age>)")) {
        (Some(from), Some(to)) if REPEATED.contains(&reason) && from < to => {
            format!("{}{}", &line[..from], &line[to + " over <age>)".len()..])
        }
        _ => line.to_string(),
    }
}

fn is_order_chance(theirs: &[Line], mine: &[Line]) -> bool {
    // Where each of our lines stands in theirs.
    let mut places: Vec<usize> = Vec::new();
    for (line, _) in mine {
        let free = |(at, (other, _)): &(usize, &Line)| other == line && !places.contains(at);
        match theirs.iter().enumerate().find(free) {
            Some((at, _)) => places.push(at),
            None => return false,
        }
    }
    theirs.len() == mine.len()
        && places.iter().enumerate().all(|(i, a)| {
            places.iter().enumerate().skip(i + 1).all(|(j, b)| {
                let one_second = mine[i].1 == mine[j].1 || theirs[*a].1 == theirs[*b].1;
                a < b || one_second
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(theirs: &str, ours: &str) -> bool {
        let plain = |text: &str| text.replace("5s", "<age>").replace("7s", "<age>");
        same_but_for_order((&plain(theirs), theirs), (&plain(ours), ours))
    }

    #[test]
    fn lists_compare_what_time_and_cache_do_not_decide() {
        let event = |name: &str, reason: &str, count: u32, message: &str| {
            serde_json::json!({"kind": "Event", "count": count, "reason": reason, "message": message,
                "involvedObject": {"name": name, "uid": format!("<uid-{count}>")}, "metadata": {"uid": "<uid-9>"}})
        };
        let list = |items: &[Value]| serde_json::json!({"kind": "List", "items": items}).to_string();
        let restarting = event("a", "BackOff", 4, "Back-off restarting failed container c");
        let (created, started) = (event("a", "Created", 2, "c"), event("a", "Started", 2, "s"));
        let base = list(&[created.clone(), started.clone()]);
        for (other, alike) in [
            (vec![created.clone(), event("a", "Pulled", 1, "present"), started.clone()], true),
            (vec![event("a", "Created", 3, "c"), started.clone()], false),
            (vec![started.clone(), created.clone()], false),
            (vec![event("a", "Created", 2, "other"), started.clone()], false),
            (vec![created.clone()], false),
            (vec![created.clone(), started.clone(), event("b", "Created", 1, "c")], false),
        ] {
            assert_eq!(same_list(&base, &list(&other)), alike, "{other:?}");
        }
        let backing_off = list(&[created, started.clone(), restarting.clone()]);
        assert!(same_list(&backing_off, &list(&[event("a", "Created", 3, "c"), started, restarting])));
        let failed = |count: u32, message: &str| list(&[event("a", "Failed", count, message)]);
        assert!(same_list(&failed(3, "x"), &failed(5, "x")) && !same_list(&failed(3, "x"), &failed(3, "y")));
        assert!(!same_list("a", "a") && !same_list("{}", "{}"));
    }

    #[test]
    fn only_events_of_one_second_change_places() {
        let head = "LAST SEEN   TYPE   REASON   OBJECT   MESSAGE\n";
        let table = |rows: &str| format!("{head}{rows}");
        assert!(check(&table("5s  a  b\n5s  c  d\n"), &table("5s  c  d\n5s  a  b\n")));
        assert!(check(&table("7s  a  b\n5s  c  d\n"), &table("5s  c  d\n5s  a  b\n")));
        assert!(!check(&table("7s  a  b\n5s  c  d\n"), &table("7s  c  d\n5s  a  b\n")));
        assert!(!check(&table("5s  a  b\n"), &table("5s  c  d\n")));
    }

    #[test]
    fn chance_is_the_order_of_variables_and_of_evictions() {
        let env = "PATH=/bin\nHOSTNAME=a\nA=1\nKUBERNETES_PORT=x\nKUBERNETES_SERVICE_HOST=y\nHOME=/root\n";
        let other = "PATH=/bin\nHOSTNAME=a\nKUBERNETES_SERVICE_HOST=y\nA=1\nKUBERNETES_PORT=x\nHOME=/root\n";
        assert!(same_environment(env, other));
        assert!(!same_environment(env, &other.replace("A=1", "A=2")));
        assert!(!same_environment(env, &other.replace("HOSTNAME=a\n", "").replace("A=1", "A=1\nHOSTNAME=a")));
        let drain = |list: &str, lines: &str| {
            format!(
                "node/n already cordoned\nerror: unable to drain node \"n\" due to error: [{list}], continuing\n{lines}"
            )
        };
        let (a, b) = ("cannot delete x, y: p, q", "cannot delete z: r");
        let recorded = drain(&format!("{a}, {b}"), "pod/a evicted\npod/b evicted\n");
        assert!(same_drain(&recorded, &drain(&format!("{b}, {a}"), "pod/b evicted\npod/a evicted\n")));
        assert!(!same_drain(&recorded, &drain(a, "pod/b evicted\npod/a evicted\n")));
        assert!(!same_drain(&recorded, &drain(&format!("{a}, {b}"), "pod/b evicted\n")));
        assert!(!same_drain("pod/a\npod/b\n", "pod/b\npod/a\n"));
    }

    #[test]
    fn counts_that_follow_from_intervals_are_not_compared() {
        let line = |reason: &str, age: &str| {
            format!(
                "  Type  Reason  Age  From  Message\n  ----  ------  ----  ----  -------\n  Normal  {reason}  {age}  kubelet  m\n"
            )
        };
        let same = |reason: &str, theirs: &str, ours: &str| {
            let (theirs, ours) = (line(reason, theirs), line(reason, ours));
            same_but_for_order((&theirs, &theirs), (&ours, &ours))
        };
        for (reason, theirs, ours, alike) in [
            ("Unhealthy", "<age> (x13 over <age>)", "<age> (x15 over <age>)", true),
            ("BackOff", "<age> (x2 over <age>)", "<age>", true),
            ("Created", "<age> (x2 over <age>)", "<age> (x3 over <age>)", false),
            ("Killing", "<age>", "<age> (x2 over <age>)", false),
        ] {
            assert_eq!(same(reason, theirs, ours), alike, "{reason} {theirs} {ours}");
        }
    }
}
