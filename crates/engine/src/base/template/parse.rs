//! Text to nodes. Errors carry the line that Go names.

use crate::base::BTreeMap;

use super::{Branch, Command, Dialect, GoTemplate, Kind, Node, Pipe, Word, functions};
use crate::base::{Value, float, goquote};

type Error = (usize, String);

const DEEPEST: usize = 60;

pub(super) fn parse(text: &str, dialect: &'static Dialect) -> Result<GoTemplate, Error> {
    let tokens = lex(text)?;
    let mut parser = Parser {
        dialect,
        text,
        tokens,
        at: 0,
        named: BTreeMap::new(),
        variables: vec!["$".into()],
        depth: 0,
        loops: 0,
    };
    let (body, end) = parser.list()?;
    match end {
        Stop::Text => Ok(GoTemplate { dialect, text: text.into(), body, named: parser.named }),
        Stop::End => parser.fail("unexpected {{end}}"),
        Stop::Else => parser.fail("unexpected {{else}}"),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Text(String),
    Open,
    Close,
    Dot,
    Field(String),
    Variable(String),
    Word(String),
    Constant(Value, String),
    Mark(char),
    Declare,
}

struct Placed {
    token: Token,
    at: usize,
    space_before: bool,
}

fn line_at(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|b| *b == b'\n').count()
}

