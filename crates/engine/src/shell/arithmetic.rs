//! `$((…))`: 64-bit integers that wrap, with assignments.

/// Where variables live.
pub trait Names {
    fn get(&mut self, name: &str) -> String;
    fn set(&mut self, name: &str, value: i64);
}

const DEPTH_LIMIT: u32 = 50;

struct Reader<'a> {
    chars: Vec<char>,
    at: usize,
    depth: u32,
    /// Zero while a branch is read that does not count (`&&`, `||`, `?:`).
    live: bool,
    names: &'a mut dyn Names,
}

type Number = Result<i64, String>;

pub fn evaluate(text: &str, names: &mut dyn Names) -> Number {
    evaluate_at(text, names, 0)
}

fn evaluate_at(text: &str, names: &mut dyn Names, depth: u32) -> Number {
    if text.trim().is_empty() {
        return Ok(0);
    }
    let mut reader = Reader { chars: text.chars().collect(), at: 0, depth, live: true, names };
    let value = reader.comma().map_err(|error| format!("{}: {error}", text.trim_start()))?;
    reader.blanks();
    if reader.at < reader.chars.len() {
        let rest: String = reader.chars.iter().skip(reader.at).collect();
        let kind = if rest.starts_with(|c: char| c.is_alphanumeric()) {
            "syntax error in expression"
        } else {
            "syntax error: invalid arithmetic operator"
        };
        return Err(format!("{}: {kind} (error token is \"{rest}\")", text.trim_start()));
    }
    Ok(value)
}

