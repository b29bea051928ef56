//! Version constraints of providers (upstream: hashicorp/go-version and terraform's getproviders): read, matched, written
//! in one canonical way.

/// One condition: an operator and the parts of a version that are given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    operator: String,
    parts: Vec<u64>,
    prerelease: String,
}

/// All conditions that several constraints make together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints(Vec<Condition>);

impl Constraints {
    /// The conditions of a text like `>= 4.0, < 5.0`; `None` where it is none.
    pub fn parse(text: &str) -> Option<Constraints> {
        text.split(',').map(condition).collect::<Option<Vec<Condition>>>().map(Constraints)
    }

    pub fn join(&mut self, other: Constraints) {
        self.0.extend(other.0);
    }

    pub fn allow(&self, version: &str) -> bool {
        let Some(own) = condition(version) else { return false };
        self.0.iter().all(|condition| condition.allows(&own))
    }

    /// In the order of their versions, each once; whole versions where only the operator decides.
    pub fn text(&self) -> String {
        let mut all = self.0.clone();
        all.sort_by(|a, b| (a.whole(), &a.operator).cmp(&(b.whole(), &b.operator)));
        all.dedup();
        let text = |condition: &Condition| {
            let parts = if condition.operator == "~>" { condition.parts.clone() } else { condition.whole().to_vec() };
            let version = parts.iter().map(u64::to_string).collect::<Vec<_>>().join(".");
            let tail = if condition.prerelease.is_empty() { String::new() } else { format!("-{}", condition.prerelease) };
            match condition.operator.as_str() {
                "=" => format!("{version}{tail}"),
                operator => format!("{operator} {version}{tail}"),
            }
        };
        all.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

impl Condition {
    fn whole(&self) -> [u64; 3] {
        [0, 1, 2].map(|at| self.parts.get(at).copied().unwrap_or(0))
    }

    fn allows(&self, version: &Condition) -> bool {
        let (own, other) = (self.whole(), version.whole());
        if !version.prerelease.is_empty() {
            return self.operator == "=" && own == other && self.prerelease == version.prerelease;
        }
        match self.operator.as_str() {
            "!=" => other != own,
            ">" => other > own,
            ">=" => other >= own,
            "<" => other < own,
            "<=" => other <= own,
            "~>" => {
                // All parts but the last stay.
                let fixed = self.parts.len().saturating_sub(1).max(1);
                other >= own && own.iter().zip(other).take(fixed).all(|(a, b)| *a == b)
            }
            _ => other == own,
        }
    }
}

fn condition(text: &str) -> Option<Condition> {
    let text = text.trim();
    let operator = ["!=", ">=", "<=", "~>", ">", "<", "="].into_iter().find(|operator| text.starts_with(operator));
    let rest = operator.and_then(|operator| text.strip_prefix(operator)).unwrap_or(text).trim();
    let rest = rest.strip_prefix('v').unwrap_or(rest);
    let (numbers, prerelease) = rest.split_once('-').unwrap_or((rest, ""));
    let parts = numbers.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>()?;
    if parts.len() > 3 {
        return None;
    }
    Some(Condition { operator: operator.unwrap_or("=").into(), parts, prerelease: prerelease.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints() {
        let text = |text: &str| Constraints::parse(text).map(|all| all.text()).unwrap_or_default();
        assert_eq!(text("< 5.0,>= 4.0"), ">= 4.0.0, < 5.0.0");
        assert_eq!(text("~> 4.6"), "~> 4.6");
        assert_eq!(text("= 4.6.0"), "4.6.0");
        let allows = |text: &str| Constraints::parse(text).is_some_and(|all| all.allow("4.6.0"));
        for good in ["~> 4.6", "~> 4.0", "~> 4.6.0", ">= 4.0, < 5.0", "4.6.0", "!= 4.5.0", "~> 4"] {
            assert!(allows(good), "{good}");
        }
        for bad in ["~> 3.0", "~> 4.5.0", "> 4.6.0", "< 4.6", "4.6.1"] {
            assert!(!allows(bad), "{bad}");
        }
    }
}
