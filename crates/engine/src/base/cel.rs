//! Rules in the Common Expression Language, as schemas of custom resources carry them, worked out while they are read.
//!
//! Left out: types beyond JSON (timestamps, durations, quantities, optionals) and the functions on them; what is unknown
//! is told as such and judged by nobody. Types are not checked beforehand.

use super::go_regex::Regex;
use super::{SmolStr, Value, json};

/// Why a rule has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// It asks for what is not known here, or is no expression.
    Unknown,
    /// It was worked out and failed, as CEL says it.
    Error(String),
}

/// What a part of an expression comes to; an error is a value until somebody needs it.
type Out = Result<Value, String>;
type Read<T> = Result<T, Failure>;

const DEEPEST: u32 = 40;
const STEPS: u32 = 20_000;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Value(Value),
    Name(SmolStr),
    Sign(&'static str),
}

const SIGNS: [&str; 25] = [
    "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")", "[", "]", "{", "}", ".", ",",
    "?", ":", "?.",
];

struct Machine<'a> {
    tokens: &'a [Token],
    at: usize,
    names: Vec<(SmolStr, Value)>,
    depth: u32,
    steps: u32,
    /// What stands here is read but not wanted.
    idle: bool,
}

/// What an expression comes to, with the values its names have.
pub fn evaluate(rule: &str, names: &[(&str, &Value)]) -> Result<Value, Failure> {
    let tokens = tokens(rule).ok_or(Failure::Unknown)?;
    let names = names.iter().map(|(name, value)| (SmolStr::new(name), (*value).clone())).collect();
    let mut machine = Machine { tokens: &tokens, at: 0, names, depth: 0, steps: 0, idle: false };
    let out = machine.choice()?;
    if machine.at < tokens.len() {
        return Err(Failure::Unknown);
    }
    out.map_err(Failure::Error)
}

/// Whether a rule can be worked out here: all it calls is known.
pub fn is_known(rule: &str) -> bool {
    let Some(tokens) = tokens(rule) else { return false };
    let mut machine = Machine { tokens: &tokens, at: 0, names: Vec::new(), depth: 0, steps: 0, idle: true };
    machine.choice().is_ok() && machine.at == tokens.len()
}

/// Whether a rule speaks of a name.
pub fn speaks_of(rule: &str, name: &str) -> bool {
    tokens(rule).is_some_and(|tokens| tokens.iter().any(|token| matches!(token, Token::Name(have) if have == name)))
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, size) = if first == '"' || first == '\'' {
            quoted(rest, false)?
        } else if first == 'r' && rest.get(1..).is_some_and(|rest| rest.starts_with(['"', '\''])) {
            let (token, size) = quoted(rest.get(1..)?, true)?;
            (token, size + 1)
        } else if first.is_ascii_digit() {
            number(rest)?
        } else if first.is_ascii_alphabetic() || first == '_' {
            let size = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = rest.get(..size)?;
            let token = match word {
                "true" => Token::Value(true.into()),
                "false" => Token::Value(false.into()),
                "null" => Token::Value(Value::Null),
                word => Token::Name(word.into()),
            };
            (token, size)
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            (Token::Sign(sign), sign.len())
        };
        out.push(token);
        rest = rest.get(size..)?.trim_start();
    }
    Some(out)
}

