//! Version numbers and constraints such as `~> 4.6` or `>= 1.0, < 2.0` (upstream: hashicorp/go-version).

/// `1.16.4`; parts that are not written are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    parts: [u64; 3],
    /// How many were written.
    written: usize,
}

impl Version {
    pub fn read(text: &str) -> Option<Version> {
        let text = text.trim().trim_start_matches('v');
        let plain = text.split(['-', '+']).next().unwrap_or_default();
        let mut parts = [0; 3];
        let mut written = 0;
        for (place, part) in plain.split('.').enumerate() {
            *parts.get_mut(place)? = part.parse().ok()?;
            written = place + 1;
        }
        Some(Version { parts, written })
    }

    fn text(self) -> String {
        let [a, b, c] = self.parts;
        format!("{a}.{b}.{c}")
    }

    /// The first version that `~>` leaves out.
    fn next(self) -> [u64; 3] {
        let [a, b, _] = self.parts;
        if self.written > 2 { [a, b.saturating_add(1), 0] } else { [a.saturating_add(1), 0, 0] }
    }
}

const SIGNS: [&str; 7] = ["~>", ">=", "<=", "!=", ">", "<", "="];

fn read(constraints: &str) -> Vec<(&'static str, Version)> {
    let one = |text: &str| {
        let text = text.trim();
        let sign = SIGNS.iter().find(|sign| text.starts_with(**sign)).copied();
        let version = Version::read(text.strip_prefix(sign.unwrap_or_default())?)?;
        Some((sign.unwrap_or("="), version))
    };
    constraints.split(',').filter_map(one).collect()
}

/// Whether a text is made of constraints.
pub fn is_constraint(text: &str) -> bool {
    text.split(',').count() == read(text).len()
}

/// Whether a version meets all of the constraints.
pub fn allows(constraints: &str, version: &str) -> bool {
    let Some(version) = Version::read(version) else { return false };
    read(constraints).into_iter().all(|(sign, of)| match sign {
        "~>" => version.parts >= of.parts && version.parts < of.next(),
        ">=" => version.parts >= of.parts,
        "<=" => version.parts <= of.parts,
        "!=" => version.parts != of.parts,
        ">" => version.parts > of.parts,
        "<" => version.parts < of.parts,
        _ => version.parts == of.parts,
    })
}

/// Constraints as they are written down: in order, with all three numbers, but for `~>`.
pub fn tidy(constraints: &[String]) -> String {
    let mut all: Vec<(&str, Version)> = constraints.iter().flat_map(|text| read(text)).collect();
    all.sort_by_key(|(sign, version)| (version.parts, SIGNS.iter().position(|each| each == sign)));
    all.dedup();
    let one = |(sign, version): (&str, Version)| match sign {
        "=" => version.text(),
        "~>" if version.written < 3 => {
            let [a, b, _] = version.parts;
            if version.written > 1 { format!("~> {a}.{b}") } else { format!("~> {a}") }
        }
        sign => format!("{sign} {}", version.text()),
    };
    all.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_allow_versions() {
        for (constraints, version, is) in [
            ("~> 4.6", "4.6.0", true),
            ("~> 4.6", "4.9.1", true),
            ("~> 4.6", "5.0.0", false),
            ("~> 4.6.1", "4.7.0", false),
            (">= 4.0, < 5.0", "4.6.0", true),
            ("!= 4.6.0", "4.6.0", false),
            ("4.6.0", "4.6.0", true),
            ("", "1.0.0", true),
        ] {
            assert_eq!(allows(constraints, version), is, "{constraints} {version}");
        }
        assert_eq!(tidy(&[">= 4.0, < 5.0".into()]), ">= 4.0.0, < 5.0.0");
        assert_eq!(tidy(&["~> 4.6".into(), "~> 4.6".into()]), "~> 4.6");
        assert_eq!(tidy(&["4.6".into()]), "4.6.0");
    }
}
