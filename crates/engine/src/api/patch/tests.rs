//! Patches against those that apimachinery 0.37.2 computed for seeded random Deployments.

use super::*;
use crate::api::schema::type_of;
use crate::base::{Value, json as text};

#[test]
fn patches_are_those_of_the_real_library() {
    let recorded = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/api/patches.jsonl"));
    let ty = type_of("apps", "v1", "Deployment").map(|ty| ty.id);
    let mut wrong = Vec::new();
    for (number, line) in recorded.lines().enumerate() {
        let record = text::parse(line).unwrap();
        let [original, modified, current] = ["original", "modified", "current"].map(|key| &record[key]);
        let mut check = |what: &str, got: Result<Value, String>| {
            let want = match (record.entries().get(what), what) {
                (Some(value), _) => Ok(value.clone()),
                (None, "patch") => Err(record["error"].str().to_owned()),
                (None, _) => Err(record["applyError"].str().to_owned()),
            };
            if got != want {
                wrong.push(format!("{number} {what}\n  want {want:?}\n  got  {got:?}"));
            }
        };
        let patch = three_way(ty, original, modified, current, true).map_err(|error| error.message);
        if let Ok(patch) = &patch {
            check("applied", strategic(ty.unwrap(), current, patch).map_err(|error| error.message));
        }
        check("patch", patch);
        if record.has("merge") {
            check("merge", three_way(None, original, modified, current, true).map_err(|error| error.message));
        }
        if record.has("two") {
            check("two", two_way(ty, current, modified).map_err(|error| error.message));
        }
        check("conflict", Ok(three_way(ty, original, modified, current, false).is_err().into()));
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
