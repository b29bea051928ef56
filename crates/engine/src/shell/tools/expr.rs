//! expr: sums, comparisons and matches of its words.

use super::Output;
use crate::process::Sys;
use crate::shell::{Flavour, Regex};

/// Operators by how tightly they bind, loosest first.
const LEVELS: [&[&str]; 6] =
    [&["|"], &["&"], &["<", "<=", "=", "==", "!=", ">=", ">"], &["+", "-"], &["*", "/", "%"], &[":"]];

pub fn run(sys: &mut Sys<'_>, _: Flavour, out: &mut Output) -> i32 {
    let words = sys.args.get(1..).unwrap_or_default();
    if words.is_empty() {
        out.err("expr: missing operand\nTry 'expr --help' for more information.\n");
        return 2;
    }
    let mut reader = Reader { words, at: 0, depth: 0 };
    let result = reader.level(0).and_then(|value| match words.get(reader.at) {
        None => Ok(value),
        Some(word) => Err(format!("syntax error: unexpected argument ‘{word}’")),
    });
    match result {
        Ok(value) => {
            out.out(format!("{value}\n"));
            i32::from(is_nothing(&value))
        }
        Err(text) => {
            out.err(format!("expr: {text}\n"));
            2
        }
    }
}

fn is_nothing(value: &str) -> bool {
    value.is_empty() || value.parse() == Ok(0)
}

struct Reader<'a> {
    words: &'a [String],
    at: usize,
    depth: u32,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<String, String> {
        let last = self.at.checked_sub(1).and_then(|at| self.words.get(at)).map_or("", String::as_str);
        let word = self.words.get(self.at).cloned().ok_or(format!("syntax error: missing argument after ‘{last}’"));
        self.at += 1;
        word
    }

    fn level(&mut self, level: usize) -> Result<String, String> {
        let Some(operators) = LEVELS.get(level) else { return self.one() };
        let mut value = self.level(level + 1)?;
        while let Some(operator) = self.words.get(self.at).filter(|word| operators.contains(&word.as_str())) {
            self.at += 1;
            let right = self.level(level + 1)?;
            value = apply(&value, operator, &right)?;
        }
        Ok(value)
    }

    fn one(&mut self) -> Result<String, String> {
        let word = self.next()?;
        Ok(match word.as_str() {
            "(" => {
                self.depth += 1;
                if self.depth > 200 {
                    return Err("syntax error: too many parentheses".into());
                }
                let value = self.level(0)?;
                self.depth -= 1;
                match self.next() {
                    Ok(word) if word == ")" => value,
                    Ok(word) => return Err(format!("syntax error: expecting ')' instead of ‘{word}’")),
                    Err(_) => return Err(format!("syntax error: expecting ')' after ‘{value}’")),
                }
            }
            "+" => self.next()?,
            "length" => self.one()?.chars().count().to_string(),
            "match" => {
                let (text, pattern) = (self.one()?, self.one()?);
                apply(&text, ":", &pattern)?
            }
            "index" => {
                let (text, set) = (self.one()?, self.one()?);
                text.chars().position(|c| set.contains(c)).map_or(0, |at| at + 1).to_string()
            }
            "substr" => {
                let (text, from, count) = (self.one()?, self.one()?, self.one()?);
                match (from.parse::<usize>(), count.parse::<usize>()) {
                    (Ok(from @ 1..), Ok(count)) => text.chars().skip(from - 1).take(count).collect(),
                    _ => String::new(),
                }
            }
            _ => word,
        })
    }
}

fn apply(left: &str, operator: &str, right: &str) -> Result<String, String> {
    let numbers = || match (left.parse::<i64>(), right.parse::<i64>()) {
        (Ok(left), Ok(right)) => Ok((left, right)),
        _ => Err("non-integer argument".to_string()),
    };
    let truth = |holds: bool| Ok(i32::from(holds).to_string());
    let order = || match numbers() {
        Ok((left, right)) => left.cmp(&right),
        Err(_) => left.cmp(right),
    };
    match operator {
        "|" if !is_nothing(left) => Ok(left.into()),
        "|" => Ok(if is_nothing(right) { "0".into() } else { right.into() }),
        "&" => Ok(if is_nothing(left) || is_nothing(right) { "0".into() } else { left.into() }),
        "<" => truth(order().is_lt()),
        "<=" => truth(order().is_le()),
        "=" | "==" => truth(order().is_eq()),
        "!=" => truth(order().is_ne()),
        ">=" => truth(order().is_ge()),
        ">" => truth(order().is_gt()),
        ":" => {
            let regex = Regex::new(&format!("^{right}"), false, false).map_err(|_| "Invalid regular expression")?;
            let has_group = right.contains("\\(");
            Ok(match regex.find(left.as_bytes(), 0) {
                Some(groups) if has_group => {
                    let group = groups.get(1).copied().flatten();
                    group.and_then(|(from, to)| left.get(from..to)).unwrap_or_default().to_string()
                }
                Some(groups) => {
                    let (from, to) = groups.first().copied().flatten().unwrap_or((0, 0));
                    left.get(from..to).unwrap_or_default().chars().count().to_string()
                }
                None if has_group => String::new(),
                None => "0".into(),
            })
        }
        operator => {
            let (left, right) = numbers()?;
            if matches!(operator, "/" | "%") && right == 0 {
                return Err("division by zero".into());
            }
            let value = match operator {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "/" => left.checked_div(right),
                _ => left.checked_rem(right),
            };
            value.map(|value| value.to_string()).ok_or("integer result is too large".into())
        }
    }
}
