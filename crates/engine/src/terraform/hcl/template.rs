//! Templates: literal text, `${…}` and `%{…}`. First the flat sequence of parts with white space trimmed, then the tree
//! that `if` and `for` directives make of it.

use super::ast::{Conditional, Expr, ExprKind, For, Range};
use super::diagnostic::did_you_mean;
use super::lexer::{Tok, Token};
use super::literal;
use super::parser::{DEPTH_LIMIT, HEIGHT_LIMIT, Parser};
use crate::base::SmolStr;
use crate::terraform::value::Value;

enum Part {
    Text(String, Range),
    Value(Expr),
    If(Expr, Range),
    For(Option<SmolStr>, SmolStr, Expr, Range),
    /// `else`, `endif`, `endfor`
    Mark(&'static str, Range),
}

impl Parser<'_> {
    /// After the opening quote or heredoc marker.
    pub fn template(&mut self, open: Token, end: Tok, flush: bool) -> Expr {
        let open_range = self.range(open);
        let (parts, passes, end_range) = self.template_parts(end, flush);
        let range = open_range.to(&self.last_range());
        self.template_tree(parts, passes, end_range, range)
    }

    /// A bare template up to the end of its text.
    pub fn whole_template(&mut self) -> Expr {
        let start = self.range(self.peek());
        let (parts, passes, end_range) = self.template_parts(Tok::Eof, false);
        let range = start.to(&end_range);
        self.template_tree(parts, passes, end_range, range)
    }

    fn template_tree(&mut self, parts: Vec<Part>, passes: bool, end: Range, range: Range) -> Expr {
        let mut parts = parts.into_iter();
        if passes && let Some(Part::Value(inner)) = parts.next() {
            return Expr::new(ExprKind::TemplateWrap(Box::new(inner)), range);
        }
        let mut tree = Tree { parser: self, parts: parts.peekable(), end };
        let mut exprs = Vec::new();
        while tree.parts.peek().is_some() {
            exprs.push(tree.part());
        }
        if exprs.is_empty() {
            exprs.push(Expr::new(ExprKind::Literal(Value::string("")), range.clone()));
        }
        Expr::new(ExprKind::Template(exprs), range)
    }

    /// The parts, whether they are one value alone, and where the closing marker is.
    fn template_parts(&mut self, end: Tok, flush: bool) -> (Vec<Part>, bool, Range) {
        let mut parts: Vec<Part> = Vec::new();
        let start_range = self.range(self.peek());
        let mut trim_next = false;
        let end_range = loop {
            let next = self.read();
            let range = self.range(next);
            let trim = std::mem::take(&mut trim_next);
            match next.tok {
                tok if tok == end => break range,
                Tok::QuotedText | Tok::PlainText => {
                    let quoted = next.tok == Tok::QuotedText;
                    let mut text = literal::unescape(self.text(next), quoted, &range, &mut self.diagnostics);
                    if trim {
                        text = text.trim_start().to_owned();
                    }
                    parts.push(Part::Text(text, range));
                }
                Tok::Interpolation | Tok::Control => {
                    if self.text(next).ends_with('~')
                        && let Some(Part::Text(text, _)) = parts.last_mut()
                    {
                        text.truncate(text.trim_end().len());
                    }
                    self.push_newlines(false);
                    trim_next = if next.tok == Tok::Interpolation {
                        self.interpolation(&mut parts, end, &start_range)
                    } else {
                        self.directive(&mut parts, next, &start_range)
                    };
                    self.pop_newlines();
                }
                _ => {
                    if !self.recovering {
                        let detail = "No closing marker was found for the string.";
                        self.tell_in("Unterminated template string", detail, &range, &start_range.to(&range));
                    }
                    let last = self.skip_past(end);
                    break self.range(last);
                }
            }
        };
        if flush {
            trim_indent(&mut parts);
        }
        let parts = join_texts(parts);
        let passes = matches!(parts.as_slice(), [Part::Value(_)]);
        (parts, passes, end_range)
    }

    /// `${…}`; says whether white space after it goes.
    fn interpolation(&mut self, parts: &mut Vec<Part>, end: Tok, start: &Range) -> bool {
        let expr = self.expression();
        let close = self.peek();
        parts.push(Part::Value(expr));
        if close.tok == Tok::TemplateEnd {
            self.read();
            return self.text(close).starts_with('~');
        }
        if !self.recovering {
            let range = self.range(close);
            let unclosed = "Unclosed template interpolation sequence";
            let extra = "Extra characters after interpolation expression";
            match close.tok {
                Tok::Eof => {
                    let detail = "There is no closing brace for this interpolation sequence before the end of the file. This might be caused by incorrect nesting inside the given expression.";
                    self.tell(unclosed, detail, start);
                }
                Tok::Colon => {
                    let detail = "Template interpolation doesn't expect a colon at this location. Did you intend this to be a literal sequence to be processed as part of another language? If so, you can escape it by starting with \"$${\" instead of just \"${\".";
                    self.tell_in(extra, detail, &range, &start.to(&range));
                }
                Tok::OpenQuote | Tok::CloseQuote if end == Tok::CloseQuote => {
                    let detail = "There is no closing brace for this interpolation sequence before the end of the quoted template. This might be caused by incorrect nesting inside the given expression.";
                    self.tell(unclosed, detail, start);
                }
                _ => {
                    let detail = "Expected a closing brace to end the interpolation expression, but found extra characters.\n\nThis can happen when you include interpolation syntax for another language, such as shell scripting, but forget to escape the interpolation start token. If this is an embedded sequence for another language, escape it by starting with \"$${\" instead of just \"${\".";
                    self.tell_in(extra, detail, &range, &start.to(&range));
                }
            }
        }
        self.skip_past(Tok::TemplateEnd);
        false
    }