fn lex(text: &str) -> Result<Vec<Placed>, Error> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut trim = false;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let open = rest.find("{{");
        let mut literal = rest.get(..open.unwrap_or(rest.len())).unwrap_or_default();
        if trim {
            literal = literal.trim_start_matches(BLANKS);
        }
        let inner = open.map(|open| at + open + 2);
        let trims_left = inner.is_some_and(|inner| {
            let after = text.get(inner..).unwrap_or_default();
            after.starts_with('-') && after.get(1..).is_some_and(|after| after.starts_with(BLANKS))
        });
        if trims_left {
            literal = literal.trim_end_matches(BLANKS);
        }
        if !literal.is_empty() {
            out.push(Placed { token: Token::Text(literal.into()), at, space_before: false });
        }
        let Some(inner) = inner else { return Ok(out) };
        at = inner + usize::from(trims_left);
        let body = text.get(at..).unwrap_or_default();
        let comment = body.trim_start_matches(BLANKS);
        if comment.starts_with("/*") {
            let start = at + body.len() - comment.len();
            let Some(end) = comment.find("*/") else { return Err((line_at(text, start), "unclosed comment".into())) };
            let after = comment.get(end + 2..).unwrap_or_default();
            let tail = after.trim_start_matches(BLANKS);
            trim = tail.starts_with("-}}") && tail.len() < after.len();
            let Some(rest) =
                tail.strip_prefix(if trim { "-}}" } else { "}}" }).filter(|_| trim || tail.len() == after.len())
            else {
                return Err((line_at(text, start), "comment ends before closing delimiter".into()));
            };
            at = text.len() - rest.len();
            continue;
        }
        out.push(Placed { token: Token::Open, at: inner - 2, space_before: false });
        (at, trim) = lex_action(text, at, &mut out)?;
    }
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Up to behind the closing braces, and whether they trim what follows.
fn lex_action(text: &str, mut at: usize, out: &mut Vec<Placed>) -> Result<(usize, bool), Error> {
    let mut space_before = false;
    let mut open = 0_usize;
    let opened = line_at(text, at);
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let fail = |error: String| Err((line_at(text, at), error));
        if space_before && rest.starts_with("-}}") || rest.starts_with("}}") {
            if open > 0 {
                return fail("unclosed left paren".into());
            }
            let trims = rest.starts_with('-');
            out.push(Placed { token: Token::Close, at, space_before });
            return Ok((at + 2 + usize::from(trims), trims));
        }
        let Some(c) = rest.chars().next() else { return Err((opened, "unclosed action".into())) };
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        let word_end = |from: usize| {
            let tail = rest.get(from..).unwrap_or_default();
            from + tail.find(|c| !is_word(c)).unwrap_or(tail.len())
        };
        let second = rest.chars().nth(1).unwrap_or(' ');
        let (token, length) = match c {
            ' ' | '\t' | '\r' | '\n' => {
                space_before = true;
                at += 1;
                continue;
            }
            ':' if second == '=' => (Token::Declare, 2),
            '=' | '|' | ',' => (Token::Mark(c), 1),
            '(' => {
                open += 1;
                (Token::Mark(c), 1)
            }
            ')' => {
                if open == 0 {
                    return fail("unexpected right paren".into());
                }
                open -= 1;
                (Token::Mark(c), 1)
            }
            '"' => {
                let mut escaped = false;
                let end = rest.char_indices().skip(1).find(|(_, c)| {
                    let ends = *c == '\n' || (*c == '"' && !escaped);
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                let Some((end, '"')) = end else { return fail("unterminated quoted string".into()) };
                let source = rest.get(..=end).unwrap_or_default();
                let Some(value) = goquote::unescape(rest.get(1..end).unwrap_or_default(), '"') else {
                    return fail("invalid syntax".into());
                };
                (Token::Constant(value.into(), source.into()), end + 1)
            }
            '`' => {
                let Some(end) = rest.get(1..).and_then(|tail| tail.find('`')) else {
                    return fail("unterminated raw quoted string".into());
                };
                let source = rest.get(..end + 2).unwrap_or_default();
                (Token::Constant(rest.get(1..=end).unwrap_or_default().into(), source.into()), end + 2)
            }
            '\'' => {
                let end = rest.get(1..).and_then(|tail| tail.find('\''));
                let Some(end) = end else { return fail("unterminated character constant".into()) };
                let source = rest.get(..end + 2).unwrap_or_default();
                let inner = goquote::unescape(rest.get(1..=end).unwrap_or_default(), '\'');
                let Some(c) = inner.and_then(|inner| inner.chars().next()) else {
                    return fail(format!("malformed character constant: {source}"));
                };
                (Token::Constant(Value::Int(i64::from(c as u32)), source.into()), end + 2)
            }
            '$' => {
                let end = word_end(1);
                (Token::Variable(rest.get(..end).unwrap_or_default().into()), end)
            }
            '.' if is_word(second) && !second.is_ascii_digit() => {
                let end = word_end(1);
                (Token::Field(rest.get(1..end).unwrap_or_default().into()), end)
            }
            '.' if !second.is_ascii_digit() => (Token::Dot, 1),
            '+' | '-' | '.' | '0'..='9' => {
                let end = rest.char_indices().skip(1).find(|(at, c)| {
                    let exponent = rest.get(..*at).is_some_and(|t| t.ends_with(['e', 'E']) && !t.starts_with("0x"));
                    !(is_word(*c) || *c == '.' || (exponent && matches!(c, '+' | '-')))
                });
                let source = rest.get(..end.map_or(rest.len(), |(at, _)| at)).unwrap_or_default();
                let Some(value) = number(source) else {
                    return fail(format!("bad number syntax: {}", goquote::quote(source)));
                };
                (Token::Constant(value, source.into()), source.len())
            }
            c if is_word(c) => {
                let end = word_end(0);
                (Token::Word(rest.get(..end).unwrap_or_default().into()), end)
            }
            c => return fail(format!("unexpected {} in command", goquote::quote(&c.to_string()))),
        };
        // A name ends where something else may begin.
        let after = rest.get(length..).unwrap_or_default();
        if let (Token::Word(_) | Token::Field(_) | Token::Variable(_), Some(c)) = (&token, after.chars().next())
            && !(matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '|' | ':' | ')' | '(' | '=')
                || after.starts_with("}}"))
        {
            return fail(format!("bad character U+{:04X} '{c}'", u32::from(c)));
        }
        out.push(Placed { token, at, space_before });
        space_before = false;
        at += length;
    }
}

fn number(source: &str) -> Option<Value> {
    let text = source.replace('_', "");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let radix = |prefix: &str, radix| {
        let digits = digits.strip_prefix(prefix)?;
        i64::from_str_radix(&format!("{sign}{digits}"), radix).ok()
    };
    let whole = radix("0x", 16).or_else(|| radix("0b", 2)).or_else(|| radix("0o", 8));
    let whole = whole.or_else(|| format!("{sign}{digits}").parse().ok());
    whole
        .map(Value::Int)
        .or_else(|| float::parse(&format!("{sign}{digits}")).filter(|n| n.is_finite()).map(Value::Float))
}

#[derive(PartialEq)]
enum Stop {
    Text,
    End,
    /// The token after `else` is next.
    Else,
}

