//! Bodies: arguments and blocks. After an error the parser looks for a place to go on, and is silent until it has
//! found one, so that one mistake is told once.

use super::ast::{Attribute, Block, Body, Expr, ExprKind, Range};
use super::diagnostic::Diagnostic;
use super::lexer::{Tok, Token};
use super::literal;
use crate::base::{BTreeMap, SmolStr};

/// How deep blocks and expressions may stand in each other.
pub const DEPTH_LIMIT: u16 = 100;
/// How deep the tree of an expression may get: chains of operators and steps count too.
pub const HEIGHT_LIMIT: u16 = 200;

const NEWLINE_NEEDED: &str = "An argument definition must end with a newline.";
const ITEM_NEEDED: &str = "An argument or block definition is required here.";
const UNCLOSED_BLOCK: &str = "There is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file.";

pub struct Parser<'a> {
    pub source: &'a str,
    pub file: SmolStr,
    tokens: &'a [Token],
    next: usize,
    /// Whether newlines mean something at this depth.
    newlines: Vec<bool>,
    pub recovering: bool,
    pub depth: u16,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    pub fn new(file: &str, source: &'a str, tokens: &'a [Token]) -> Parser<'a> {
        Parser {
            source,
            file: file.into(),
            tokens,
            next: 0,
            newlines: vec![true],
            recovering: false,
            depth: 0,
            diagnostics: Vec::new(),
        }
    }

    fn find(&self) -> (Token, usize) {
        let newlines = self.newlines.last().copied().unwrap_or(true);
        let mut at = self.next;
        while let Some(token) = self.tokens.get(at) {
            at += 1;
            match token.tok {
                Tok::Comment if newlines && token.text(self.source).ends_with('\n') => {
                    return (Token { tok: Tok::Newline, ..*token }, at);
                }
                Tok::Comment => {}
                Tok::Newline if !newlines => {}
                _ => return (*token, at),
            }
        }
        let end = self.tokens.last().copied();
        (end.unwrap_or(Token { tok: Tok::Eof, start: super::Pos::START, end: super::Pos::START }), self.tokens.len())
    }

    pub fn peek(&self) -> Token {
        self.find().0
    }

    pub fn read(&mut self) -> Token {
        let (token, next) = self.find();
        self.next = next;
        token
    }

    /// Takes the next token if it is the one.
    pub fn take(&mut self, tok: Tok) -> Option<Token> {
        let (token, next) = self.find();
        (token.tok == tok).then(|| {
            self.next = next;
            token
        })
    }

    pub fn text(&self, token: Token) -> &'a str {
        token.text(self.source)
    }

    pub fn peek_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.tok == Tok::Name && self.text(token) == word
    }

    pub fn range(&self, token: Token) -> Range {
        token.range(&self.file)
    }

    /// The range of the token read last.
    pub fn last_range(&self) -> Range {
        match self.next.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(token) => self.range(*token),
            None => self.range(self.peek()),
        }
    }

    pub fn push_newlines(&mut self, mean: bool) {
        self.newlines.push(mean);
    }

    pub fn pop_newlines(&mut self) {
        self.newlines.pop();
    }

    /// Tells an error, whatever happened before.
    pub fn tell(&mut self, summary: &str, detail: &str, subject: &Range) {
        self.diagnostics.push(Diagnostic::error(summary, detail, subject));
    }

    pub fn tell_in(&mut self, summary: &str, detail: &str, subject: &Range, context: &Range) {
        self.diagnostics.push(Diagnostic::error(summary, detail, subject).in_context(context));
    }

    /// Whether an error was told since there were this many.
    pub fn failed_since(&self, before: usize) -> bool {
        self.diagnostics.len() > before
    }

    /// Goes on behind the closing token that belongs here.
    pub fn skip_past(&mut self, end: Tok) -> Token {
        self.recovering = true;
        let start = match end {
            Tok::CloseBrace => Tok::OpenBrace,
            Tok::CloseBracket => Tok::OpenBracket,
            Tok::CloseParen => Tok::OpenParen,
            Tok::CloseQuote => Tok::OpenQuote,
            Tok::CloseHeredoc => Tok::OpenHeredoc,
            Tok::TemplateEnd => Tok::Interpolation,
            _ => Tok::Eof,
        };
        let mut nested = 0usize;
        loop {
            let token = self.read();
            let tok = match token.tok {
                Tok::Control if end == Tok::TemplateEnd => Tok::Interpolation,
                tok => tok,
            };
            if tok == end && nested == 0 || tok == Tok::Eof {
                return token;
            } else if tok == end {
                nested -= 1;
            } else if tok == start {
                nested += 1;
            }
        }
    }

    /// Goes on behind the parentheses that open next.
    /// How many of the parentheses that open here close right behind each other too: many of them are read as one, so
    /// that they do not count as nested.
    pub fn doubled_parentheses(&self) -> usize {
        const MANY: usize = 20;
        let (_, after) = self.find();
        let start = after.saturating_sub(1);
        let tokens = self.tokens.get(start..).unwrap_or_default();
        let run = tokens.iter().take_while(|token| token.tok == Tok::OpenParen).count();
        if run < MANY {
            return 0;
        }
        let mut open = Vec::new();
        let mut closes = vec![0; run];
        for (at, token) in tokens.iter().enumerate() {
            match token.tok {
                Tok::OpenParen => open.push(at),
                Tok::CloseParen => {
                    let Some(from) = open.pop() else { break };
                    if let Some(close) = closes.get_mut(from) {
                        *close = at;
                    }
                    if open.is_empty() {
                        break;
                    }
                }
                _ => {}
            }
        }
        closes.windows(2).take_while(|pair| matches!(pair, [outer, inner] if *inner > 0 && *outer == inner + 1)).count()
    }

    pub fn skip_parentheses(&mut self) {
        while !matches!(self.read().tok, Tok::OpenParen | Tok::Eof) {}
        self.skip_past(Tok::CloseParen);
    }

    /// Goes on at the line behind the item that could not be read, brackets that open in it included.
    fn skip_item(&mut self) {
        self.recovering = true;
        let mut open: Vec<Tok> = Vec::new();
        loop {
            let tok = self.read().tok;
            let closes: &[Tok] = match tok {
                Tok::Newline if open.is_empty() => return,
                Tok::Eof => return,
                Tok::OpenBrace
                | Tok::OpenBracket
                | Tok::OpenParen
                | Tok::OpenQuote
                | Tok::OpenHeredoc
                | Tok::Interpolation
                | Tok::Control => {
                    open.push(tok);
                    continue;
                }
                Tok::CloseBrace => &[Tok::OpenBrace],
                Tok::CloseBracket => &[Tok::OpenBracket],
                Tok::CloseParen => &[Tok::OpenParen],
                Tok::CloseQuote => &[Tok::OpenQuote],
                Tok::CloseHeredoc => &[Tok::OpenHeredoc],
                Tok::TemplateEnd => &[Tok::Interpolation, Tok::Control],
                _ => continue,
            };
            while open.last().is_some_and(|last| !closes.contains(last)) {
                open.pop();
            }
            open.pop();
        }
    }

    /// Reads items up to the closing brace (or the end of the file).
    pub fn body(&mut self, end: Tok) -> Body {
        let start = self.last_range();
        let mut body = Body { attributes: Vec::new(), blocks: Vec::new(), range: start.clone(), end: start.clone() };
        let mut set: BTreeMap<SmolStr, usize> = BTreeMap::new();
        let finish;
        loop {
            let next = self.peek();
            if next.tok == end {
                self.read();
                finish = self.range(next);
                break;
            }
            match next.tok {
                Tok::Newline => {
                    self.read();
                }
                Tok::Name => self.item(&mut body, &mut set),
                _ => {
                    let bad = self.read();
                    let range = self.range(bad);
                    if !self.recovering {
                        match bad.tok {
                            Tok::OpenQuote => {
                                self.tell("Invalid argument name", "Argument names must not be quoted.", &range);
                            }
                            Tok::Eof => self.tell("Unclosed configuration block", UNCLOSED_BLOCK, &start),
                            _ => self.tell("Argument or block definition required", ITEM_NEEDED, &range),
                        }
                    }
                    finish = self.last_range();
                    self.skip_past(end);
                    break;
                }
            }
        }
        body.range = start.to(&finish);
        body.end = finish.tail();
        body
    }

    /// An argument or block; which arguments are set already, and where in the body they stand, is kept beside it.
    fn item(&mut self, body: &mut Body, set: &mut BTreeMap<SmolStr, usize>) {
        let name = self.read();
        match self.peek().tok {
            Tok::Equal => {
                let attribute = self.attribute(name, true);
                self.add_attribute(body, set, attribute);
            }
            Tok::OpenQuote | Tok::OpenBrace | Tok::Name => {
                if let Some(block) = self.block(name) {
                    body.blocks.push(block);
                }
            }
            _ => self.refuse_item(name),
        }
    }

    fn add_attribute(&mut self, body: &mut Body, set: &mut BTreeMap<SmolStr, usize>, attribute: Attribute) {
        let at = *set.entry(attribute.name.clone()).or_insert(body.attributes.len());
        match body.attributes.get(at) {
            Some(first) => {
                let detail = format!(
                    "The argument \"{}\" was already set at {}. Each argument may be set only once.",
                    attribute.name,
                    first.name_range.text()
                );
                self.tell("Attribute redefined", &detail, &attribute.name_range);
            }
            None => body.attributes.push(attribute),
        }
    }

    fn refuse_item(&mut self, name: Token) {
        let detail =
            format!("{ITEM_NEEDED} To set an argument, use the equals sign \"=\" to introduce the argument value.");
        let range = self.range(name);
        self.skip_item();
        self.tell("Argument or block definition required", &detail, &range);
    }

    fn attribute(&mut self, name: Token, own_line: bool) -> Attribute {
        let equals_range = {
            let equals = self.read();
            self.range(equals)
        };
        let name_range = self.range(name);
        let before = self.diagnostics.len();
        let expression = self.expression();
        let mut end = self.last_range();
        if self.recovering && self.failed_since(before) {
            self.skip_item();
        } else if own_line {
            let stop = self.peek();
            if matches!(stop.tok, Tok::Newline | Tok::Eof) {
                self.read();
            } else {
                let stop_range = self.range(stop);
                if !self.recovering {
                    let context = name_range.to(&stop_range);
                    if stop.tok == Tok::Comma {
                        let detail =
                            format!("Argument definitions must be separated by newlines, not commas. {NEWLINE_NEEDED}");
                        self.tell_in("Unexpected comma after argument", &detail, &stop_range, &context);
                    } else {
                        self.tell_in("Missing newline after argument", NEWLINE_NEEDED, &stop_range, &context);
                    }
                }
                end = self.last_range();
                self.skip_item();
            }
        }
        Attribute { name: self.text(name).into(), expression, range: name_range.to(&end), name_range, equals_range }
    }

    fn block(&mut self, keyword: Token) -> Option<Block> {
        let kind_range = self.range(keyword);
        let mut labels = Vec::new();
        let mut label_ranges = Vec::new();
        let open = loop {
            let next = self.peek();
            match next.tok {
                Tok::OpenBrace => break self.read(),
                Tok::OpenQuote => {
                    let (label, range) = self.label();
                    labels.push(label);
                    label_ranges.push(range);
                }
                Tok::Name => {
                    self.read();
                    labels.push(self.text(next).into());
                    label_ranges.push(self.range(next));
                }
                _ => {
                    self.refuse_header(&kind_range, next);
                    self.skip_item();
                    return Some(Block {
                        kind: self.text(keyword).into(),
                        labels,
                        body: Body {
                            attributes: Vec::new(),
                            blocks: Vec::new(),
                            range: kind_range.clone(),
                            end: kind_range.clone(),
                        },
                        label_ranges,
                        open_range: kind_range.clone(),
                        close_range: kind_range.clone(),
                        kind_range,
                    });
                }
            }
        };
        let open_range = self.range(open);
        if self.depth >= DEPTH_LIMIT {
            self.refuse_depth(&open_range);
            self.skip_past(Tok::CloseBrace);
            return None;
        }
        self.depth += 1;
        let body = match self.peek().tok {
            Tok::Newline | Tok::Eof | Tok::CloseBrace => self.body(Tok::CloseBrace),
            _ => self.one_line_body(&kind_range, &open_range),
        };
        self.depth -= 1;
        let close_range = self.last_range();
        let stop = self.peek();
        if matches!(stop.tok, Tok::Newline | Tok::Eof) {
            self.read();
        } else {
            let stop_range = self.range(stop);
            if !self.recovering {
                let detail = "A block definition must end with a newline.";
                let context = kind_range.to(&stop_range);
                self.tell_in("Missing newline after block definition", detail, &stop_range, &context);
            }
            self.skip_item();
        }
        Some(Block { kind: self.text(keyword).into(), labels, body, kind_range, label_ranges, open_range, close_range })
    }

    pub fn refuse_depth(&mut self, range: &Range) {
        if !self.recovering {
            let detail = crate::base::gap::line(
                "more than 100 blocks or expressions in each other, or 200 operators in a chain",
                "",
            );
            self.tell("Nested too deeply", &detail, range);
        }
    }

    fn refuse_header(&mut self, kind_range: &Range, stop: Token) {
        let range = self.range(stop);
        let detail = match stop.tok {
            Tok::Equal => {
                "The equals sign \"=\" indicates an argument definition, and must not be used when defining a block."
            }
            Tok::Newline => {
                "A block definition must have block content delimited by \"{\" and \"}\", starting on the same line as the block header."
            }
            _ if self.recovering => return,
            _ => "Either a quoted string block label or an opening brace (\"{\") is expected here.",
        };
        self.tell_in("Invalid block definition", detail, &range, &kind_range.to(&range));
    }

    /// `{ name = value }` on one line.
    fn one_line_body(&mut self, kind_range: &Range, open_range: &Range) -> Body {
        let mut body =
            Body { attributes: Vec::new(), blocks: Vec::new(), range: open_range.clone(), end: open_range.clone() };
        let told = self.diagnostics.len();
        self.one_line_item(&mut body);
        // What is wrong inside is told after what is wrong with the end of the block.
        let inner = self.diagnostics.split_off(told.min(self.diagnostics.len()));
        self.close_one_line(kind_range, open_range);
        self.diagnostics.extend(inner);
        match body.attributes.first() {
            Some(attribute) => {
                body.range = attribute.range.clone();
                body.end = attribute.range.tail();
            }
            None => {
                body.end = self.last_range();
                body.range = open_range.to(&body.end);
            }
        }
        body
    }

    fn one_line_item(&mut self, body: &mut Body) {
        let name = self.read();
        let range = self.range(name);
        if name.tok != Tok::Name {
            self.skip_item();
            self.tell("Argument or block definition required", ITEM_NEEDED, &range);
            return;
        }
        let next = self.peek();
        match next.tok {
            Tok::Equal => {
                let attribute = self.attribute(name, false);
                body.attributes.push(attribute);
            }
            Tok::OpenQuote | Tok::OpenBrace | Tok::Name => {
                let detail = format!(
                    "A single-line block definition can contain only a single argument. If you meant to define argument \"{}\", use an equals sign to assign it a value. To define a nested block, place it on a line of its own within its parent block.",
                    self.text(name)
                );
                let range = range.to(&self.range(next));
                self.skip_item();
                self.tell("Argument definition required", &detail, &range);
            }
            _ => self.refuse_item(name),
        }
    }

    fn close_one_line(&mut self, kind_range: &Range, open_range: &Range) {
        let stop = self.peek();
        let range = self.range(stop);
        let detail = match stop.tok {
            Tok::CloseBrace => {
                self.read();
                return;
            }
            Tok::Comma => {
                "Single-line block syntax can include only one argument definition. To define multiple arguments, use the multi-line block syntax with one argument definition per line."
            }
            Tok::Newline => {
                "An argument definition on the same line as its containing block creates a single-line block definition, which must also be closed on the same line. Place the block's closing brace immediately after the argument definition."
            }
            _ if self.recovering => "",
            Tok::Eof => {
                let context = kind_range.to(open_range);
                self.tell_in("Unclosed configuration block", UNCLOSED_BLOCK, open_range, &context);
                ""
            }
            _ => {
                "A single-line block definition must end with a closing brace immediately after its single argument definition."
            }
        };
        if !detail.is_empty() {
            self.tell("Invalid single-argument block definition", detail, &range);
        }
        self.skip_past(Tok::CloseBrace);
    }

    /// A quoted label: text without sequences.
    fn label(&mut self) -> (SmolStr, Range) {
        let open = self.read();
        let open_range = self.range(open);
        let mut text = String::new();
        loop {
            let token = self.read();
            let range = self.range(token);
            let context = open_range.to(&range);
            match token.tok {
                Tok::CloseQuote => return (text.into(), context),
                Tok::QuotedText => {
                    text.push_str(&literal::unescape(self.text(token), true, &range, &mut self.diagnostics));
                }
                Tok::Interpolation | Tok::Control => {
                    let sign = if token.tok == Tok::Control { "%" } else { "$" };
                    let detail = format!(
                        "Template sequences are not allowed in this string. To include a literal \"{sign}\", double it (as \"{sign}{sign}\") to escape it."
                    );
                    self.tell_in("Invalid string literal", &detail, &range, &context);
                    text.push_str(sign);
                    text.push_str("{ ... }");
                    self.skip_past(Tok::TemplateEnd);
                }
                Tok::Eof => {
                    let detail = "Unable to find the closing quote mark before the end of the file.";
                    self.tell_in("Unterminated string literal", detail, &range, &context);
                    return (text.into(), context);
                }
                _ => {
                    let detail = "This item is not valid in a string literal.";
                    self.tell_in("Invalid string literal", detail, &range, &context);
                    self.skip_past(Tok::CloseQuote);
                    return (text.into(), context);
                }
            }
        }
    }

    /// The one expression that the tokens are.
    pub fn whole_expression(&mut self) -> Expr {
        self.push_newlines(false);
        let expression = self.expression();
        let next = self.peek();
        if next.tok != Tok::Eof && !self.recovering {
            let range = self.range(next);
            let detail = "An expression was successfully parsed, but extra characters were found after it.";
            self.tell("Extra characters after expression", detail, &range);
        }
        self.pop_newlines();
        expression
    }

    pub fn broken(&self, range: Range) -> Expr {
        Expr::new(ExprKind::Broken, range)
    }
}