    /// `%{…}`; says whether white space after it goes.
    fn directive(&mut self, parts: &mut Vec<Part>, open: Token, start: &Range) -> bool {
        let open_range = self.range(open);
        let keyword = self.peek();
        let keyword_range = self.range(keyword);
        let word = self.text(keyword);
        let context = open_range.to(&keyword_range);
        if keyword.tok != Tok::Name {
            if !self.recovering {
                let detail = "A template directive keyword (\"if\", \"for\", etc) is expected at the beginning of a %{ sequence.";
                self.tell_in("Invalid template directive", detail, &keyword_range, &context);
            }
            self.skip_past(Tok::TemplateEnd);
            return false;
        }
        self.read();
        let part = match word {
            "if" => {
                let condition = self.expression();
                Part::If(condition, open_range.to(&self.range(self.peek())))
            }
            "for" => match self.for_directive(&open_range) {
                Some(part) => part,
                None => {
                    self.skip_past(Tok::TemplateEnd);
                    return false;
                }
            },
            "else" => Part::Mark("else", open_range.to(&self.range(self.peek()))),
            "endif" => Part::Mark("endif", open_range.to(&self.range(self.peek()))),
            "endfor" => Part::Mark("endfor", open_range.to(&self.range(self.peek()))),
            _ => {
                if !self.recovering {
                    let hint = did_you_mean(word, ["if", "for", "else", "endif", "endfor"]);
                    let detail = format!("\"{word}\" is not a valid template control keyword.{hint}");
                    self.tell_in("Invalid template control keyword", &detail, &keyword_range, &context);
                }
                self.skip_past(Tok::TemplateEnd);
                return false;
            }
        };
        parts.push(part);
        let close = self.peek();
        if close.tok == Tok::TemplateEnd {
            self.read();
            return self.text(close).starts_with('~');
        }
        if !self.recovering {
            let range = self.range(close);
            let summary = format!("Extra characters in {word} marker");
            let detail = "Expected a closing brace to end the sequence, but found extra characters.";
            self.tell_in(&summary, detail, &range, &start.to(&range));
        }
        self.skip_past(Tok::TemplateEnd);
        false
    }

    fn for_directive(&mut self, open: &Range) -> Option<Part> {
        let refuse = |parser: &mut Self, detail: &str| {
            if !parser.recovering {
                let range = parser.range(parser.peek());
                parser.tell("Invalid 'for' directive", detail, &range);
            }
        };
        let Some(first) = self.take(Tok::Name) else {
            refuse(self, "For directive requires variable name after 'for'.");
            return None;
        };
        let mut key = None;
        let mut value: SmolStr = self.text(first).into();
        if self.take(Tok::Comma).is_some() {
            let Some(second) = self.take(Tok::Name) else {
                refuse(self, "For directive requires value variable name after comma.");
                return None;
            };
            key = Some(value);
            value = self.text(second).into();
        }
        if !self.peek_word("in") {
            refuse(self, "For directive requires 'in' keyword after names.");
            return None;
        }
        self.read();
        let collection = self.expression();
        Some(Part::For(key, value, collection, open.to(&self.range(self.peek()))))
    }
}

/// The indentation that all lines share is taken from each; blank lines do not count.
fn trim_indent(parts: &mut [Part]) {
    let mut least = usize::MAX;
    let mut line_start = true;
    let mut indented = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if std::mem::take(&mut line_start) {
            match part {
                Part::Text(text, _) => {
                    let trimmed = text.trim_start();
                    if !trimmed.is_empty() || !text.ends_with('\n') {
                        least = least.min(text.chars().count() - trimmed.chars().count());
                        indented.push(index);
                    }
                }
                _ => least = 0,
            }
        }
        line_start = matches!(part, Part::Text(text, _) if text.ends_with('\n'));
    }
    for index in indented {
        if let Some(Part::Text(text, range)) = parts.get_mut(index) {
            let cut: usize = text.chars().take(least).map(char::len_utf8).sum();
            text.drain(..cut);
            range.start.column += least as u32;
            range.start.byte += cut;
        }
    }
}

fn join_texts(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        if let (Some(Part::Text(text, range)), Part::Text(more, end)) = (joined.last_mut(), &part) {
            text.push_str(more);
            range.end = end.end;
        } else {
            joined.push(part);
        }
    }
    joined
}

