//! Reads commands, one complete command at a time, as a shell does: what stands on later lines is not looked at
//! before the earlier ones have run. Words are read in `word`.

use std::sync::{Arc, OnceLock};

use super::ast::{
    Arm, Assign, Chain, Command, Condition, Item, Join, Kind, List, Part, Pipeline, Redirect, RedirectKind, Value, Word,
};
use super::brace;
use crate::base::BTreeMap;

/// How deep commands and expansions may nest.
const DEPTH_LIMIT: u32 = 60;
/// Aliases put in at one place at most.
const ALIASES: u32 = 20;

pub struct Parser {
    pub(super) chars: Vec<char>,
    pub at: usize,
    /// Where the lines end.
    ends: Vec<usize>,
    pub first_line: u32,
    pub(super) depth: u32,
    heredocs: Vec<Heredoc>,
    pub(super) bash: bool,
    /// Whether more lines may come: a here-document waits for its end.
    pub more: bool,
    /// Here-documents that ended with the text: the line there, the line they began on, the end that was wanted.
    pub unended: Vec<(u32, u32, String)>,
    /// Words that stand for others at the place of a command.
    pub aliases: BTreeMap<String, String>,
    /// Aliases put in, and how many characters were left after each.
    put_in: Vec<(String, usize)>,
}

struct Heredoc {
    line: u32,
    end: String,
    strip: bool,
    quoted: bool,
    body: Arc<OnceLock<Word>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub line: u32,
    pub kind: ErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text ended in the middle of a command; what was expected.
    End(&'static str),
    /// The text ended inside quotes; the quote that is missing.
    Quote(char),
    /// A token that cannot stand there; the line it is on; what was expected.
    Token {
        token: String,
        text: String,
        expected: &'static str,
    },
    TooDeep,
}

pub type Parsed<T> = Result<T, SyntaxError>;

impl SyntaxError {
    /// More text could make it right.
    pub fn is_incomplete(&self) -> bool {
        matches!(self.kind, ErrorKind::End(_) | ErrorKind::Quote(_))
    }
}

impl Parser {
    pub fn new(text: &str, first_line: u32, bash: bool) -> Parser {
        let chars: Vec<char> = text.chars().collect();
        let mut parser = Parser {
            chars,
            at: 0,
            ends: Vec::new(),
            first_line,
            depth: 0,
            heredocs: Vec::new(),
            bash,
            more: false,
            unended: Vec::new(),
            aliases: BTreeMap::new(),
            put_in: Vec::new(),
        };
        parser.find_ends();
        parser
    }

    fn find_ends(&mut self) {
        self.ends = self.chars.iter().enumerate().filter(|(_, c)| **c == '\n').map(|(at, _)| at).collect();
    }

    /// Puts an alias's text in place of the word here, if it is one; not inside its own text.
    fn alias(&mut self) {
        for _ in 0..ALIASES {
            let word: String = self.chars.iter().skip(self.at).take_while(|c| !is_meta(**c)).collect();
            let Some(text) = self.aliases.get(&word).cloned() else { return };
            let left = self.chars.len() - self.at;
            if self.put_in.iter().any(|(own, after)| *own == word && left > *after) {
                return;
            }
            let size = word.chars().count();
            self.put_in.push((word, left - size));
            self.chars.splice(self.at..self.at + size, text.chars());
            self.find_ends();
            self.blanks();
        }
    }

    pub fn line(&self) -> u32 {
        let before = self.ends.partition_point(|end| *end < self.at);
        self.first_line.saturating_add(before as u32)
    }

    /// The next line's commands (or more lines, if a command goes over several); `None` at the end.
    pub fn next(&mut self) -> Parsed<Option<List>> {
        loop {
            self.blanks();
            match self.peek() {
                None => return Ok(None),
                Some('\n') => self.at += 1,
                Some(_) => break,
            }
        }
        let list = self.list(true, &[])?;
        match self.peek() {
            None => self.read_heredocs()?,
            Some('\n') => self.newline()?,
            Some(_) => return Err(self.unexpected("")),
        }
        Ok(Some(list))
    }

