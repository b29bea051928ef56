//! awk, the part people type at a prompt: `/pattern/`, comparisons, BEGIN and END, `print` of fields, texts, NR, NF
//! and plain sums. Everything else is a gap.

use crate::base::BTreeMap;

use super::grep::Told;
use super::{Filter, Filtering, Flags, Next, Output, Place};
use crate::base::{float, gap};
use crate::process::{Program, Sys};
use crate::shell::Regex;
use crate::shell::escape::{Style, unescape};
use crate::shell::print::{general, printf};

#[derive(Clone, Debug)]
enum Expr {
    Text(String),
    Number(f64),
    Name(String),
    Field(Box<Expr>),
    Match(Box<Expr>, Regex, bool),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
}

#[derive(Clone, Debug)]
enum Action {
    Print(Vec<Expr>),
    Printf(Vec<Expr>),
    Set(String, Expr),
    Next,
    Exit,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Begin,
    Each,
    End,
}

#[derive(Clone)]
struct Awk {
    rules: Vec<(When, Option<Expr>, Vec<Action>)>,
    names: BTreeMap<String, String>,
    fields: Vec<String>,
    begun: bool,
}

const LEVELS: [&[&str]; 6] =
    [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">"], &[" "], &["+", "-"], &["*", "/", "%"]];

pub fn program(args: &[String]) -> Box<dyn Program> {
    let mut flags = Flags::read(args, "Fvf", "", &[]);
    if flags.rest.is_empty() {
        return Box::new(Told {
            text: "usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]\n".into(),
            code: 2,
        });
    }
    let text = flags.rest.remove(0);
    let mut reader = Reader { chars: text.chars().collect(), at: 0, depth: 0 };
    let Some(rules) = reader.rules() else {
        return Box::new(Told {
            text: format!(
                "{}\n",
                gap::line(
                    "awk: this program",
                    "the simple forms of awk work: patterns, print, printf, sums, BEGIN and END"
                )
            ),
            code: 1,
        });
    };
    let mut names =
        BTreeMap::from([("FS".to_string(), " ".to_string()), ("OFS".into(), " ".into()), ("NR".into(), "0".into())]);
    for (letter, value) in &flags.set {
        match letter {
            'F' => {
                let (bytes, _) = unescape(value, Style::Format);
                names.insert("FS".into(), String::from_utf8_lossy(&bytes).into_owned());
            }
            _ => {
                if let Some((name, value)) = value.split_once('=') {
                    names.insert(name.into(), value.into());
                }
            }
        }
    }
    let only_begin = rules.iter().all(|(when, ..)| *when == When::Begin);
    let files = if only_begin { vec!["/dev/null".to_string()] } else { flags.rest };
    Filtering::new("awk", Awk { rules, names, fields: Vec::new(), begun: false }, files)
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: u32,
}

