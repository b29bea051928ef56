//! What `kubectl rollout status` says is a path: one line per write of the Deployment. By `timelines.md` section 3 the
//! number of writes is loose and counts in a status are steps: "first and last value exact, in between any path in which
//! each value follows from one more or one less thing having happened"; "updatedReplicas never" differ.

/// The same rollout, told on another path.
pub fn same_path(recorded: &str, ours: &str) -> bool {
    let (Some(recorded), Some(ours)) = (path(recorded), path(ours)) else { return false };
    recorded.ends() == ours.ends() && recorded.updated() == ours.updated()
}

struct Path<'a> {
    lines: Vec<&'a str>,
}

fn path(text: &str) -> Option<Path<'_>> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.dedup();
    let (last, waiting) = lines.split_last()?;
    let told = |line: &&str| line.starts_with("Waiting for deployment ") && line.ends_with("...");
    let is_path = !waiting.is_empty() && waiting.iter().all(told) && waiting.iter().all(|line| step(line).is_some());
    let ended = last.ends_with(" successfully rolled out") || last.starts_with("error: ");
    (is_path && ended).then_some(Path { lines })
}

/// What a line counts: the number, and of what.
fn step(line: &str) -> Option<(u32, &str)> {
    let (_, what) = line.split_once(" rollout to finish: ")?;
    let (number, of) = what.split_once(' ')?;
    let known = of.ends_with(" new replicas have been updated...")
        || of.ends_with(" updated replicas are available...")
        || of == "old replicas are pending termination...";
    Some((number.parse().ok()?, of)).filter(|_| known)
}

impl Path<'_> {
    fn ends(&self) -> [Option<&str>; 2] {
        [self.lines.first().copied(), self.lines.last().copied()]
    }

    /// The updated replicas that were told, in order.
    fn updated(&self) -> Vec<u32> {
        let steps = self.lines.iter().filter_map(|line| step(line));
        steps.filter(|(_, of)| of.ends_with("have been updated...")).map(|(number, _)| number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_share_ends_and_updated_replicas() {
        let line = |what: &str| format!("Waiting for deployment \"p\" rollout to finish: {what}...\n");
        let told = |steps: &[&str]| {
            steps.iter().map(|what| line(what)).collect::<String>() + "deployment \"p\" successfully rolled out\n"
        };
        let (new1, new2) = ("1 out of 2 new replicas have been updated", "0 out of 2 new replicas have been updated");
        let (old, up) = ("1 old replicas are pending termination", "1 of 2 updated replicas are available");
        let base = told(&[new1, new1, old, old]);
        for (other, alike) in [
            (told(&[new1, old, up]), true),
            (told(&[new1, up]), true),
            (told(&[new1]), true),
            (told(&[new2, new1, old]), false),
            (told(&[old]), false),
            (told(&[new1, new2, old]), false),
            (told(&[new1, "something else"]), false),
            (line(new1) + &line(old) + "error: timed out waiting for the condition\n", false),
            (line(new1), false),
        ] {
            assert_eq!(same_path(&base, &other), alike, "{other}");
        }
    }
}