    /// All of the text as one list (command substitution).
    pub fn all(&mut self) -> Parsed<List> {
        let list = self.list(false, &[])?;
        match self.peek() {
            None => Ok(list),
            Some(_) => Err(self.unexpected("")),
        }
    }

    /// Commands up to whatever ends them (a closing parenthesis).
    pub(super) fn commands(&mut self) -> Parsed<List> {
        let list = self.list(false, &[])?;
        Ok(list)
    }

    pub(super) fn stray(&self) -> SyntaxError {
        self.unexpected("")
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn starts(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek_at(i) == Some(c))
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.starts(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to).unwrap_or_default().iter().collect()
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_LIMIT {
            return Err(self.error(ErrorKind::TooDeep));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn error(&self, kind: ErrorKind) -> SyntaxError {
        SyntaxError { line: self.line(), kind }
    }

    fn unexpected(&self, expected: &'static str) -> SyntaxError {
        let token = match self.peek() {
            None => return self.error(ErrorKind::End(expected)),
            Some('\n') => "newline".to_string(),
            Some(_) => match self.operator() {
                Some(operator) => operator.to_string(),
                None => self.chars.iter().skip(self.at).take_while(|c| !is_meta(**c)).collect(),
            },
        };
        let start =
            self.chars.get(..self.at).unwrap_or_default().iter().rposition(|c| *c == '\n').map_or(0, |at| at + 1);
        let text = self.chars.iter().skip(start).take_while(|c| **c != '\n').collect();
        self.error(ErrorKind::Token { token, text, expected })
    }

    fn operator(&self) -> Option<&'static str> {
        const OPERATORS: [&str; 17] =
            [";;&", ";;", ";&", ";", "&>>", "&>", "&&", "&", "||", "|&", "|", "(", ")", "<<", "<", ">>", ">"];
        OPERATORS.into_iter().find(|operator| self.starts(operator))
    }

    /// Blanks, comments and joined lines.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.peek_at(1) == Some('\n') => self.at += 2,
                Some('#') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn newline(&mut self) -> Parsed<()> {
        self.at += 1;
        self.read_heredocs()
    }

    fn newlines(&mut self) -> Parsed<()> {
        loop {
            self.blanks();
            if self.peek() != Some('\n') {
                return Ok(());
            }
            self.newline()?;
        }
    }

    fn read_heredocs(&mut self) -> Parsed<()> {
        for heredoc in std::mem::take(&mut self.heredocs) {
            let mut body = String::new();
            let line_before = self.line();
            loop {
                if self.at >= self.chars.len() {
                    // Real shells warn and take what there is; at a prompt more lines may come.
                    if self.more && self.depth == 0 {
                        return Err(self.error(ErrorKind::End("heredoc")));
                    }
                    let past = self.chars.last().is_some_and(|c| *c == '\n');
                    let lines = self.line().saturating_sub(u32::from(past));
                    self.unended.push((lines, heredoc.line, heredoc.end.clone()));
                    break;
                }
                let end = self.ends.get(self.ends.partition_point(|end| *end < self.at)).copied();
                let end = end.unwrap_or(self.chars.len());
                let mut line = self.slice(self.at, end);
                self.at = (end + 1).min(self.chars.len());
                if heredoc.strip {
                    line = line.trim_start_matches('\t').to_string();
                }
                if line == heredoc.end {
                    break;
                }
                body.push_str(&line);
                body.push('\n');
            }
            let word = if heredoc.quoted {
                vec![Part::Quoted(body)]
            } else {
                let mut inner = Parser::new(&body, line_before, self.bash);
                inner.depth = self.depth + 1;
                vec![Part::Double(inner.here_text()?)]
            };
            let _ = heredoc.body.set(word);
        }
        Ok(())
    }

    /// The reserved word at this place, if one of these.
    fn at_word(&self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().copied().find(|word| {
            self.starts(word) && self.peek_at(word.len()).is_none_or(|c| is_meta(c) || (*word == "{" && c == '\n'))
        })
    }

    fn expect(&mut self, word: &'static str) -> Parsed<()> {
        self.newlines()?;
        if self.at_word(&[word]).is_none() {
            return Err(self.unexpected(word));
        }
        self.at += word.len();
        Ok(())
    }

    /// Commands up to one of the ends, or (`line`) up to the end of the line.
    fn list(&mut self, line: bool, ends: &[&'static str]) -> Parsed<List> {
        let mut items = Vec::new();
        loop {
            if line {
                self.blanks();
            } else {
                self.newlines()?;
            }
            let done = match self.peek() {
                None | Some('\n' | ')') => true,
                Some(';') => self.peek_at(1) == Some(';') || self.peek_at(1) == Some('&'),
                Some(_) => self.at_word(ends).is_some(),
            };
            if done {
                break;
            }
            let start = self.at;
            let chain = self.chain()?;
            let text = self.slice(start, self.at).trim().into();
            self.blanks();
            let background = self.peek() == Some('&') && self.peek_at(1) != Some('&');
            items.push(Item { chain: Arc::new(chain), background, text });
            match self.peek() {
                Some('&') if background => self.at += 1,
                Some(';') if self.peek_at(1) != Some(';') && self.peek_at(1) != Some('&') => self.at += 1,
                Some('\n') if !line => {}
                _ => break,
            }
        }
        Ok(Arc::new(items))
    }

    /// A list that must have commands, then its end.
    fn body(&mut self, ends: &[&'static str]) -> Parsed<List> {
        let list = self.list(false, ends)?;
        self.newlines()?;
        if list.is_empty() || self.at_word(ends).is_none() {
            let expected = if ends.len() == 1 { ends.first().copied().unwrap_or_default() } else { "fi" };
            return Err(self.unexpected(expected));
        }
        Ok(list)
    }

    fn chain(&mut self) -> Parsed<Chain> {
        let first = Arc::new(self.pipeline()?);
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let join = match () {
                () if self.eat("&&") => Join::And,
                () if self.eat("||") => Join::Or,
                () => break,
            };
            self.newlines()?;
            rest.push((join, Arc::new(self.pipeline()?)));
        }
        Ok(Chain { first, rest })
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        let (mut negate, mut timed) = (false, None);
        loop {
            self.blanks();
            if self.at_word(&["!"]).is_some() {
                negate = !negate;
                self.at += 1;
            } else if self.bash && self.at_word(&["time"]).is_some() {
                self.at += 4;
                self.blanks();
                let plain = self.at_word(&["-p"]).is_some();
                if plain {
                    self.at += 2;
                }
                timed = Some(plain);
            } else {
                break;
            }
        }
        let mut commands = Vec::new();
        loop {
            let mut command = self.deeper(Parser::command)?;
            self.blanks();
            let both = self.starts("|&");
            let more = both || (self.peek() == Some('|') && self.peek_at(1) != Some('|'));
            if both {
                let copy = RedirectKind::Copy(vec![Part::Quoted("1".into())]);
                command.redirects.push(Redirect { descriptor: 2, kind: copy });
            }
            commands.push(Arc::new(command));
            if !more {
                return Ok(Pipeline { negate, timed, commands });
            }
            self.at += if both { 2 } else { 1 };
            self.newlines()?;
        }
    }

    fn command(&mut self) -> Parsed<Command> {
        self.blanks();
        let line = self.line();
        if !self.aliases.is_empty() {
            self.alias();
        }
        let kind = match self.compound()? {
            Some(kind) => kind,
            None => return self.simple(line),
        };
        let mut redirects = Vec::new();
        if !matches!(kind, Kind::Function { .. }) {
            while let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
            }
        }
        Ok(Command { kind, redirects, line })
    }

    fn compound(&mut self) -> Parsed<Option<Kind>> {
        if self.starts("((") && self.bash {
            let start = self.at;
            self.at += 2;
            if let Some(word) = self.arithmetic_text()? {
                return Ok(Some(Kind::Arithmetic(word)));
            }
            self.at = start;
        }
        if self.eat("(") {
            let list = self.list(false, &[])?;
            if list.is_empty() || !self.eat(")") {
                return Err(self.unexpected(")"));
            }
            return Ok(Some(Kind::Subshell(list)));
        }
        const WORDS: [&str; 8] = ["if", "while", "until", "for", "case", "{", "[[", "function"];
        let Some(word) = self.at_word(&WORDS) else { return Ok(None) };
        if word == "function" && !self.bash {
            return Ok(None);
        }
        self.at += word.len();
        match word {
            "if" => self.if_command().map(Some),
            "while" | "until" => {
                let condition = self.body(&["do"])?;
                let body = self.do_body()?;
                Ok(Some(Kind::While { until: word == "until", condition, body }))
            }
            "for" => self.for_command().map(Some),
            "case" => self.case_command().map(Some),
            "{" => {
                let list = self.body(&["}"])?;
                self.at += 1;
                Ok(Some(Kind::Group(list)))
            }
            "[[" => {
                let condition = self.condition(0)?;
                self.newlines()?;
                if self.at_word(&["]]"]).is_none() {
                    return Err(self.unexpected("]]"));
                }
                self.at += 2;
                Ok(Some(Kind::Test(Arc::new(condition))))
            }
            _ => {
                self.blanks();
                let name = self.plain_word();
                self.blanks();
                if self.eat("(") {
                    self.blanks();
                    self.eat(")");
                }
                self.function(name).map(Some)
            }
        }
    }

    fn function(&mut self, name: String) -> Parsed<Kind> {
        self.newlines()?;
        let body = self.deeper(Parser::command)?;
        if matches!(body.kind, Kind::Simple { .. }) {
            return Err(self.unexpected(""));
        }
        Ok(Kind::Function { name, body: Arc::new(body) })
    }

    fn plain_word(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| !is_meta(c)) {
            self.at += 1;
        }
        self.slice(start, self.at)
    }