fn number(rest: &str) -> Option<(Token, usize)> {
    let size = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let after = rest.get(size..)?;
    let fraction = after
        .strip_prefix('.')
        .map_or(0, |digits| 1 + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
    if fraction > 1 {
        let size = size + fraction;
        return Some((Token::Value(Value::Float(super::float::parse(rest.get(..size)?)?)), size));
    }
    let value = Token::Value(Value::Int(rest.get(..size)?.parse().ok()?));
    Some((value, size + usize::from(after.starts_with('u'))))
}

fn quoted(rest: &str, raw: bool) -> Option<(Token, usize)> {
    let mut chars = rest.char_indices();
    let (_, quote) = chars.next()?;
    let mut text = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((Token::Value(Value::text(text)), at + 1)),
            '\\' if !raw => match chars.next()?.1 {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                c if c.is_ascii_alphanumeric() => return None,
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
    None
}

fn no_overload() -> Out {
    Err("no such overload".into())
}

impl Machine<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Sign(have)) if *have == sign);
        self.at += usize::from(is);
        is
    }

    fn wants(&mut self, sign: &str) -> Read<()> {
        if self.takes(sign) { Ok(()) } else { Err(Failure::Unknown) }
    }

    /// Reads something that is wanted only under a condition.
    fn only(&mut self, wanted: bool, read: fn(&mut Self) -> Read<Out>) -> Read<Out> {
        let before = self.idle;
        self.idle |= !wanted;
        let out = read(self);
        self.idle = before;
        out
    }

    fn choice(&mut self) -> Read<Out> {
        self.depth += 1;
        self.steps += 1;
        if self.depth > DEEPEST || self.steps > STEPS {
            return Err(Failure::Unknown);
        }
        let test = self.either()?;
        let out = if self.takes("?") {
            let yes = test == Ok(Value::Bool(true));
            let first = self.only(yes, Self::choice)?;
            self.wants(":")?;
            let second = self.only(!yes, Self::choice)?;
            match test {
                Ok(Value::Bool(true)) => first,
                Ok(Value::Bool(false)) => second,
                Ok(_) => no_overload(),
                error => error,
            }
        } else {
            test
        };
        self.depth -= 1;
        Ok(out)
    }

    /// `||` and `&&`: one side may settle it, even when the other fails.
    fn logic(&mut self, sign: &str, settles: bool, next: fn(&mut Self) -> Read<Out>) -> Read<Out> {
        let mut left = next(self)?;
        while self.takes(sign) {
            let settled = left == Ok(Value::Bool(settles));
            let right = self.only(!settled, next)?;
            left = match (left, right) {
                _ if settled => Ok(settles.into()),
                (_, Ok(Value::Bool(right))) if right == settles => Ok(settles.into()),
                (Ok(Value::Bool(_)), right) => right,
                (Ok(_), _) => no_overload(),
                (error, _) => error,
            };
        }
        Ok(left)
    }

    fn either(&mut self) -> Read<Out> {
        self.logic("||", true, |machine| machine.logic("&&", false, Self::relation))
    }

    fn operation(
        &mut self,
        signs: &[&'static str],
        next: fn(&mut Self) -> Read<Out>,
        apply: fn(&str, &Value, &Value) -> Out,
    ) -> Read<Out> {
        let mut left = next(self)?;
        loop {
            let sign = match self.tokens.get(self.at) {
                Some(Token::Sign(sign)) if signs.contains(sign) => *sign,
                Some(Token::Name(name)) if name == "in" && signs.contains(&"in") => "in",
                _ => return Ok(left),
            };
            self.at += 1;
            let right = next(self)?;
            left = match (left, right) {
                _ if self.idle => Ok(Value::Null),
                (Ok(left), Ok(right)) => apply(sign, &left, &right),
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
        }
    }

    fn relation(&mut self) -> Read<Out> {
        self.operation(&["==", "!=", "<", "<=", ">", ">=", "in"], Self::sum, compare)
    }

    fn sum(&mut self) -> Read<Out> {
        self.operation(&["+", "-"], Self::product, arithmetic)
    }

    fn product(&mut self) -> Read<Out> {
        self.operation(&["*", "/", "%"], Self::unary, arithmetic)
    }

    fn unary(&mut self) -> Read<Out> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Failure::Unknown);
        }
        let out = if self.takes("!") {
            match self.unary()? {
                Ok(Value::Bool(value)) => Ok(Value::Bool(!value)),
                Ok(_) if !self.idle => no_overload(),
                out => out,
            }
        } else if self.takes("-") {
            self.unary()?.and_then(|value| arithmetic("-", &Value::Int(0), &value))
        } else {
            self.member()?
        };
        self.depth -= 1;
        Ok(out)
    }

    fn member(&mut self) -> Read<Out> {
        let mut out = self.primary()?;
        loop {
            if self.takes(".") {
                let Some(Token::Name(name)) = self.tokens.get(self.at).cloned() else { return Err(Failure::Unknown) };
                self.at += 1;
                out = match self.takes("(") {
                    true => self.method(out, &name)?,
                    false => self.field(out, &Value::text(name)),
                };
            } else if self.takes("[") {
                let key = self.choice()?;
                self.wants("]")?;
                out = match key {
                    Ok(key) => self.field(out, &key),
                    error => error,
                };
            } else {
                return Ok(out);
            }
        }
    }

    fn field(&self, of: Out, key: &Value) -> Out {
        let of = of?;
        if self.idle {
            return Ok(Value::Null);
        }
        match (&of, key) {
            (Value::List(items), Value::Int(at)) => usize::try_from(*at)
                .ok()
                .and_then(|at| items.get(at).cloned())
                .ok_or_else(|| format!("index out of bounds: {at}")),
            (Value::Map(_), Value::Text(name)) if of.has(name) => Ok(of[name.as_str()].clone()),
            (Value::Map(_), Value::Text(name)) => {
                // Names that are no identifiers come escaped.
                let plain = name.replace("__dash__", "-").replace("__dot__", ".").replace("__slash__", "/");
                let plain = plain.strip_prefix("__").and_then(|p| p.strip_suffix("__")).unwrap_or(&plain);
                if of.has(plain) { Ok(of[plain].clone()) } else { Err(format!("no such key: {name}")) }
            }
            _ => no_overload(),
        }
    }

    fn primary(&mut self) -> Read<Out> {
        let token = self.tokens.get(self.at).cloned().ok_or(Failure::Unknown)?;
        self.at += 1;
        match token {
            Token::Value(value) => Ok(Ok(value)),
            Token::Name(name) if self.takes("(") => {
                let arguments = self.list(")")?;
                if name == "has" {
                    return Ok(Ok(arguments.is_ok().into()));
                }
                self.call(&name, arguments)
            }
            Token::Name(name) => {
                let known = self.names.iter().rev().find(|(have, _)| *have == name);
                match known {
                    Some((_, value)) => Ok(Ok(value.clone())),
                    None if self.idle => Ok(Ok(Value::Null)),
                    None => Err(Failure::Unknown),
                }
            }
            Token::Sign("(") => {
                let out = self.choice()?;
                self.wants(")")?;
                Ok(out)
            }
            Token::Sign("[") => Ok(self.list("]")?.map(Value::list)),
            Token::Sign("{") => {
                let mut map = Value::empty_map();
                while !self.takes("}") {
                    let key = self.choice()?;
                    self.wants(":")?;
                    let value = self.choice()?;
                    match (key, value) {
                        (Ok(key), Ok(value)) => map.set(&[key.str()], value),
                        (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
                    };
                    if !self.takes(",") {
                        self.wants("}")?;
                        break;
                    }
                }
                Ok(Ok(map))
            }
            Token::Sign(_) => Err(Failure::Unknown),
        }
    }

    fn list(&mut self, end: &str) -> Read<Result<Vec<Value>, String>> {
        let mut all = Ok(Vec::new());
        while !self.takes(end) {
            let one = self.choice()?;
            all = all.and_then(|mut all: Vec<Value>| {
                all.push(one?);
                Ok(all)
            });
            if !self.takes(",") {
                self.wants(end)?;
                break;
            }
        }
        Ok(all)
    }

    fn method(&mut self, of: Out, name: &str) -> Read<Out> {
        if matches!(name, "all" | "exists" | "exists_one" | "filter" | "map") {
            return self.each(of, name);
        }
        let arguments = self.list(")")?;
        let arguments = of.and_then(|of| {
            let mut all = vec![of];
            all.extend(arguments?);
            Ok(all)
        });
        self.call(name, arguments)
    }

    /// The macros over the members of a list or the keys of a map.
    fn each(&mut self, of: Out, name: &str) -> Read<Out> {
        let Some(Token::Name(variable)) = self.tokens.get(self.at).cloned() else { return Err(Failure::Unknown) };
        self.at += 1;
        self.wants(",")?;
        let start = self.at;
        self.names.push((variable, Value::Null));
        self.only(false, Self::choice)?.ok();
        let end = self.at;
        self.wants(")")?;
        let items: Vec<Value> = match &of {
            _ if self.idle => Vec::new(),
            Ok(Value::Map(map)) => map.iter().map(|(key, _)| Value::text(key)).collect(),
            Ok(value) => value.items().to_vec(),
            Err(_) => Vec::new(),
        };
        let (mut kept, mut count, mut failed) = (Vec::new(), 0_usize, None);
        let after = self.at;
        for item in &items {
            if let Some((_, value)) = self.names.last_mut() {
                *value = item.clone();
            }
            self.at = start;
            let out = self.choice()?;
            if self.at != end {
                return Err(Failure::Unknown);
            }
            match out {
                Ok(value) if name == "map" => kept.push(value),
                Ok(Value::Bool(true)) => {
                    count += 1;
                    kept.push(item.clone());
                }
                Ok(Value::Bool(false)) => {}
                Ok(_) => failed = Some("no such overload".to_string()),
                Err(error) => failed = Some(error),
            }
        }
        self.names.pop();
        self.at = after;
        let falses = items.len().saturating_sub(count).saturating_sub(usize::from(failed.is_some()));
        Ok(match (name, of, failed) {
            (_, Err(error), _) => Err(error),
            ("all", _, failed) if falses > 0 || failed.is_none() => Ok((falses == 0).into()),
            ("exists", _, failed) if count > 0 || failed.is_none() => Ok((count > 0).into()),
            (_, _, Some(error)) => Err(error),
            ("exists_one", ..) => Ok((count == 1).into()),
            _ => Ok(Value::list(kept)),
        })
    }

    fn call(&mut self, name: &str, arguments: Result<Vec<Value>, String>) -> Read<Out> {
        const KNOWN: [&str; 21] = [
            "size",
            "startsWith",
            "endsWith",
            "contains",
            "matches",
            "lowerAscii",
            "upperAscii",
            "trim",
            "replace",
            "split",
            "join",
            "substring",
            "indexOf",
            "min",
            "max",
            "sum",
            "string",
            "int",
            "double",
            "dyn",
            "isSorted",
        ];
        if !KNOWN.contains(&name) {
            return Err(Failure::Unknown);
        }
        if self.idle {
            return Ok(Ok(Value::Null));
        }
        Ok(arguments.and_then(|all| function(name, &all)))
    }
}