impl Reader {
    fn blanks(&mut self) {
        while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
            self.at += 1;
        }
    }
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }
    fn starts(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c))
    }
    fn eat(&mut self, text: &str) -> bool {
        self.blanks();
        let found = self.starts(text);
        self.at += if found { text.chars().count() } else { 0 };
        found
    }
    fn word(&mut self) -> String {
        self.blanks();
        let word: String =
            self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect();
        self.at += word.len();
        word
    }
    fn rules(&mut self) -> Option<Vec<(When, Option<Expr>, Vec<Action>)>> {
        let mut rules = Vec::new();
        loop {
            while self.peek().is_some_and(|c| c.is_whitespace() || c == ';') {
                self.at += 1;
            }
            if self.peek().is_none() {
                return Some(rules);
            }
            let when = if self.eat("BEGIN") {
                When::Begin
            } else if self.eat("END") {
                When::End
            } else {
                When::Each
            };
            self.blanks();
            let condition = if when == When::Each && self.peek() != Some('{') { Some(self.expr(0)?) } else { None };
            let actions = if self.eat("{") { self.actions()? } else { vec![Action::Print(Vec::new())] };
            rules.push((when, condition, actions));
        }
    }
    fn actions(&mut self) -> Option<Vec<Action>> {
        let mut actions = Vec::new();
        loop {
            while self.peek().is_some_and(|c| c.is_whitespace() || c == ';') {
                self.at += 1;
            }
            if self.eat("}") {
                return Some(actions);
            }
            let start = self.at;
            if self.peek() == Some('$') {
                return None;
            }
            let word = self.word();
            match word.as_str() {
                "print" | "printf" => {
                    let mut list = Vec::new();
                    self.blanks();
                    while self.peek().is_some_and(|c| !matches!(c, '}' | ';' | '\n')) {
                        list.push(self.expr(0)?);
                        if !self.eat(",") {
                            break;
                        }
                    }
                    actions.push(if word == "print" { Action::Print(list) } else { Action::Printf(list) });
                }
                "next" => actions.push(Action::Next),
                "exit" => actions.push(Action::Exit),
                "" | "if" | "for" | "while" | "delete" | "getline" | "function" => return None,
                name => {
                    let name = name.to_string();
                    let own = Box::new(Expr::Name(name.clone()));
                    let value = if self.eat("++") {
                        Expr::Binary("+", own, Box::new(Expr::Number(1.0)))
                    } else if self.eat("+=") {
                        Expr::Binary("+", own, Box::new(self.expr(0)?))
                    } else if !self.starts("==") && self.eat("=") {
                        self.expr(0)?
                    } else {
                        self.at = start;
                        return None;
                    };
                    actions.push(Action::Set(name, value));
                }
            }
            self.blanks();
            if !matches!(self.peek(), Some('}' | ';' | '\n')) {
                return None;
            }
        }
    }
    fn expr(&mut self, level: usize) -> Option<Expr> {
        self.depth += 1;
        if self.depth > 200 {
            return None;
        }
        let result = self.expr_inner(level);
        self.depth -= 1;
        result
    }
    fn expr_inner(&mut self, level: usize) -> Option<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.atom() };
        let mut left = self.expr(level + 1)?;
        loop {
            self.blanks();
            if *operators == [" "] {
                if !self.peek().is_some_and(|c| c == '"' || c == '$' || c == '(' || c.is_alphanumeric()) {
                    return Some(left);
                }
                left = Expr::Binary(" ", Box::new(left), Box::new(self.expr(level + 1)?));
                continue;
            }
            if level == 2 && (self.starts("~") || self.starts("!~")) {
                let negated = self.eat("!");
                self.at += 1;
                self.blanks();
                left = Expr::Match(Box::new(left), self.regex()?, negated);
                continue;
            }
            let Some(operator) = operators.iter().find(|o| self.starts(o)) else { return Some(left) };
            if matches!(*operator, "+" | "-") && self.starts(&operator.repeat(2)) {
                return None;
            }
            self.at += operator.len();
            left = Expr::Binary(operator, Box::new(left), Box::new(self.expr(level + 1)?));
        }
    }
    fn regex(&mut self) -> Option<Regex> {
        if self.peek() != Some('/') {
            return None;
        }
        self.at += 1;
        let mut text = String::new();
        loop {
            let c = self.peek()?;
            self.at += 1;
            match c {
                '/' => return Regex::new(&text, true, false).ok(),
                '\\' => {
                    let next = self.peek()?;
                    self.at += 1;
                    if next != '/' {
                        text.push('\\');
                    }
                    text.push(next);
                }
                c => text.push(c),
            }
        }
    }
    fn atom(&mut self) -> Option<Expr> {
        self.blanks();
        match self.peek()? {
            '/' => Some(Expr::Match(Box::new(Expr::Field(Box::new(Expr::Number(0.0)))), self.regex()?, false)),
            '!' => {
                self.at += 1;
                Some(Expr::Not(Box::new(self.expr(5)?)))
            }
            '(' => {
                self.at += 1;
                let inner = self.expr(0)?;
                self.eat(")").then_some(inner)
            }
            '$' => {
                self.at += 1;
                self.depth += 1;
                let inner = if self.depth > 200 { None } else { self.atom() };
                self.depth -= 1;
                Some(Expr::Field(Box::new(inner?)))
            }
            '"' => {
                self.at += 1;
                let mut raw = String::new();
                loop {
                    let c = self.peek()?;
                    self.at += 1;
                    match c {
                        '"' => break,
                        '\\' => {
                            raw.push('\\');
                            raw.push(self.peek()?);
                            self.at += 1;
                        }
                        c => raw.push(c),
                    }
                }
                Some(Expr::Text(String::from_utf8_lossy(&unescape(&raw, Style::Format).0).into_owned()))
            }
            c if c.is_ascii_digit() => {
                let digits: String =
                    self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_digit() || **c == '.').collect();
                self.at += digits.len();
                float::parse(&digits).map(Expr::Number)
            }
            _ => {
                let word = self.word();
                (!word.is_empty() && self.peek() != Some('(') && self.peek() != Some('[')).then_some(Expr::Name(word))
            }
        }
    }
}

fn number(text: &str) -> f64 {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|(at, c)| !(c.is_ascii_digit() || *c == '.' || (*at == 0 && (*c == '-' || *c == '+'))))
        .map_or(text.len(), |(at, _)| at);
    text.get(..end).and_then(float::parse).unwrap_or(0.0)
}

fn shown(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{}", value as i64) } else { general(value, 6) }
}