/// Makes the tree of directives.
struct Tree<'a, 'b, I: Iterator<Item = Part>> {
    parser: &'a mut Parser<'b>,
    parts: std::iter::Peekable<I>,
    end: Range,
}

impl<I: Iterator<Item = Part>> Tree<'_, '_, I> {
    fn part(&mut self) -> Expr {
        match self.parts.next() {
            Some(Part::Text(text, range)) => Expr::new(ExprKind::Literal(Value::string(text)), range),
            Some(Part::Value(expr)) => expr,
            Some(Part::If(condition, range)) => self.nested(range.clone(), |tree| tree.conditional(condition, range)),
            Some(Part::For(key, value, collection, range)) => {
                self.nested(range.clone(), |tree| tree.repeat(key, value, collection, range))
            }
            Some(Part::Mark(name, range)) => {
                let detail = "The control directives within this template are unbalanced.";
                self.parser.tell(&format!("Unexpected {name} directive"), detail, &range);
                self.parser.broken(range)
            }
            None => {
                let end = self.end.clone();
                let detail = "The control directives within this template are unbalanced.";
                self.parser.tell("Unexpected end of template", detail, &end);
                self.parser.broken(end)
            }
        }
    }

    fn nested(&mut self, range: Range, make: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if self.parser.depth >= DEPTH_LIMIT {
            self.parser.refuse_depth(&range);
            self.parser.recovering = true;
            self.parts.by_ref().for_each(drop);
            return self.parser.broken(range);
        }
        self.parser.depth += 1;
        let expr = make(self);
        self.parser.depth -= 1;
        if expr.height > HEIGHT_LIMIT {
            self.parser.refuse_depth(&range);
            return self.parser.broken(range);
        }
        expr
    }

    /// The parts up to the mark that closes, or up to `else`.
    fn until_mark(&mut self, exprs: &mut Vec<Expr>) -> Option<(&'static str, Range)> {
        loop {
            match self.parts.peek() {
                None => return None,
                Some(Part::Mark(name, range)) => {
                    let found = (*name, range.clone());
                    self.parts.next();
                    return Some(found);
                }
                Some(_) => exprs.push(self.part()),
            }
        }
    }

    fn missing(&mut self, what: &str, end: &str, range: &Range) -> Expr {
        let detail = format!("The {what} directive at {} is missing its corresponding {end} directive.", range.text());
        let end = self.end.clone();
        self.parser.tell("Unexpected end of template", &detail, &end);
        self.parser.broken(end)
    }

    fn unexpected(&mut self, name: &str, detail: &str, range: &Range) -> Expr {
        self.parser.tell(&format!("Unexpected {name} directive"), detail, range);
        self.parser.broken(range.clone())
    }

    fn conditional(&mut self, condition: Expr, open: Range) -> Expr {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let mut in_else = false;
        let close = loop {
            let exprs = if in_else { &mut no } else { &mut yes };
            match self.until_mark(exprs) {
                None => return self.missing("if", "endif", &open),
                Some(("endif", range)) => break range,
                Some(("else", _)) if !in_else => in_else = true,
                Some(("else", range)) => {
                    let detail = format!("Already in the else clause for the if started at {}.", open.text());
                    return self.unexpected("else", &detail, &range);
                }
                Some((name, range)) => {
                    let detail = format!("Expecting an endif directive for the if started at {}.", open.text());
                    return self.unexpected(name, &detail, &range);
                }
            }
        };
        let range = open.to(&close);
        let yes = content(yes, open.tail());
        let no = content(no, close.head());
        Expr::new(ExprKind::Conditional(Box::new(Conditional { condition, yes, no })), range)
    }

    fn repeat(&mut self, key_name: Option<SmolStr>, value_name: SmolStr, collection: Expr, open: Range) -> Expr {
        let mut parts = Vec::new();
        let close = match self.until_mark(&mut parts) {
            None => return self.missing("for", "endfor", &open),
            Some(("endfor", range)) => range,
            Some(("else", range)) => {
                return self.unexpected("else", "An else clause is not expected for a for directive.", &range);
            }
            Some((name, range)) => {
                let detail =
                    format!("Expecting an endfor directive corresponding to the for directive at {}.", open.text());
                return self.unexpected(name, &detail, &range);
            }
        };
        let range = open.to(&close);
        let value = content(parts, open.tail());
        let it =
            For { key_name, value_name, collection, key: None, value, condition: None, group: false, open_range: open };
        let tuple = Expr::new(ExprKind::For(Box::new(it)), range.clone());
        Expr::new(ExprKind::TemplateJoin(Box::new(tuple)), range)
    }
}

/// The parts between directives as one template.
fn content(mut parts: Vec<Expr>, empty: Range) -> Expr {
    if parts.is_empty() {
        parts.push(Expr::new(ExprKind::Literal(Value::string("")), empty.clone()));
    }
    let range = match (parts.first(), parts.last()) {
        (Some(first), Some(last)) => first.range.to(&last.range),
        _ => empty,
    };
    Expr::new(ExprKind::Template(parts), range)
}
