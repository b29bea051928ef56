//! Reads words: quotes, parameters, substitutions.

use std::sync::Arc;

use super::ast::{Operation, Parameter, Part, Word};
use super::parse::{ErrorKind, Parsed, Parser, is_meta, is_name};

/// Where a word stands: what ends it and what quotes mean inside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Plain,
    /// The right side of an assignment: `~` after `:` counts too, and arrays are not read.
    Assigned,
    /// After `=~`: parentheses and bars belong to the word.
    Regex,
    /// Between double quotes.
    Double,
    Here,
    /// Inside `${…}`; the flag says whether between double quotes.
    Brace(bool),
    /// The pattern of `${x/pattern/…}`: a slash ends it as well.
    BracePattern(bool),
    /// Inside `${x:offset:length}`: a colon ends it as well.
    BraceSlice,
    /// Inside `[…]`.
    Index,
    /// An arithmetic expression up to this character outside parentheses.
    Arithmetic(char),
}

impl Place {
    /// Quotes other than `"` are plain, and a backslash protects few characters.
    fn is_double(self) -> bool {
        matches!(self, Place::Double | Place::Here | Place::Brace(true) | Place::Arithmetic(_) | Place::BraceSlice)
    }
}

impl Parser {
    /// A word, if one stands here.
    pub(super) fn word(&mut self) -> Parsed<Option<Word>> {
        self.blanks();
        let start = self.at;
        let word = self.deeper(|parser| parser.parts(Place::Plain))?;
        Ok((self.at > start).then_some(word))
    }

    pub(super) fn assigned_word(&mut self) -> Parsed<Word> {
        self.deeper(|parser| parser.parts(Place::Assigned))
    }

    /// An argument of `export` and the like: expanded as an assignment is.
    pub(super) fn declared_word(&mut self) -> Parsed<Option<Word>> {
        let Some(word) = self.word()? else { return Ok(None) };
        let assigns =
            matches!(word.first(), Some(Part::Text(text)) if text.split_once('=').is_some_and(|(n, _)| is_name(n)));
        Ok(Some(if assigns && self.bash { vec![Part::Double(word)] } else { word }))
    }

    pub(super) fn regex_word(&mut self) -> Parsed<Option<Word>> {
        let start = self.at;
        let word = self.deeper(|parser| parser.parts(Place::Regex))?;
        Ok((self.at > start).then_some(word))
    }

    pub(super) fn here_text(&mut self) -> Parsed<Word> {
        self.deeper(|parser| parser.parts(Place::Here))
    }

    pub(super) fn index(&mut self) -> Parsed<Word> {
        self.deeper(|parser| parser.parts(Place::Index))
    }

    /// After `((`: the expression up to `))`; nothing if it is not one.
    pub(super) fn arithmetic_text(&mut self) -> Parsed<Option<Word>> {
        let word = self.deeper(|parser| parser.parts(Place::Arithmetic(')')))?;
        if self.starts("))") {
            self.at += 2;
            return Ok(Some(word));
        }
        if self.at >= self.chars.len() {
            return Err(self.error(ErrorKind::Quote(')')));
        }
        Ok(None)
    }

    pub(super) fn arithmetic_until(&mut self, end: char) -> Parsed<Word> {
        let word = self.deeper(|parser| parser.parts(Place::Arithmetic(end)))?;
        if self.peek() != Some(end) {
            return Err(self.error(ErrorKind::End("done")));
        }
        self.at += 1;
        Ok(word)
    }

    /// The delimiter of a here-document, and whether any of it was quoted.
    pub(super) fn heredoc_end(&mut self) -> Parsed<(String, bool)> {
        let (mut end, mut quoted) = (String::new(), false);
        while let Some(c) = self.peek().filter(|c| !is_meta(*c)) {
            self.at += 1;
            match c {
                '\'' | '"' => {
                    quoted = true;
                    while let Some(inner) = self.peek() {
                        self.at += 1;
                        if inner == c {
                            break;
                        }
                        end.push(inner);
                    }
                }
                '\\' => {
                    quoted = true;
                    end.extend(self.peek());
                    self.at += 1;
                }
                c => end.push(c),
            }
        }
        Ok((end, quoted))
    }