    fn if_command(&mut self) -> Parsed<Kind> {
        let mut branches = Vec::new();
        loop {
            let condition = self.body(&["then"])?;
            self.expect("then")?;
            let body = self.body(&["elif", "else", "fi"])?;
            branches.push((Some(condition), body));
            if self.at_word(&["elif"]).is_some() {
                self.at += 4;
                continue;
            }
            if self.at_word(&["else"]).is_some() {
                self.at += 4;
                branches.push((None, self.body(&["fi"])?));
            }
            self.expect("fi")?;
            return Ok(Kind::If(branches));
        }
    }

    fn do_body(&mut self) -> Parsed<List> {
        self.expect("do")?;
        let body = self.body(&["done"])?;
        self.expect("done")?;
        Ok(body)
    }

    fn for_command(&mut self) -> Parsed<Kind> {
        self.blanks();
        if self.bash && self.eat("((") {
            let mut parts = [Word::new(), Word::new(), Word::new()];
            for (at, part) in parts.iter_mut().enumerate() {
                *part = self.arithmetic_until(if at == 2 { ')' } else { ';' })?;
            }
            if !self.eat(")") {
                return Err(self.unexpected(")"));
            }
            self.blanks();
            self.eat(";");
            return Ok(Kind::ForArithmetic { parts, body: self.do_body()? });
        }
        let name = self.plain_word();
        if !is_name(&name) {
            return Err(self.unexpected(""));
        }
        self.newlines()?;
        let mut words = None;
        if self.at_word(&["in"]).is_some() {
            self.at += 2;
            let mut list = Vec::new();
            loop {
                self.blanks();
                match self.word()? {
                    Some(word) => brace::expand(word, self.bash, &mut list),
                    None => break,
                }
            }
            words = Some(list);
            match self.peek() {
                Some(';') => self.at += 1,
                Some('\n') | None => {}
                Some(_) => return Err(self.unexpected("do")),
            }
        } else if self.peek() == Some(';') {
            self.at += 1;
        }
        Ok(Kind::For { name, words, body: self.do_body()? })
    }

