//! The numbers of a rollout: surge, unavailable, sizes.

use super::sets::{self, MAX, replicas};
use crate::base::Value;

pub fn is_rolling(deployment: &Value) -> bool {
    deployment["spec"]["strategy"]["type"].str() != "Recreate"
}

/// How many pods beyond `spec.replicas` may exist.
pub fn max_surge(deployment: &Value) -> i64 {
    if is_rolling(deployment) { fences(deployment).0 } else { 0 }
}

/// How many of `spec.replicas` may be missing.
pub fn max_unavailable(deployment: &Value) -> i64 {
    if !is_rolling(deployment) || replicas(deployment) == 0 {
        return 0;
    }
    fences(deployment).1.min(replicas(deployment))
}

fn fences(deployment: &Value) -> (i64, i64) {
    let rolling = deployment["spec"]["strategy"].get("rollingUpdate");
    let total = replicas(deployment);
    let surge = scaled(rolling.get("maxSurge"), total, true);
    let unavailable = scaled(rolling.get("maxUnavailable"), total, false);
    // Both may round to nothing: then one pod may be missing, or nothing would move.
    if surge == 0 && unavailable == 0 { (0, 1) } else { (surge, unavailable) }
}

/// A number or a percentage of `total`.
pub fn scaled(value: &Value, total: i64, up: bool) -> i64 {
    match value.as_str() {
        None => value.int(),
        Some(text) => {
            let percent: i64 = text.strip_suffix('%').and_then(|number| number.parse().ok()).unwrap_or(0);
            let product = percent.saturating_mul(total);
            if up { product.saturating_add(99).div_euclid(100) } else { product.div_euclid(100) }
        }
    }
}

/// The size of the new ReplicaSet in this step; `all` includes it.
pub fn new_size(deployment: &Value, all: &[&Value], new: i64) -> i64 {
    let want = replicas(deployment);
    if !is_rolling(deployment) {
        return want;
    }
    let most = want.saturating_add(max_surge(deployment));
    let current = sets::total(all);
    if current >= most { new } else { new.saturating_add((most - current).min(want - new)) }
}

/// Proportional scaling: each set's new size, in the order of `sets` (already sorted).
pub fn proportions(deployment: &Value, sets: &[&Value], to_add: i64) -> Vec<i64> {
    let mut added = 0i64;
    let mut sizes: Vec<i64> = Vec::with_capacity(sets.len());
    for set in sets {
        let size = replicas(set);
        let share = if size == 0 || to_add == 0 || to_add == added {
            0
        } else {
            let share = fraction(deployment, set);
            let left = to_add - added;
            if to_add > 0 { share.min(left) } else { share.max(left) }
        };
        added = added.saturating_add(share);
        sizes.push(size.saturating_add(share));
    }
    if let Some(first) = sizes.first_mut().filter(|_| to_add != 0) {
        *first = first.saturating_add(to_add - added).max(0);
    }
    sizes
}

/// What a set gains or loses when the whole grows from its former to its new maximum.
fn fraction(deployment: &Value, set: &Value) -> i64 {
    let size = replicas(set);
    if replicas(deployment) == 0 {
        return -size;
    }
    let most = replicas(deployment).saturating_add(max_surge(deployment));
    let before = match sets::number(set, MAX).filter(|before| *before != 0) {
        Some(before) => before,
        None => deployment["status"]["replicas"].int(),
    };
    if before == 0 {
        return 0;
    }
    let exact = size.saturating_mul(most) as f64 / before as f64;
    let rounded = if exact < 0.0 { (exact - 0.5) as i64 } else { (exact + 0.5) as i64 };
    rounded - size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    #[test]
    fn fences_round_apart() {
        let check = |surge: Value, unavailable: Value, replicas: i64, want: (i64, i64)| {
            let rolling = map! { "maxSurge" => surge, "maxUnavailable" => unavailable };
            let deployment = map! { "spec" => map! {
                "replicas" => replicas, "strategy" => map! { "type" => "RollingUpdate", "rollingUpdate" => rolling },
            } };
            assert_eq!((max_surge(&deployment), max_unavailable(&deployment)), want);
        };
        check("25%".into(), "25%".into(), 3, (1, 0));
        check("25%".into(), "25%".into(), 10, (3, 2));
        check(Value::Int(0), "10%".into(), 3, (0, 1));
        check(Value::Int(1), Value::Int(5), 2, (1, 2));
        check(Value::Int(1), Value::Int(1), 0, (1, 0));
    }

    #[test]
    fn proportions_leave_nothing_over() {
        let set = |size: i64| map! { "metadata" => map! { "annotations" => map! { MAX => "13" } }, "spec" => map! { "replicas" => size } };
        let deployment = map! { "spec" => map! { "replicas" => 30, "strategy" => map! {
        "type" => "RollingUpdate", "rollingUpdate" => map! { "maxSurge" => 3, "maxUnavailable" => 2 } } } };
        let sets = [set(8), set(5)];
        assert_eq!(proportions(&deployment, &sets.iter().collect::<Vec<_>>(), 20), [20, 13]);
    }
}