fn function(name: &str, all: &[Value]) -> Out {
    let at = |index: usize| all.get(index).unwrap_or(&Value::Null);
    let (of, first) = (at(0), at(1));
    let count = |count: usize| Ok(Value::Int(i64::try_from(count).unwrap_or(i64::MAX)));
    let text = |text: String| Ok(Value::text(text));
    Ok(match (name, of) {
        ("size", Value::Text(text)) => return count(text.chars().count()),
        ("size", Value::List(items)) => return count(items.len()),
        ("size", Value::Map(map)) => return count(map.len()),
        ("startsWith", Value::Text(of)) => of.starts_with(first.str()).into(),
        ("endsWith", Value::Text(of)) => of.ends_with(first.str()).into(),
        ("contains", Value::Text(of)) => of.contains(first.str()).into(),
        ("matches", Value::Text(of)) => Regex::new(first.str()).is_ok_and(|regex| regex.is_match(of)).into(),
        ("lowerAscii", Value::Text(of)) => return text(of.to_ascii_lowercase()),
        ("upperAscii", Value::Text(of)) => return text(of.to_ascii_uppercase()),
        ("trim", Value::Text(of)) => return text(of.trim().into()),
        ("replace", Value::Text(of)) => return text(of.replace(first.str(), at(2).str())),
        ("split", Value::Text(of)) => of.split(first.str()).map(Value::text).collect::<Vec<_>>().into(),
        ("join", Value::List(items)) => {
            return text(items.iter().map(Value::str).collect::<Vec<_>>().join(first.str()));
        }
        ("substring", Value::Text(of)) => {
            let length = of.chars().count();
            let place = |value: &Value, none: usize| match value {
                Value::Null => Some(none),
                value => usize::try_from(value.int()).ok().filter(|at| *at <= length),
            };
            match (place(first, 0), place(at(2), length)) {
                (Some(from), Some(to)) if from <= to => {
                    return text(of.chars().skip(from).take(to - from).collect());
                }
                _ => return Err(format!("index out of range: {}", first.int())),
            }
        }
        ("indexOf", Value::Text(of)) => match of.find(first.str()) {
            Some(at) => return count(of.get(..at).unwrap_or_default().chars().count()),
            None => Value::Int(-1),
        },
        ("min" | "max", Value::List(items)) => {
            let mut best: Option<&Value> = None;
            let sign = if name == "min" { "<" } else { ">" };
            for item in items.iter() {
                if best.is_none_or(|best| compare(sign, item, best) == Ok(true.into())) {
                    best = Some(item);
                }
            }
            return best.cloned().ok_or_else(|| format!("{name} called on empty list"));
        }
        ("sum", Value::List(items)) => {
            return items.iter().try_fold(Value::Int(0), |sum, item| arithmetic("+", &sum, item));
        }
        ("isSorted", Value::List(items)) => {
            items.windows(2).all(|pair| compare("<=", &pair[0], &pair[1]) == Ok(true.into())).into()
        }
        ("string", Value::Text(_)) | ("dyn", _) | ("int", Value::Int(_)) | ("double", Value::Float(_)) => of.clone(),
        ("string", Value::Int(_) | Value::Float(_) | Value::Bool(_)) => return text(json::compact(of)),
        ("int", Value::Float(value)) => Value::Int(*value as i64),
        ("int", Value::Text(value)) => match value.parse() {
            Ok(value) => Value::Int(value),
            Err(_) => return Err(format!("strconv.ParseInt: parsing \"{value}\": invalid syntax")),
        },
        ("double", Value::Int(value)) => Value::Float(*value as f64),
        _ => return no_overload(),
    })
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

fn compare(sign: &str, left: &Value, right: &Value) -> Out {
    let same = |left: &Value, right: &Value| match (float(left), float(right)) {
        (Some(left), Some(right)) => left == right,
        _ => left == right,
    };
    let order = match (left, right) {
        _ if sign == "==" || sign == "!=" => return Ok((same(left, right) == (sign == "==")).into()),
        (item, Value::List(items)) if sign == "in" => return Ok(items.iter().any(|have| same(have, item)).into()),
        (key, Value::Map(_)) if sign == "in" => return Ok(right.has(key.str()).into()),
        (Value::Int(left), Value::Int(right)) => left.partial_cmp(right),
        (Value::Text(left), Value::Text(right)) => left.partial_cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.partial_cmp(right),
        _ => match (float(left), float(right)) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            _ => return no_overload(),
        },
    };
    let Some(order) = order else { return Ok(false.into()) };
    Ok(match sign {
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => return no_overload(),
    }
    .into())
}