    fn case_command(&mut self) -> Parsed<Kind> {
        self.blanks();
        let Some(word) = self.word()? else { return Err(self.unexpected("in")) };
        self.expect("in")?;
        let mut arms = Vec::new();
        loop {
            self.newlines()?;
            if self.at_word(&["esac"]).is_some() {
                self.at += 4;
                return Ok(Kind::Case { word, arms });
            }
            self.eat("(");
            let mut patterns = Vec::new();
            loop {
                self.blanks();
                let Some(pattern) = self.word()? else { return Err(self.unexpected("esac")) };
                patterns.push(pattern);
                self.blanks();
                if self.eat(")") {
                    break;
                }
                if !self.eat("|") {
                    return Err(self.unexpected(")"));
                }
            }
            let body = self.list(false, &["esac"])?;
            self.newlines()?;
            let falls = self.eat(";&");
            if !falls && !self.eat(";;&") && !self.eat(";;") && self.at_word(&["esac"]).is_none() {
                return Err(self.unexpected(";;"));
            }
            arms.push(Arm { patterns, body, falls });
        }
    }

    fn condition(&mut self, level: u8) -> Parsed<Condition> {
        self.deeper(|parser| match level {
            0 | 1 => {
                let mut left = parser.condition(level + 1)?;
                loop {
                    parser.newlines()?;
                    if !parser.eat(if level == 0 { "||" } else { "&&" }) {
                        return Ok(left);
                    }
                    let right = Arc::new(parser.condition(level + 1)?);
                    let first = Arc::new(left);
                    left = if level == 0 { Condition::Or(first, right) } else { Condition::And(first, right) };
                }
            }
            _ => parser.condition_term(),
        })
    }