struct Parser<'a> {
    dialect: &'static Dialect,
    text: &'a str,
    tokens: Vec<Placed>,
    at: usize,
    named: BTreeMap<String, Vec<Node>>,
    variables: Vec<String>,
    depth: usize,
    loops: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|placed| &placed.token)
    }

    fn place(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |placed| placed.at)
    }

    fn fail<T>(&self, error: impl Into<String>) -> Result<T, Error> {
        Err((line_at(self.text, self.place()), error.into()))
    }

    fn word(&mut self) -> Option<String> {
        match self.peek() {
            Some(Token::Word(word)) => Some(word.clone()),
            _ => None,
        }
    }

    fn close(&mut self, context: &str) -> Result<(), Error> {
        if self.peek() == Some(&Token::Close) {
            self.at += 1;
            return Ok(());
        }
        self.unexpected(context)
    }

    fn unexpected<T>(&self, context: &str) -> Result<T, Error> {
        let shown = match self.peek() {
            None => return self.fail("unexpected EOF"),
            Some(Token::Close) => "\"}}\"".into(),
            Some(Token::Dot) => "<.>".into(),
            Some(Token::Field(name)) => format!("<.{name}>"),
            Some(Token::Variable(name)) => goquote::quote(name),
            Some(Token::Word(word)) if is_keyword(word) => format!("<{word}>"),
            Some(Token::Word(word)) => goquote::quote(word),
            Some(Token::Constant(_, source)) => goquote::quote(source),
            Some(Token::Mark(c)) => goquote::quote(&c.to_string()),
            Some(Token::Declare) => "\":=\"".into(),
            Some(Token::Text(text)) => goquote::quote(text),
            Some(Token::Open) => "\"{{\"".into(),
        };
        self.fail(format!("unexpected {shown} in {context}"))
    }

    fn list(&mut self) -> Result<(Vec<Node>, Stop), Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail(format!("actions nested deeper than {DEEPEST}"));
        }
        let mut nodes = Vec::new();
        let end = loop {
            match self.peek() {
                None => break Stop::Text,
                Some(Token::Text(text)) => {
                    nodes.push(Node::Text(text.clone()));
                    self.at += 1;
                    continue;
                }
                _ => self.at += 1,
            }
            let word = self.word().unwrap_or_default();
            if is_keyword(&word) {
                self.at += 1;
            }
            match word.as_str() {
                "end" => {
                    self.close("end")?;
                    break Stop::End;
                }
                "else" => break Stop::Else,
                "if" => nodes.push(Node::If(self.branch("if")?)),
                "with" => nodes.push(Node::With(self.branch("with")?)),
                "range" => nodes.push(Node::Range(self.branch("range")?)),
                "break" | "continue" => {
                    if self.loops == 0 {
                        return self.fail(format!("{{{{{word}}}}} outside {{{{range}}}}"));
                    }
                    self.close(&word)?;
                    nodes.push(if word == "break" { Node::Break } else { Node::Continue });
                }
                "define" | "block" | "template" => {
                    let at = self.place();
                    let Some(Token::Constant(Value::Text(name), _)) = self.peek().cloned() else {
                        return self.unexpected(&format!("{word} clause"));
                    };
                    self.at += 1;
                    let name = name.to_string();
                    let pipe = match self.peek() {
                        Some(Token::Close) => None,
                        _ if word == "define" => None,
                        _ => Some(self.pipe(&word)?),
                    };
                    self.close(&format!("{word} clause"))?;
                    if word != "template" {
                        let outer = std::mem::replace(&mut self.variables, vec!["$".into()]);
                        let (body, end) = self.list()?;
                        self.variables = outer;
                        if end != Stop::End {
                            return self.unexpected(&format!("{word} clause"));
                        }
                        self.named.insert(name.clone(), body);
                    }
                    if word != "define" {
                        nodes.push(Node::Template { name, pipe, at });
                    }
                }
                _ => {
                    let pipe = self.pipe("command")?;
                    self.close("command")?;
                    nodes.push(Node::Action(pipe));
                }
            }
        };
        self.depth -= 1;
        Ok((nodes, end))
    }

    fn branch(&mut self, word: &str) -> Result<Branch, Error> {
        let variables = self.variables.len();
        let pipe = self.pipe(word)?;
        self.close(word)?;
        let in_loop = usize::from(word == "range");
        self.loops += in_loop;
        let (then, end) = self.list()?;
        self.loops -= in_loop;
        let mut otherwise = Vec::new();
        match end {
            Stop::Text => return self.fail("unexpected EOF"),
            Stop::End => {}
            Stop::Else => match self.word() {
                Some(next) if next == word && word != "range" => {
                    self.at += 1;
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return self.fail(format!("actions nested deeper than {DEEPEST}"));
                    }
                    let branch = self.branch(word)?;
                    self.depth -= 1;
                    otherwise.push(if word == "if" { Node::If(branch) } else { Node::With(branch) });
                }
                _ => {
                    self.close("else")?;
                    let (list, end) = self.list()?;
                    match end {
                        Stop::End => otherwise = list,
                        Stop::Text => return self.fail("unexpected EOF"),
                        Stop::Else => return self.fail("expected end; found {{else}}"),
                    }
                }
            },
        }
        self.variables.truncate(variables);
        Ok(Branch { pipe, then, otherwise })
    }

    fn pipe(&mut self, context: &str) -> Result<Pipe, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail(format!("parentheses nested deeper than {DEEPEST}"));
        }
        let mut pipe = Pipe { variables: Vec::new(), assigns: false, commands: Vec::new() };
        let start = self.at;
        while let Some(Token::Variable(name)) = self.peek().cloned() {
            self.at += 1;
            pipe.variables.push(name);
            match self.peek() {
                Some(Token::Mark(',')) if context == "range" && pipe.variables.len() < 2 => self.at += 1,
                Some(Token::Declare | Token::Mark('=')) => break,
                _ => {
                    self.at = start;
                    pipe.variables.clear();
                    break;
                }
            }
        }
        if !pipe.variables.is_empty() {
            pipe.assigns = self.peek() == Some(&Token::Mark('='));
            self.at += 1;
        }
        loop {
            let command = self.command(context)?;
            pipe.commands.push(command);
            if self.peek() != Some(&Token::Mark('|')) {
                break;
            }
            self.at += 1;
        }
        for (index, command) in pipe.commands.iter().enumerate() {
            let first = command.words.first().map(|word| &word.kind);
            if index > 0 && matches!(first, Some(Kind::Constant(..) | Kind::Nil)) {
                return self.fail(format!("non executable command in pipeline stage {}", index + 1));
            }
        }
        if pipe.assigns {
            if let Some(name) = pipe.variables.iter().find(|name| !self.variables.contains(name)) {
                return self.fail(format!("undefined variable {}", goquote::quote(name)));
            }
        } else {
            self.variables.extend(pipe.variables.iter().cloned());
        }
        self.depth -= 1;
        Ok(pipe)
    }

    fn command(&mut self, context: &str) -> Result<Command, Error> {
        let mut words: Vec<Word> = Vec::new();
        loop {
            let Some(placed) = self.tokens.get(self.at) else { return self.fail("unexpected EOF") };
            let (at, token, space_before) = (placed.at, placed.token.clone(), placed.space_before);
            if let (Token::Field(name), false, Some(word)) = (&token, space_before, words.last_mut()) {
                if matches!(word.kind, Kind::Constant(..) | Kind::Nil) {
                    let error = format!("unexpected . after term {}", goquote::quote(&word.to_string()));
                    return self.fail(error);
                }
                // Go places a chain at the first field that was added to its start.
                if word.fields.is_empty() || (word.fields.len() == 1 && matches!(word.kind, Kind::Dot)) {
                    word.at = at;
                }
                word.fields.push(name.clone());
                self.at += 1;
                continue;
            }
            let (kind, fields) = match token {
                Token::Close | Token::Mark('|' | ')') => break,
                Token::Dot => (Kind::Dot, Vec::new()),
                Token::Field(name) => (Kind::Dot, vec![name]),
                Token::Variable(name) => {
                    if !self.variables.contains(&name) {
                        return self.fail(format!("undefined variable {}", goquote::quote(&name)));
                    }
                    (Kind::Variable(name), Vec::new())
                }
                Token::Constant(value, source) => (Kind::Constant(value, source), Vec::new()),
                Token::Word(word) => match word.as_str() {
                    "true" | "false" => (Kind::Constant((word == "true").into(), word), Vec::new()),
                    "nil" => (Kind::Nil, Vec::new()),
                    _ if is_keyword(&word) => return self.unexpected("operand"),
                    _ if functions::is_known(&word, self.dialect) => (Kind::Function(word), Vec::new()),
                    _ => return self.fail(format!("function {} not defined", goquote::quote(&word))),
                },
                Token::Mark('(') => {
                    self.at += 1;
                    let pipe = self.pipe("parenthesized pipeline")?;
                    if self.peek() != Some(&Token::Mark(')')) {
                        return self.unexpected("parenthesized pipeline");
                    }
                    (Kind::Pipe(Box::new(pipe)), Vec::new())
                }
                _ => return self.unexpected("operand"),
            };
            self.at += 1;
            words.push(Word { at, kind, fields });
        }
        if words.is_empty() {
            return self.fail(match self.peek() {
                Some(Token::Close) if context != "command" => format!("missing value for {context}"),
                _ => "missing value for command".into(),
            });
        }
        Ok(Command { words })
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "if" | "else" | "end" | "range" | "with" | "define" | "block" | "template" | "break" | "continue")
}