fn arithmetic(sign: &str, left: &Value, right: &Value) -> Out {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => match sign {
            "/" | "%" if *right == 0 => {
                return Err(if sign == "/" { "division by zero" } else { "modulus by zero" }.into());
            }
            "+" => left.checked_add(*right),
            "-" => left.checked_sub(*right),
            "*" => left.checked_mul(*right),
            "/" => left.checked_div(*right),
            _ => left.checked_rem(*right),
        }
        .map(Value::Int)
        .ok_or_else(|| "integer overflow".into()),
        (Value::Text(left), Value::Text(right)) if sign == "+" => Ok(Value::text(format!("{left}{right}"))),
        (Value::List(left), Value::List(right)) if sign == "+" => {
            Ok(Value::list(left.iter().chain(right.iter()).cloned().collect()))
        }
        _ => match (float(left), float(right), sign) {
            (Some(left), Some(right), "+") => Ok(Value::Float(left + right)),
            (Some(left), Some(right), "-") => Ok(Value::Float(left - right)),
            (Some(left), Some(right), "*") => Ok(Value::Float(left * right)),
            (Some(left), Some(right), "/") => Ok(Value::Float(left / right)),
            _ => no_overload(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: &str, want: &str) {
        let object = json::parse(
            r#"{"route":"a-b","crew":2,"speed":60.5,"decks":[{"name":"sun","seats":40},{"name":"moon"}],"tags":{"a":"1"},"my-key":1}"#,
        )
        .unwrap();
        let got = match evaluate(rule, &[("self", &object), ("oldSelf", &object)]) {
            Ok(value) => json::compact(&value),
            Err(Failure::Error(error)) => format!("error: {error}"),
            Err(Failure::Unknown) => "unknown".into(),
        };
        assert_eq!(got, want, "{rule}");
    }

    #[test]
    fn rules_are_worked_out() {
        for (rule, want) in [
            ("!has(self.speed) || self.speed < 50.0 || self.crew > 2", "false"),
            ("self.route == oldSelf.route", "true"),
            ("self.crew + 1 == 3 && self.crew * 2 - 1 >= 3", "true"),
            ("has(self.nothing) ? self.nothing > 1 : true", "true"),
            ("self.nothing > 1", "error: no such key: nothing"),
            ("self.nothing > 1 || true", "true"),
            ("false && self.nothing > 1", "false"),
            ("self.decks.all(d, has(d.name))", "true"),
            ("self.decks.all(d, d.seats > 1)", "error: no such key: seats"),
            ("self.decks.exists(d, has(d.seats) && d.seats == 40)", "true"),
            ("self.decks.exists_one(d, d.name.startsWith('s'))", "true"),
            ("self.decks.map(d, d.name).join('+')", "\"sun+moon\""),
            ("self.decks.filter(d, !has(d.seats)).size()", "1"),
            ("self.tags.all(key, key in ['a', 'b'] && self.tags[key] == \"1\")", "true"),
            ("size(self.route) <= 3 && self.route.matches('^[a-z]+-[a-z]+$')", "true"),
            ("self.route.split('-')[1] == 'b'", "true"),
            ("self.my__dash__key == 1", "true"),
            ("self.crew in [1, 2, 3]", "true"),
            ("1 / 0 == 1", "error: division by zero"),
            ("'a' + 1", "error: no such overload"),
            ("[1, 2] + [3] == [1, 2, 3]", "true"),
            ("self.crew == 2.0", "true"),
            ("-self.crew < 0", "true"),
            ("duration('1h') > self.when", "unknown"),
            ("self.crew >", "unknown"),
            ("((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))", "unknown"),
        ] {
            check(rule, want);
        }
    }
}