impl Awk {
    fn text(&self, expr: &Expr) -> String {
        match expr {
            Expr::Text(text) => text.clone(),
            Expr::Number(number) => shown(*number),
            Expr::Name(name) if name == "NF" => self.fields.len().saturating_sub(1).to_string(),
            Expr::Name(name) => self.names.get(name).cloned().unwrap_or_default(),
            Expr::Field(index) => {
                self.fields.get(number(&self.text(index)).max(0.0) as usize).cloned().unwrap_or_default()
            }
            Expr::Match(text, regex, negated) => {
                u8::from(regex.is_match(self.text(text).as_bytes()) != *negated).to_string()
            }
            Expr::Not(inner) => u8::from(!self.holds(inner)).to_string(),
            Expr::Binary(" ", a, b) => self.text(a) + &self.text(b),
            Expr::Binary("||", a, b) => u8::from(self.holds(a) || self.holds(b)).to_string(),
            Expr::Binary("&&", a, b) => u8::from(self.holds(a) && self.holds(b)).to_string(),
            Expr::Binary(operator, a, b) => {
                let (a_text, b_text) = (self.text(a), self.text(b));
                let (x, y) = (number(&a_text), number(&b_text));
                let numeric = |e: &Expr, text: &str| {
                    !matches!(e, Expr::Text(_)) && (text.is_empty() || float::parse(text.trim()).is_some())
                };
                let order =
                    if numeric(a, &a_text) && numeric(b, &b_text) { x.total_cmp(&y) } else { a_text.cmp(&b_text) };
                let truth = |holds: bool| u8::from(holds).to_string();
                match *operator {
                    "==" => truth(order.is_eq()),
                    "!=" => truth(order.is_ne()),
                    "<" => truth(order.is_lt()),
                    ">" => truth(order.is_gt()),
                    "<=" => truth(order.is_le()),
                    ">=" => truth(order.is_ge()),
                    "+" => shown(x + y),
                    "-" => shown(x - y),
                    "*" => shown(x * y),
                    "/" => shown(x / y),
                    _ => shown(x % y),
                }
            }
        }
    }

    fn holds(&self, expr: &Expr) -> bool {
        let text = self.text(expr);
        match expr {
            Expr::Text(_) => !text.is_empty(),
            _ => float::parse(text.trim()).map_or(!text.is_empty(), |number| number != 0.0),
        }
    }

    fn run(&mut self, when: When, out: &mut Output) -> Next {
        let rules = std::mem::take(&mut self.rules);
        let mut next = Next::More;
        'rules: for (own, condition, actions) in rules.iter().filter(|(own, ..)| *own == when) {
            let _ = own;
            if condition.as_ref().is_some_and(|condition| !self.holds(condition)) {
                continue;
            }
            for action in actions {
                match action {
                    Action::Print(list) if list.is_empty() => {
                        out.out(self.fields.first().cloned().unwrap_or_default() + "\n")
                    }
                    Action::Print(list) => {
                        let joint = self.names.get("OFS").cloned().unwrap_or_default();
                        let list: Vec<String> = list.iter().map(|expr| self.text(expr)).collect();
                        out.out(list.join(&joint) + "\n");
                    }
                    Action::Printf(list) => {
                        let list: Vec<String> = list.iter().map(|expr| self.text(expr)).collect();
                        out.out(printf(&list).out);
                    }
                    Action::Set(name, value) => {
                        let mut value = self.text(value);
                        value.truncate(1 << 16);
                        self.names.insert(name.clone(), value);
                    }
                    Action::Next => break 'rules,
                    Action::Exit => {
                        next = Next::Stop(0);
                        break 'rules;
                    }
                }
            }
        }
        self.rules = rules;
        next
    }
}

impl Filter for Awk {
    fn line(&mut self, _: &Place<'_>, line: &[u8], _: bool, out: &mut Output) -> Next {
        if !std::mem::replace(&mut self.begun, true) {
            self.run(When::Begin, out);
        }
        let line = String::from_utf8_lossy(line).into_owned();
        let mark = self.names.get("FS").cloned().unwrap_or_default();
        let mut fields = vec![line.clone()];
        match mark.as_str() {
            " " => fields.extend(line.split_whitespace().map(str::to_string)),
            mark if mark.chars().count() == 1 => fields.extend(line.split(mark).map(str::to_string)),
            mark => match Regex::new(mark, true, false) {
                Ok(regex) => {
                    let mut from = 0;
                    while let Some(Some((a, b))) = regex.find(line.as_bytes(), from).and_then(|g| g.first().copied()) {
                        if a == b {
                            break;
                        }
                        fields.push(line.get(from..a).unwrap_or_default().to_string());
                        from = b;
                    }
                    fields.push(line.get(from..).unwrap_or_default().to_string());
                }
                Err(_) => fields.push(line.clone()),
            },
        }
        self.fields = fields;
        let count = number(self.names.get("NR").map_or("0", String::as_str)) as u64 + 1;
        self.names.insert("NR".into(), count.to_string());
        self.run(When::Each, out)
    }
    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        if !std::mem::replace(&mut self.begun, true) {
            self.run(When::Begin, out);
        }
        self.run(When::End, out);
        0
    }
}
