//! From text to tokens, templates included. Every byte of the text is in one token or is blank between two; the last
//! token is `Eof`. It never fails: what it cannot read becomes a token that `check` reports.

use super::ast::{Pos, Range};
use super::diagnostic::Diagnostic;
use crate::base::SmolStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    OpenQuote,
    CloseQuote,
    OpenHeredoc,
    CloseHeredoc,
    /// `${` or `${~`
    Interpolation,
    /// `%{` or `%{~`
    Control,
    /// The `}` or `~}` of either.
    TemplateEnd,
    /// A piece of literal text inside quotes, or of a heredoc or bare template.
    QuotedText,
    PlainText,
    QuotedNewline,
    Number,
    Name,
    Comment,
    Newline,
    Equal,
    EqualEqual,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    Bang,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Dot,
    Comma,
    Colon,
    DoubleColon,
    Question,
    Ellipsis,
    FatArrow,
    /// `&`, `|`, `~`, `^`: read only to be refused.
    Bitwise,
    Backtick,
    Apostrophe,
    Semicolon,
    Invalid,
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub tok: Tok,
    pub start: Pos,
    pub end: Pos,
}

impl Token {
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.start.byte..self.end.byte).unwrap_or("")
    }

    pub fn range(&self, file: &SmolStr) -> Range {
        Range { file: file.clone(), start: self.start, end: self.end }
    }
}

/// The tokens of a configuration or of one expression.
pub fn scan(source: &str) -> Vec<Token> {
    Lexer::new(source).run(Mode::Main { until: None })
}

/// The tokens of a bare template: what a template file holds.
pub fn scan_template(source: &str) -> Vec<Token> {
    Lexer::new(source).run(Mode::Bare)
}

enum Mode {
    /// Ends at the closing brace of this depth, when it is the inside of a template sequence.
    Main {
        until: Option<usize>,
    },
    Quoted,
    Heredoc {
        marker: String,
        line_start: bool,
    },
    Bare,
}

