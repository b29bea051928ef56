//! A reference that stands alone: the address behind `-target`, or what an older configuration wrote in quotes.

use super::ast::{Pos, Range, Step, StepKind, Traversal};
use super::diagnostic::Diagnostic;
use super::lexer::{self, Tok};
use super::literal;
use super::parser::Parser;
use crate::terraform::value::{Number, Value};

/// The traversal a text is, all of it; what is wrong first otherwise.
pub fn parse_traversal(file: &str, source: &str) -> Result<Traversal, Box<Diagnostic>> {
    parse_traversal_at(file, source, Pos::START)
}

/// The same for a text that stands somewhere in a file.
pub fn parse_traversal_at(file: &str, source: &str, start: Pos) -> Result<Traversal, Box<Diagnostic>> {
    let tokens = lexer::scan(source);
    let moved = |range: &mut Range| {
        for at in [&mut range.start, &mut range.end] {
            let column = if at.line == 1 { start.column + at.column - 1 } else { at.column };
            *at = Pos { line: start.line + at.line - 1, column, byte: start.byte + at.byte };
        }
    };
    match Parser::new(file, source, &tokens).traversal() {
        Ok(mut all) => {
            moved(&mut all.root_range);
            all.steps.iter_mut().for_each(|step| moved(&mut step.range));
            Ok(all)
        }
        Err(mut error) => {
            error.subject.iter_mut().chain(&mut error.context).for_each(moved);
            Err(error)
        }
    }
}

fn wrong(summary: &str, detail: &str, subject: &Range, context: &Range) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(summary, detail, subject).in_context(&context.to(subject)))
}

impl Parser<'_> {
    fn traversal(&mut self) -> Result<Traversal, Box<Diagnostic>> {
        let first = self.read();
        let root_range = self.range(first);
        if first.tok != Tok::Name {
            let detail = "Must begin with a variable name.";
            return Err(Box::new(Diagnostic::error("Variable name required", detail, &root_range)));
        }
        let mut all = Traversal { root: self.text(first).into(), root_range, steps: Vec::new() };
        loop {
            let next = self.read();
            let range = self.range(next);
            let step = match next.tok {
                Tok::Eof => return Ok(all),
                Tok::Dot => {
                    let name = self.read();
                    let named = self.range(name);
                    if name.tok != Tok::Name {
                        let detail = match name.tok {
                            Tok::Star => "Splat expressions (.*) may not be used here.",
                            _ => "Dot must be followed by attribute name.",
                        };
                        return Err(wrong("Attribute name required", detail, &named, &all.root_range));
                    }
                    Step { kind: StepKind::Attribute(self.text(name).into()), range: range.to(&named) }
                }
                Tok::OpenBracket => {
                    let key = self.index_key(&all.root_range).map_err(|mut error| {
                        // A text that does not end leaves its brackets open too.
                        if error.summary == "Unterminated string literal"
                            && let Some(end) = &error.subject
                        {
                            let detail = "Index key must be followed by a closing bracket.";
                            error.also = Some(wrong("Unclosed index brackets", detail, end, &range));
                        }
                        error
                    })?;
                    let close = self.read();
                    let end = self.range(close);
                    if close.tok != Tok::CloseBracket {
                        let detail = "Index key must be followed by a closing bracket.";
                        return Err(wrong("Unclosed index brackets", detail, &end, &range));
                    }
                    Step { kind: StepKind::Index(key), range: range.to(&end) }
                }
                _ => {
                    let detail = "Expected an attribute access or an index operator.";
                    return Err(wrong("Invalid character", detail, &range, &all.root_range));
                }
            };
            all.steps.push(step);
        }
    }

    /// A number or a text in quotes.
    fn index_key(&mut self, context: &Range) -> Result<Value, Box<Diagnostic>> {
        let token = self.read();
        let range = self.range(token);
        match token.tok {
            Tok::Number => Number::parse(self.text(token)).map(Value::number).ok_or_else(|| {
                let detail = "Failed to recognize the value of this number literal.";
                Box::new(Diagnostic::error("Invalid number literal", detail, &range))
            }),
            Tok::OpenQuote => {
                let mut text = String::new();
                loop {
                    let part = self.read();
                    let at = self.range(part);
                    match part.tok {
                        Tok::CloseQuote => return Ok(Value::string(text)),
                        Tok::QuotedText => {
                            let mut found = Vec::new();
                            text.push_str(&literal::unescape(self.text(part), true, &at, &mut found));
                            if let Some(first) = found.into_iter().next() {
                                return Err(Box::new(first));
                            }
                        }
                        Tok::Interpolation | Tok::Control => {
                            let detail = "Template sequences are not allowed in this string. To include a literal \"$\", double it (as \"$$\") to escape it.";
                            let detail =
                                if part.tok == Tok::Control { detail.replace('$', "%") } else { detail.into() };
                            return Err(wrong("Invalid string literal", &detail, &at, &range));
                        }
                        Tok::Eof => {
                            let detail = "Unable to find the closing quote mark before the end of the file.";
                            return Err(wrong("Unterminated string literal", detail, &at, &range));
                        }
                        _ => {
                            let detail = "Quoted strings can't be split over multiple lines. To produce a multi-line string, either use the \\n escape to represent a newline character or use the \"heredoc\" multi-line template syntax.";
                            return Err(wrong("Invalid multi-line string", detail, &at, &range));
                        }
                    }
                }
            }
            Tok::Star => {
                let detail = "Splat expressions ([*]) may not be used here.";
                Err(wrong("Attribute name required", detail, &range, context))
            }
            _ => {
                let detail = "Index brackets must contain either a literal number or a literal string.";
                Err(wrong("Index value required", detail, &range, context))
            }
        }
    }
}