    fn condition_term(&mut self) -> Parsed<Condition> {
        self.newlines()?;
        if self.at_word(&["!"]).is_some() {
            self.at += 1;
            return Ok(Condition::Not(Arc::new(self.condition(2)?)));
        }
        if self.eat("(") {
            let inner = self.condition(0)?;
            self.newlines()?;
            return if self.eat(")") { Ok(inner) } else { Err(self.unexpected(")")) };
        }
        if self.at_word(&["]]"]).is_some() {
            return Err(self.unexpected(""));
        }
        let Some(left) = self.word()? else { return Err(self.unexpected("]]")) };
        self.blanks();
        let ends = |parser: &Parser| {
            parser.at_word(&["]]"]).is_some() || parser.starts("&&") || parser.starts("||") || parser.starts(")")
        };
        if let [Part::Text(flag)] = left.as_slice()
            && flag.len() == 2
            && flag.starts_with('-')
            && !ends(self)
            && self.peek().is_some()
        {
            let Some(operand) = self.word()? else { return Err(self.unexpected("]]")) };
            return Ok(Condition::Unary(flag.clone(), operand));
        }
        if ends(self) || self.peek().is_none() {
            return Ok(Condition::Word(left));
        }
        let operator = match self.peek() {
            Some(c @ ('<' | '>')) => {
                self.at += 1;
                c.to_string()
            }
            _ => self.plain_word(),
        };
        self.blanks();
        let right = if operator == "=~" { self.regex_word()? } else { self.word()? };
        match right {
            Some(right) => Ok(Condition::Binary(left, operator, right)),
            None => Err(self.unexpected("]]")),
        }
    }

    fn simple(&mut self, line: u32) -> Parsed<Command> {
        if self.at_word(&RESERVED).is_some() {
            return Err(self.unexpected(""));
        }
        let (mut assigns, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            let declares = matches!(
                words.first().map(Vec::as_slice),
                Some([Part::Text(name)]) if ["export", "local", "declare", "readonly", "typeset"].contains(&name.as_str())
            );
            if words.is_empty()
                && let Some(assign) = self.assign()?
            {
                assigns.push(assign);
                continue;
            }
            let word = if declares { self.declared_word()? } else { self.word()? };
            let Some(word) = word else {
                if self.bash && self.peek() == Some('(') && words.len() == 1 && assigns.is_empty() {
                    // bash takes it for the head of a function and stumbles over what follows.
                    self.at += 1;
                    self.blanks();
                    return Err(self.unexpected(""));
                }
                break;
            };
            if let ([], [Part::Text(name)]) = (words.as_slice(), word.as_slice())
                && assigns.is_empty()
                && redirects.is_empty()
                && self.is_function_head()
            {
                let name = name.clone();
                let kind = self.function(name)?;
                return Ok(Command { kind, redirects, line });
            }
            if declares { words.push(word) } else { brace::expand(word, self.bash, &mut words) }
        }
        if words.is_empty() && assigns.is_empty() && redirects.is_empty() {
            return Err(self.unexpected(""));
        }
        Ok(Command { kind: Kind::Simple { assigns, words }, redirects, line })
    }