struct Lexer<'a> {
    source: &'a str,
    /// Where the last `*/` stands: a `/*` behind it opens no comment.
    last_close: Option<usize>,
    at: usize,
    place: Pos,
    braces: usize,
    modes: Vec<Mode>,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a str) -> Lexer<'a> {
        let mut lexer = Lexer {
            source,
            last_close: source.rfind("*/"),
            at: 0,
            place: Pos::START,
            braces: 0,
            modes: Vec::new(),
            tokens: Vec::new(),
        };
        if source.starts_with('\u{feff}') {
            lexer.at = '\u{feff}'.len_utf8();
            lexer.place.byte += lexer.at;
        }
        lexer
    }

    fn run(mut self, mode: Mode) -> Vec<Token> {
        self.modes.push(mode);
        while self.at < self.source.len() {
            match self.modes.last() {
                Some(Mode::Quoted) => self.quoted(),
                Some(Mode::Heredoc { .. }) => self.heredoc(),
                Some(Mode::Bare) => self.bare(),
                _ => self.main(),
            }
        }
        self.emit(Tok::Eof, 0);
        self.tokens
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or("")
    }

    /// Takes the next bytes as a token; at least one character unless it is the end.
    fn emit(&mut self, tok: Tok, length: usize) {
        let text = self.rest().get(..length).unwrap_or("");
        let start = self.place;
        for c in text.chars() {
            if c == '\n' {
                self.place.line += 1;
                self.place.column = 1;
            } else if !(c == '\r' && text.ends_with("\r\n")) && !is_joined(c) {
                self.place.column += 1;
            }
        }
        self.at += text.len();
        self.place.byte = self.at;
        self.tokens.push(Token { tok, start, end: self.place });
    }

    fn main(&mut self) {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blank > 0 {
            self.at += blank;
            self.place.byte += blank;
            self.place.column += blank as u32;
            return;
        }
        let Some(first) = rest.chars().next() else { return };
        let bytes = rest.as_bytes();
        let second = bytes.get(1).copied().unwrap_or(0);
        let third = bytes.get(2).copied().unwrap_or(0);
        let (tok, length) = match (first, second, third) {
            ('\n', ..) => (Tok::Newline, 1),
            ('\r', b'\n', _) => (Tok::Newline, 2),
            ('0'..='9', ..) => (Tok::Number, number_length(bytes)),
            ('#', ..) | ('/', b'/', _) => (Tok::Comment, rest.find('\n').map_or(rest.len(), |newline| newline + 1)),
            ('/', b'*', _) if self.last_close.is_some_and(|close| close >= self.at + 2) => {
                (Tok::Comment, rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4))
            }
            ('"', ..) => {
                self.modes.push(Mode::Quoted);
                (Tok::OpenQuote, 1)
            }
            ('<', b'<', _) if heredoc_marker(rest).is_some() => {
                let marker = heredoc_marker(rest).unwrap_or_default();
                let length = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
                self.modes.push(Mode::Heredoc { marker: marker.into(), line_start: true });
                (Tok::OpenHeredoc, length)
            }
            ('{', ..) => {
                self.braces += 1;
                (Tok::OpenBrace, 1)
            }
            ('}', ..) => {
                let closes =
                    matches!(self.modes.last(), Some(Mode::Main { until: Some(depth) }) if *depth == self.braces);
                self.braces = self.braces.saturating_sub(1);
                if closes {
                    self.modes.pop();
                    (Tok::TemplateEnd, 1)
                } else {
                    (Tok::CloseBrace, 1)
                }
            }
            ('~', b'}', _) => {
                if matches!(self.modes.last(), Some(Mode::Main { until: Some(depth) }) if *depth == self.braces) {
                    self.modes.pop();
                }
                self.braces = self.braces.saturating_sub(1);
                (Tok::TemplateEnd, 2)
            }
            ('=', b'=', _) => (Tok::EqualEqual, 2),
            ('=', b'>', _) => (Tok::FatArrow, 2),
            ('!', b'=', _) => (Tok::NotEqual, 2),
            ('>', b'=', _) => (Tok::GreaterOrEqual, 2),
            ('<', b'=', _) => (Tok::LessOrEqual, 2),
            ('&', b'&', _) => (Tok::And, 2),
            ('|', b'|', _) => (Tok::Or, 2),
            (':', b':', _) => (Tok::DoubleColon, 2),
            ('.', b'.', b'.') => (Tok::Ellipsis, 3),
            ('[', ..) => (Tok::OpenBracket, 1),
            (']', ..) => (Tok::CloseBracket, 1),
            ('(', ..) => (Tok::OpenParen, 1),
            (')', ..) => (Tok::CloseParen, 1),
            ('.', ..) => (Tok::Dot, 1),
            (',', ..) => (Tok::Comma, 1),
            ('*', ..) => (Tok::Star, 1),
            ('/', ..) => (Tok::Slash, 1),
            ('%', ..) => (Tok::Percent, 1),
            ('+', ..) => (Tok::Plus, 1),
            ('-', ..) => (Tok::Minus, 1),
            ('=', ..) => (Tok::Equal, 1),
            ('<', ..) => (Tok::Less, 1),
            ('>', ..) => (Tok::Greater, 1),
            ('!', ..) => (Tok::Bang, 1),
            ('?', ..) => (Tok::Question, 1),
            (':', ..) => (Tok::Colon, 1),
            ('&' | '|' | '~' | '^', ..) => (Tok::Bitwise, 1),
            (';', ..) => (Tok::Semicolon, 1),
            ('`', ..) => (Tok::Backtick, 1),
            ('\'', ..) => (Tok::Apostrophe, 1),
            (c, ..) if is_name_start(c) => (Tok::Name, name_length(rest)),
            (c, ..) => (Tok::Invalid, c.len_utf8()),
        };
        self.emit(tok, length);
    }

    /// The opening of a template sequence, if one stands here.
    fn sequence(&mut self) -> bool {
        let rest = self.rest();
        let tok = if rest.starts_with("${") {
            Tok::Interpolation
        } else if rest.starts_with("%{") {
            Tok::Control
        } else {
            return false;
        };
        let length = if rest.as_bytes().get(2) == Some(&b'~') { 3 } else { 2 };
        self.emit(tok, length);
        self.braces += 1;
        if let Some(Mode::Heredoc { line_start, .. }) = self.modes.last_mut() {
            *line_start = false;
        }
        self.modes.push(Mode::Main { until: Some(self.braces) });
        true
    }

    fn quoted(&mut self) {
        if self.sequence() {
            return;
        }
        let rest = self.rest();
        let (tok, length) = match rest.as_bytes().first() {
            Some(b'"') => {
                self.modes.pop();
                (Tok::CloseQuote, 1)
            }
            Some(b'\n' | b'\r') => (Tok::QuotedNewline, rest.len() - rest.trim_start_matches(['\n', '\r']).len()),
            // Upstream's machine stumbles over a sign at the very end of a line.
            Some(b'$' | b'%') if matches!(rest.as_bytes().get(1), None | Some(b'\n' | b'\r')) => (Tok::Invalid, 1),
            Some(b'$' | b'%') => (Tok::QuotedText, marker_length(rest)),
            _ => {
                let mut length = 0;
                let mut escaped = false;
                for c in rest.chars() {
                    if matches!(c, '\n' | '\r') || !escaped && matches!(c, '$' | '%' | '"') {
                        break;
                    }
                    escaped = !escaped && c == '\\';
                    length += c.len_utf8();
                }
                // A backslash right before the end of the line escapes nothing.
                if escaped && length > 1 {
                    (Tok::QuotedText, length - 1)
                } else if escaped {
                    (Tok::Invalid, 1)
                } else {
                    (Tok::QuotedText, length)
                }
            }
        };
        self.emit(tok, length);
    }

    fn heredoc(&mut self) {
        if self.sequence() {
            return;
        }
        let rest = self.rest();
        let length = plain_length(rest);
        let text = rest.get(..length).unwrap_or("");
        let ends_line = text.ends_with('\n');
        let Some(Mode::Heredoc { marker, line_start }) = self.modes.last_mut() else { return };
        if *line_start && ends_line && text.trim() == marker {
            self.modes.pop();
            let newline = if text.ends_with("\r\n") { 2 } else { 1 };
            self.emit(Tok::CloseHeredoc, length - newline);
            self.emit(Tok::Newline, newline);
            return;
        }
        *line_start = ends_line;
        self.emit(Tok::PlainText, length);
    }

    fn bare(&mut self) {
        if !self.sequence() {
            self.emit(Tok::PlainText, plain_length(self.rest()));
        }
    }
}