    fn parts(&mut self, place: Place) -> Parsed<Word> {
        let mut word = Word::new();
        let mut text = String::new();
        let mut nesting = 0u32;
        let mut flush = |word: &mut Word, text: &mut String| {
            if !text.is_empty() {
                let text = std::mem::take(text);
                word.push(if matches!(place, Place::Double | Place::Here) {
                    Part::Quoted(text)
                } else {
                    Part::Text(text)
                });
            }
        };
        while let Some(c) = self.peek() {
            let ends = match place {
                Place::Plain | Place::Assigned => {
                    is_meta(c) && !(self.bash && matches!(c, '<' | '>') && self.peek_at(1) == Some('('))
                }
                Place::Regex => nesting == 0 && matches!(c, ' ' | '\t' | '\n' | ')'),
                Place::Double => c == '"',
                Place::Here => false,
                Place::Brace(_) => c == '}',
                Place::BracePattern(_) => c == '}' || (c == '/' && !(text.is_empty() && word.is_empty())),
                Place::BraceSlice => c == '}' || (c == ':' && nesting == 0),
                Place::Index => c == ']' && nesting == 0,
                Place::Arithmetic(end) => nesting == 0 && c == end,
            };
            if ends {
                break;
            }
            match c {
                '\\' => self.backslash(place, &mut word, &mut text, &mut flush),
                '\'' if !place.is_double() => {
                    self.at += 1;
                    flush(&mut word, &mut text);
                    let rest = self.chars.get(self.at..).unwrap_or_default();
                    let Some(end) = rest.iter().position(|c| *c == '\'') else {
                        return Err(self.error(ErrorKind::Quote('\'')));
                    };
                    word.push(Part::Quoted(self.slice(self.at, self.at + end)));
                    self.at += end + 1;
                }
                '"' if !matches!(place, Place::Here) => {
                    flush(&mut word, &mut text);
                    word.push(Part::Double(self.double_quoted()?));
                }
                '`' => {
                    flush(&mut word, &mut text);
                    word.push(self.backticks(place.is_double())?);
                }
                '$' => {
                    let before = self.at;
                    match self.deeper(|parser| parser.dollar(place.is_double()))? {
                        Some(part) => {
                            flush(&mut word, &mut text);
                            word.push(part);
                        }
                        None => {
                            self.at = before + 1;
                            text.push('$');
                        }
                    }
                }
                '~' if self.is_tilde(place, &word, &text) => {
                    flush(&mut word, &mut text);
                    self.at += 1;
                    let start = self.at;
                    while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+')) {
                        self.at += 1;
                    }
                    word.push(Part::Tilde(self.slice(start, self.at)));
                }
                '<' | '>' if matches!(place, Place::Plain | Place::Assigned) => {
                    flush(&mut word, &mut text);
                    self.at += 2;
                    word.push(Part::Process(self.parenthesised()?));
                }
                c => {
                    self.at += 1;
                    text.push(c);
                    match c {
                        '(' | '[' => nesting += 1,
                        ')' | ']' => nesting = nesting.saturating_sub(1),
                        _ => {}
                    }
                }
            }
        }
        flush(&mut word, &mut text);
        Ok(word)
    }

    fn is_tilde(&self, place: Place, word: &Word, text: &str) -> bool {
        let next_ends = self
            .chars
            .iter()
            .skip(self.at + 1)
            .find(|c| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '+')))
            .is_none_or(|c| *c == '/' || is_meta(*c) || (*c == ':' && place == Place::Assigned) || *c == '}');
        let starts = word.is_empty() && text.is_empty();
        next_ends
            && match place {
                Place::Plain | Place::Brace(false) => starts,
                Place::Assigned => starts || text.ends_with(':'),
                _ => false,
            }
    }

    fn backslash(
        &mut self,
        place: Place,
        word: &mut Word,
        text: &mut String,
        flush: &mut impl FnMut(&mut Word, &mut String),
    ) {
        let next = self.peek_at(1);
        self.at += if next.is_some() { 2 } else { 1 };
        let protects = match place {
            Place::Double | Place::Arithmetic(_) | Place::BraceSlice => {
                matches!(next, Some('$' | '`' | '"' | '\\' | '\n'))
            }
            Place::Brace(true) => matches!(next, Some('$' | '`' | '"' | '\\' | '\n' | '}')),
            Place::Here => matches!(next, Some('$' | '`' | '\\' | '\n')),
            _ => true,
        };
        match next {
            Some('\n') if protects => {}
            Some(c) if protects => {
                flush(word, text);
                word.push(Part::Quoted(c.to_string()));
            }
            Some(c) => {
                text.push('\\');
                text.push(c);
            }
            None => text.push('\\'),
        }
    }

    fn double_quoted(&mut self) -> Parsed<Word> {
        let start = self.at;
        self.at += 1;
        let inner = self.deeper(|parser| parser.parts(Place::Double))?;
        if self.peek() != Some('"') {
            self.at = start;
            return Err(self.error(ErrorKind::Quote('"')));
        }
        self.at += 1;
        Ok(inner)
    }

    /// After an opening parenthesis: commands up to the closing one.
    fn parenthesised(&mut self) -> Parsed<super::ast::List> {
        let list = self.deeper(Parser::commands)?;
        if self.peek() != Some(')') {
            let kind = if self.peek().is_none() { ErrorKind::Quote(')') } else { return Err(self.stray()) };
            return Err(self.error(kind));
        }
        self.at += 1;
        Ok(list)
    }

    fn backticks(&mut self, double: bool) -> Parsed<Part> {
        let line = self.line();
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return Err(self.error(ErrorKind::Quote('`'))),
                Some('`') => break,
                Some('\\') => {
                    match self.peek_at(1) {
                        Some(c @ ('`' | '\\' | '$')) => text.push(c),
                        Some('"') if double => text.push('"'),
                        Some(c) => text.extend(['\\', c]),
                        None => {}
                    }
                    self.at += 2;
                }
                Some(c) => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        let mut inner = Parser::new(&text, line, self.bash);
        inner.depth = self.depth;
        Ok(Part::Command(inner.deeper(Parser::all)?))
    }

    /// What a `$` begins; nothing if it stands for itself.
    fn dollar(&mut self, double: bool) -> Parsed<Option<Part>> {
        self.at += 1;
        let Some(c) = self.peek() else { return Ok(None) };
        match c {
            '(' => {
                if self.starts("((") {
                    let start = self.at;
                    self.at += 2;
                    if let Ok(Some(word)) = self.arithmetic_text() {
                        return Ok(Some(Part::Arithmetic(word)));
                    }
                    self.at = start;
                }
                self.at += 1;
                Ok(Some(Part::Command(self.parenthesised()?)))
            }
            '{' => {
                self.at += 1;
                self.parameter(double).map(Some)
            }
            '\'' if !double && self.bash => {
                self.at += 1;
                self.escaped_quote().map(Some)
            }
            '"' if !double && self.bash => Ok(Some(Part::Double(self.double_quoted()?))),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let name: String =
                    self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect();
                self.at += name.len();
                Ok(Some(plain(name)))
            }
            c if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.at += 1;
                Ok(Some(plain(c.to_string())))
            }
            _ => Ok(None),
        }
    }

    /// `$'…'`
    fn escaped_quote(&mut self) -> Parsed<Part> {
        let mut raw = String::new();
        loop {
            match self.peek() {
                None => return Err(self.error(ErrorKind::Quote('\''))),
                Some('\'') => break,
                Some('\\') => {
                    raw.push('\\');
                    match self.peek_at(1) {
                        Some('\'') => raw.push_str("047"),
                        Some(c) => raw.push(c),
                        None => {}
                    }
                    self.at += 2;
                }
                Some(c) => {
                    raw.push(c);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        let (bytes, _) = super::escape::unescape(&raw, super::escape::Style::Quote);
        Ok(Part::Quoted(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn parameter(&mut self, double: bool) -> Parsed<Part> {
        let start = self.at;
        let mut length = false;
        let mut indirect = false;
        if self.peek() == Some('#') && !matches!(self.peek_at(1), Some('}' | '#' | '%' | ':' | '-' | '+' | '=')) {
            length = true;
            self.at += 1;
        } else if self.peek() == Some('!') && self.peek_at(1).is_some_and(|c| c.is_ascii_alphabetic() || c == '_') {
            indirect = true;
            self.at += 1;
        }
        let name: String = match self.peek() {
            Some(c) if c.is_ascii_digit() => {
                self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_digit()).collect()
            }
            Some(c) if "@*#?-$!".contains(c) => c.to_string(),
            _ => self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect(),
        };
        self.at += name.len();
        if name.is_empty() {
            return self.bad_parameter(start);
        }
        let mut index = None;
        if self.bash && self.peek() == Some('[') {
            self.at += 1;
            index = Some(self.index()?);
            self.at += 1;
        }
        let operation = if length { Operation::Length } else { self.operation(double)? };
        if self.peek() != Some('}') {
            if self.at >= self.chars.len() {
                return Err(self.error(ErrorKind::Quote('}')));
            }
            return self.bad_parameter(start);
        }
        self.at += 1;
        let star = matches!(index.as_deref(), Some([Part::Text(text)]) if text == "@" || text == "*");
        if indirect && star {
            return Ok(Part::Parameter(Arc::new(Parameter {
                name,
                index,
                indirect: false,
                operation: Operation::Keys,
            })));
        }
        Ok(Part::Parameter(Arc::new(Parameter { name, index, indirect, operation })))
    }

    /// `${` that makes no sense: told when it is expanded.
    fn bad_parameter(&mut self, start: usize) -> Parsed<Part> {
        while self.peek().is_some_and(|c| c != '}') {
            self.at += 1;
        }
        if self.peek().is_none() {
            return Err(self.error(ErrorKind::Quote('}')));
        }
        self.at += 1;
        let text = format!("${{{}", self.slice(start, self.at));
        let operation = Operation::Bad(text);
        Ok(Part::Parameter(Arc::new(Parameter { name: String::new(), index: None, indirect: false, operation })))
    }

    fn operation(&mut self, double: bool) -> Parsed<Operation> {
        let colon = self.peek() == Some(':');
        let kind = if colon { self.peek_at(1) } else { self.peek() };
        if let Some(kind @ ('-' | '=' | '?' | '+')) = kind {
            self.at += if colon { 2 } else { 1 };
            return Ok(Operation::Default { kind, colon, word: self.parts(Place::Brace(double))? });
        }
        if colon {
            self.at += 1;
            let offset = self.parts(Place::BraceSlice)?;
            let length = if self.eat(":") { Some(self.parts(Place::BraceSlice)?) } else { None };
            return Ok(Operation::Slice { offset, length });
        }
        let Some(c) = kind else { return Ok(Operation::Value) };
        let twice = self.peek_at(1) == Some(c);
        match c {
            '#' | '%' => {
                self.at += if twice { 2 } else { 1 };
                let pattern = self.parts(Place::Brace(false))?;
                Ok(Operation::Strip { suffix: c == '%', longest: twice, pattern })
            }
            '/' if self.bash => {
                self.at += if twice { 2 } else { 1 };
                let anchor = self.peek().filter(|c| !twice && matches!(c, '#' | '%'));
                self.at += usize::from(anchor.is_some());
                let pattern = self.parts(Place::BracePattern(false))?;
                let with = if self.eat("/") { self.parts(Place::Brace(false))? } else { Word::new() };
                Ok(Operation::Replace { all: twice, anchor, pattern, with })
            }
            '^' | ',' if self.bash => {
                self.at += if twice { 2 } else { 1 };
                Ok(Operation::Case { upper: c == '^', all: twice })
            }
            _ => Ok(Operation::Value),
        }
    }
}

fn plain(name: String) -> Part {
    Part::Parameter(Arc::new(Parameter { name, index: None, indirect: false, operation: Operation::Value }))
}