    fn is_function_head(&mut self) -> bool {
        let start = self.at;
        self.blanks();
        if self.eat("(") {
            self.blanks();
            if self.eat(")") {
                return true;
            }
        }
        self.at = start;
        false
    }

    fn assign(&mut self) -> Parsed<Option<Assign>> {
        let start = self.at;
        let name: String =
            self.chars.iter().skip(start).take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect();
        if !is_name(&name) {
            return Ok(None);
        }
        self.at += name.len();
        let mut index = None;
        if self.bash && self.peek() == Some('[') {
            self.at += 1;
            index = Some(self.index()?);
            if self.peek() == Some(']') {
                self.at += 1;
            }
        }
        let append = self.bash && self.eat("+=");
        if !append && !self.eat("=") {
            self.at = start;
            return Ok(None);
        }
        let value = if self.bash && self.peek() == Some('(') && index.is_none() {
            self.at += 1;
            let mut words = Vec::new();
            loop {
                self.newlines()?;
                if self.eat(")") {
                    break;
                }
                match self.word()? {
                    Some(word) => brace::expand(word, true, &mut words),
                    None => return Err(self.unexpected(")")),
                }
            }
            Value::Array(words)
        } else {
            Value::Word(self.assigned_word()?)
        };
        Ok(Some(Assign { name, index, append, value }))
    }

    fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        self.blanks();
        let start = self.at;
        let digits: String = self.chars.iter().skip(start).take_while(|c| c.is_ascii_digit()).take(3).collect();
        self.at += digits.len();
        let given: Option<u32> = digits.parse().ok();
        let both_append = given.is_none() && self.bash && self.eat("&>>");
        let both = !both_append && given.is_none() && self.bash && self.eat("&>");
        if both || both_append {
            let target = self.target()?;
            return Ok(Some(Redirect { descriptor: 1, kind: RedirectKind::Both(target, both_append) }));
        }
        if matches!(self.peek(), Some('<' | '>')) && self.peek_at(1) == Some('(') && given.is_none() {
            return Ok(None);
        }
        const OPERATORS: [&str; 10] = ["<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"];
        let Some(operator) = OPERATORS.into_iter().find(|operator| self.starts(operator)) else {
            self.at = start;
            return Ok(None);
        };
        self.at += operator.len();
        let descriptor = given.unwrap_or(u32::from(operator.starts_with('>')));
        let kind = match operator {
            "<<" | "<<-" => {
                self.blanks();
                let (end, quoted) = self.heredoc_end()?;
                let body = Arc::new(OnceLock::new());
                self.heredocs.push(Heredoc {
                    line: self.line(),
                    end,
                    strip: operator == "<<-",
                    quoted,
                    body: body.clone(),
                });
                RedirectKind::HereText(body)
            }
            "<<<" => RedirectKind::HereWord(self.target()?),
            "<" | "<>" => RedirectKind::Read(self.target()?),
            ">" | ">|" => RedirectKind::Write(self.target()?),
            ">>" => RedirectKind::Append(self.target()?),
            _ => {
                let target = self.target()?;
                let number = matches!(target.as_slice(), [Part::Text(text)] if text == "-" || text.chars().all(|c| c.is_ascii_digit()));
                let plain = matches!(target.as_slice(), [Part::Text(_)] | [Part::Quoted(_)]);
                if operator == ">&" && !number && plain && given.is_none() {
                    RedirectKind::Both(target, false)
                } else {
                    RedirectKind::Copy(target)
                }
            }
        };
        Ok(Some(Redirect { descriptor, kind }))
    }

    fn target(&mut self) -> Parsed<Word> {
        self.blanks();
        match self.word()? {
            Some(word) => Ok(word),
            None => Err(self.unexpected("")),
        }
    }
}

/// Words that cannot begin a command.
const RESERVED: [&str; 8] = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// Ends an unquoted word.
pub(super) fn is_meta(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
}

pub fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