/// Characters that show in the column of the one before.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{20d0}'..='\u{20ff}')
}

pub fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_numeric() || c == '-' || is_joined(c) && c != '\u{200d}'
}

/// Whether a text is a name of the language.
pub fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(is_name_start) && text.chars().all(is_name_part)
}

fn name_length(text: &str) -> usize {
    text.find(|c| !is_name_part(c)).unwrap_or(text.len())
}

/// Digits, dots and exponents; it does not end in a dot.
fn number_length(bytes: &[u8]) -> usize {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = 1;
    let mut end = 1;
    loop {
        match bytes.get(length) {
            Some(b'0'..=b'9') => length += 1,
            Some(b'.') => {
                length += 1;
                continue;
            }
            Some(b'e' | b'E') if digit(length + 1) => length += 2,
            Some(b'e' | b'E') if matches!(bytes.get(length + 1), Some(b'+' | b'-')) && digit(length + 2) => length += 3,
            _ => return end,
        }
        end = length;
    }
}

/// `EOT` of `<<EOT` or `<<-EOT` at the end of a line.
fn heredoc_marker(text: &str) -> Option<&str> {
    let line = text.get(..text.find('\n')?)?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    let marker = line.strip_prefix("<<")?;
    let marker = marker.strip_prefix('-').unwrap_or(marker);
    is_name(marker).then_some(marker)
}

/// The length of a piece that starts with `$` or `%` and opens no sequence: the sign, or an escaped `$${`.
fn marker_length(text: &str) -> usize {
    if !(text.starts_with("$${") || text.starts_with("%%{")) {
        return 1;
    }
    if text.as_bytes().get(3) == Some(&b'~') { 4 } else { 3 }
}

/// The length of literal text outside quotes: up to the end of the line or the next sign.
fn plain_length(text: &str) -> usize {
    if text.starts_with(['$', '%']) {
        let length = marker_length(text);
        let rest = text.get(length..).unwrap_or("");
        let newline = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        return length + newline;
    }
    match text.find(['$', '%', '\n']) {
        Some(at) if text.as_bytes().get(at) == Some(&b'\n') => at + 1,
        Some(at) => at,
        None => text.len(),
    }
}

/// What stands in the text and in no language: told once or a few times each.
pub fn check(tokens: &[Token], source: &str, file: &SmolStr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let (mut bitwise, mut backticks, mut apostrophes, mut semicolons) = (0, 0, 0, 0);
    for token in tokens {
        let text = token.text(source);
        let (summary, detail) = match token.tok {
            Tok::Bitwise => {
                bitwise += 1;
                if bitwise > 4 {
                    continue;
                }
                let instead = match text {
                    "&" => " Did you mean boolean AND (\"&&\")?",
                    "|" => " Did you mean boolean OR (\"||\")?",
                    "~" => " Did you mean boolean NOT (\"!\")?",
                    _ => "",
                };
                ("Unsupported operator", format!("Bitwise operators are not supported.{instead}"))
            }
            Tok::Backtick => {
                backticks += 1;
                if backticks % 2 == 0 || backticks > 3 {
                    continue;
                }
                let detail = "The \"`\" character is not valid. To create a multi-line string, use the \"heredoc\" syntax, like \"<<EOT\".";
                ("Invalid character", detail.into())
            }
            Tok::Apostrophe => {
                apostrophes += 1;
                if apostrophes % 2 == 0 || apostrophes > 3 {
                    continue;
                }
                let detail = "Single quotes are not valid. Use double quotes (\") to enclose strings.";
                ("Invalid character", detail.into())
            }
            Tok::Semicolon => {
                semicolons += 1;
                if semicolons > 1 {
                    continue;
                }
                let detail = "The \";\" character is not valid. Use newlines to separate arguments and blocks, and commas to separate items in collection values.";
                ("Invalid character", detail.into())
            }
            Tok::QuotedNewline => {
                let detail = "Quoted strings may not be split over multiple lines. To produce a multi-line string, either use the \\n escape to represent a newline character or use the \"heredoc\" multi-line template syntax.";
                ("Invalid multi-line string", detail.into())
            }
            Tok::Invalid if matches!(text, "“" | "”") => {
                let detail = "\"Curly quotes\" are not valid here. These can sometimes be inadvertently introduced when sharing code via documents or discussion forums. It might help to replace the character with a \"straight quote\".";
                ("Invalid character", detail.into())
            }
            Tok::Invalid => ("Invalid character", "This character is not used within the language.".to_owned()),
            _ => continue,
        };
        found.push(Diagnostic::error(summary, detail, &token.range(file)));
    }
    found
}