const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn starts(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c))
    }

    fn eat(&mut self, text: &str) -> bool {
        self.blanks();
        let found = self.starts(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn comma(&mut self) -> Number {
        let mut value = self.assignment()?;
        while self.eat(",") {
            value = self.assignment()?;
        }
        Ok(value)
    }

    fn name(&mut self) -> Option<String> {
        self.blanks();
        let name: String =
            self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect();
        name.starts_with(|c: char| !c.is_ascii_digit()).then_some(name).filter(|name| !name.is_empty())
    }

    fn assignment(&mut self) -> Number {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err("expression recursion level exceeded".into());
        }
        let start = self.at;
        if let Some(name) = self.name() {
            self.at += name.len();
            self.blanks();
            for operator in ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="] {
                if self.starts(operator) && !(operator == "=" && self.starts("==")) {
                    self.at += operator.len();
                    let right = self.assignment()?;
                    let sign = operator.trim_end_matches('=');
                    let value = if sign.is_empty() {
                        right
                    } else {
                        let left = self.value_of(&name)?;
                        self.apply(sign, left, right)?
                    };
                    if self.live {
                        self.names.set(&name, value);
                    }
                    self.depth -= 1;
                    return Ok(value);
                }
            }
            self.at = start;
        }
        let condition = self.binary(0)?;
        let value = if self.eat("?") {
            let live = self.live;
            self.live = live && condition != 0;
            let yes = self.assignment()?;
            if !self.eat(":") {
                return Err("`:' expected for conditional expression".into());
            }
            self.live = live && condition == 0;
            let no = self.assignment()?;
            self.live = live;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, level: usize) -> Number {
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level + 1)?;
        loop {
            self.blanks();
            let found = operators.iter().find(|operator| {
                self.starts(operator)
                    && !self.starts(&format!("{operator}="))
                    && !(operator.len() == 1 && "|&<>*".contains(**operator) && self.starts(&operator.repeat(2)))
                    || (self.starts(operator) && matches!(**operator, "==" | "!=" | "<=" | ">="))
            });
            let Some(operator) = found else { return Ok(left) };
            self.at += operator.len();
            let live = self.live;
            match *operator {
                "||" => self.live = live && left == 0,
                "&&" => self.live = live && left != 0,
                _ => {}
            }
            let right = self.binary(level + 1)?;
            self.live = live;
            left = self.apply(operator, left, right)?;
        }
    }

    fn apply(&self, operator: &str, left: i64, right: i64) -> Number {
        Ok(match operator {
            "||" => i64::from(left != 0 || right != 0),
            "&&" => i64::from(left != 0 && right != 0),
            "|" => left | right,
            "^" => left ^ right,
            "&" => left & right,
            "==" => i64::from(left == right),
            "!=" => i64::from(left != right),
            "<=" => i64::from(left <= right),
            ">=" => i64::from(left >= right),
            "<" => i64::from(left < right),
            ">" => i64::from(left > right),
            "<<" => left.wrapping_shl(right as u32),
            ">>" => left.wrapping_shr(right as u32),
            "+" => left.wrapping_add(right),
            "-" => left.wrapping_sub(right),
            "*" => left.wrapping_mul(right),
            _ if right == 0 && self.live => {
                let rest: String = self.chars.iter().skip(self.at.saturating_sub(1)).collect();
                return Err(format!("division by 0 (error token is \"{rest}\")"));
            }
            _ if right == 0 => 0,
            "/" => left.wrapping_div(right),
            _ => left.wrapping_rem(right),
        })
    }

    fn power(&mut self) -> Number {
        let base = self.unary()?;
        if !self.eat("**") {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err("expression recursion level exceeded".into());
        }
        let exponent = self.power()?;
        self.depth -= 1;
        if exponent < 0 {
            return Err("exponent less than 0".into());
        }
        Ok(base.wrapping_pow(u32::try_from(exponent).unwrap_or(u32::MAX)))
    }

    fn unary(&mut self) -> Number {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err("expression recursion level exceeded".into());
        }
        let value = self.unary_inner();
        self.depth -= 1;
        value
    }

    fn unary_inner(&mut self) -> Number {
        self.blanks();
        for (operator, step) in [("++", 1), ("--", -1)] {
            if self.starts(operator) {
                let start = self.at;
                self.at += 2;
                if let Some(name) = self.name() {
                    self.at += name.len();
                    return self.step(&name, step, true);
                }
                self.at = start;
            }
        }
        match self.chars.get(self.at) {
            Some('!') => {
                self.at += 1;
                Ok(i64::from(self.unary()? == 0))
            }
            Some('~') => {
                self.at += 1;
                Ok(!self.unary()?)
            }
            Some('-') => {
                self.at += 1;
                Ok(self.unary()?.wrapping_neg())
            }
            Some('+') => {
                self.at += 1;
                self.unary()
            }
            Some('(') => {
                self.at += 1;
                let value = self.comma()?;
                if self.eat(")") { Ok(value) } else { Err("missing `)'".into()) }
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            _ => match self.name() {
                Some(name) => {
                    self.at += name.len();
                    if self.starts("++") {
                        self.at += 2;
                        return self.step(&name, 1, false);
                    }
                    if self.starts("--") {
                        self.at += 2;
                        return self.step(&name, -1, false);
                    }
                    self.value_of(&name)
                }
                None => {
                    let rest: String = self.chars.iter().skip(self.at).collect();
                    let last = self.chars.iter().collect::<String>();
                    let token = if rest.is_empty() {
                        last.trim_end()
                            .chars()
                            .last()
                            .map_or(String::new(), |c| format!("{c}{}", if last.ends_with(' ') { " " } else { "" }))
                    } else {
                        rest
                    };
                    Err(format!("syntax error: operand expected (error token is \"{token}\")"))
                }
            },
        }
    }

    fn step(&mut self, name: &str, step: i64, before: bool) -> Number {
        let old = self.value_of(name)?;
        let new = old.wrapping_add(step);
        if self.live {
            self.names.set(name, new);
        }
        Ok(if before { new } else { old })
    }

    fn number(&mut self) -> Number {
        let text: String = self
            .chars
            .iter()
            .skip(self.at)
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '_' | '@'))
            .collect();
        self.at += text.len();
        let (digits, radix) = match text.split_once('#') {
            Some((radix, digits)) => (digits, radix.parse().unwrap_or(10).clamp(2, 36)),
            None => match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
                Some(digits) => (digits, 16),
                None if text.starts_with('0') && text.len() > 1 => (text.as_str(), 8),
                None => (text.as_str(), 10),
            },
        };
        digits.chars().try_fold(0i64, |value, c| match c.to_digit(radix) {
            Some(digit) => Ok(value.wrapping_mul(i64::from(radix)).wrapping_add(i64::from(digit))),
            None => Err(format!("value too great for base (error token is \"{text}\")")),
        })
    }

    fn value_of(&mut self, name: &str) -> Number {
        let text = self.names.get(name);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Ok(0);
        }
        if let Ok(value) = trimmed.parse::<i64>()
            && !(trimmed.starts_with('0') && trimmed.len() > 1)
        {
            return Ok(value);
        }
        if self.depth + 5 > DEPTH_LIMIT {
            return Err("expression recursion level exceeded".into());
        }
        evaluate_at(trimmed, self.names, self.depth + 5)
    }
}
