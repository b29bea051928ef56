//! Expressions: operators by precedence, then terms, then the steps that follow a term.

use super::ast::{
    BinaryOp, Call, Conditional, Expr, ExprKind, For, Index, Item, Range, Splat, Step, StepKind, Traversal, UnaryOp,
};
use super::lexer::{Tok, Token};
use super::parser::{DEPTH_LIMIT, HEIGHT_LIMIT, Parser};
use crate::base::SmolStr;
use crate::terraform::value::{Number, Type, Value};

const NESTING: &str = "before the end of the file. This may be caused by incorrect";

/// The operators of each level, the loosest first.
fn operator(tok: Tok) -> Option<(u8, BinaryOp)> {
    Some(match tok {
        Tok::Or => (0, BinaryOp::Or),
        Tok::And => (1, BinaryOp::And),
        Tok::EqualEqual => (2, BinaryOp::Equal),
        Tok::NotEqual => (2, BinaryOp::NotEqual),
        Tok::Greater => (3, BinaryOp::Greater),
        Tok::GreaterOrEqual => (3, BinaryOp::GreaterOrEqual),
        Tok::Less => (3, BinaryOp::Less),
        Tok::LessOrEqual => (3, BinaryOp::LessOrEqual),
        Tok::Plus => (4, BinaryOp::Add),
        Tok::Minus => (4, BinaryOp::Subtract),
        Tok::Star => (5, BinaryOp::Multiply),
        Tok::Slash => (5, BinaryOp::Divide),
        Tok::Percent => (5, BinaryOp::Modulo),
        _ => return None,
    })
}

impl Parser<'_> {
    pub fn expression(&mut self) -> Expr {
        if self.depth >= DEPTH_LIMIT {
            let range = self.range(self.peek());
            self.refuse_depth(&range);
            self.recovering = true;
            return self.broken(range);
        }
        self.depth += 1;
        let expr = self.conditional();
        self.depth -= 1;
        self.bounded(expr)
    }

    /// The expression, unless its tree has grown too deep.
    fn bounded(&mut self, expr: Expr) -> Expr {
        if expr.height <= HEIGHT_LIMIT {
            return expr;
        }
        self.refuse_depth(&expr.range);
        self.recovering = true;
        self.broken(expr.range)
    }

    fn failed(&self, before: usize) -> bool {
        self.recovering && self.failed_since(before)
    }

    fn conditional(&mut self) -> Expr {
        let before = self.diagnostics.len();
        let condition = self.binary(0);
        if self.failed(before) || self.take(Tok::Question).is_none() {
            return condition;
        }
        let before = self.diagnostics.len();
        let yes = self.expression();
        if self.failed(before) {
            return condition;
        }
        let colon = self.peek();
        if colon.tok != Tok::Colon {
            let range = self.range(colon);
            let detail = "The conditional operator (...?...:...) requires a false expression, delimited by a colon.";
            let context = condition.range.to(&range);
            self.tell_in("Missing false expression in conditional", detail, &range, &context);
            return condition;
        }
        self.read();
        let before = self.diagnostics.len();
        let no = self.expression();
        if self.failed(before) {
            return condition;
        }
        let range = condition.range.to(&no.range);
        Expr::new(ExprKind::Conditional(Box::new(Conditional { condition, yes, no })), range)
    }

    /// Operators of at least this level; equal ones bind to the left.
    fn binary(&mut self, level: u8) -> Expr {
        let before = self.diagnostics.len();
        let mut left = self.term_with_steps();
        loop {
            if self.failed(before) {
                return left;
            }
            let Some((of, op)) = operator(self.peek().tok).filter(|(of, _)| *of >= level) else { return left };
            self.read();
            let before = self.diagnostics.len();
            let right = self.binary(of + 1);
            if self.failed(before) {
                return left;
            }
            let range = left.range.to(&right.range);
            let joined = Expr::new(ExprKind::Binary(op, Box::new((left, right))), range);
            left = self.bounded(joined);
        }
    }

    fn term_with_steps(&mut self) -> Expr {
        let term = self.term();
        self.steps(term)
    }

    /// `.name`, `[key]`, `.*` and `[*]` after a term.
    fn steps(&mut self, from: Expr) -> Expr {
        let start = from.range.clone();
        let mut expr = from;
        loop {
            let next = self.peek();
            expr = match next.tok {
                Tok::Dot => {
                    self.read();
                    self.after_dot(expr, &start, next)
                }
                Tok::OpenBracket => {
                    self.read();
                    self.after_bracket(expr, &start, next)
                }
                _ => return expr,
            };
            expr = self.bounded(expr);
        }
    }

    fn after_dot(&mut self, expr: Expr, start: &Range, dot: Token) -> Expr {
        let dot_range = self.range(dot);
        let next = self.peek();
        let range = dot_range.to(&self.range(next));
        match next.tok {
            Tok::Name => {
                self.read();
                add_step(expr, Step { kind: StepKind::Attribute(self.text(next).into()), range })
            }
            Tok::Number => {
                self.read();
                let key = self.legacy_index(next, &self.range(next), "");
                add_step(expr, Step { kind: StepKind::Index(key), range })
            }
            Tok::Star => self.attribute_splat(expr, start, dot),
            _ => {
                self.tell("Invalid attribute name", "An attribute name is required after a dot.", &self.range(next));
                self.recovering = true;
                self.broken(start.to(&dot_range))
            }
        }
    }

    /// `.0` of old: one whole number.
    fn legacy_index(&mut self, number: Token, subject: &Range, with: &str) -> Value {
        if let Some((first, second)) = self.text(number).split_once('.') {
            let detail = format!(
                "When using the legacy index syntax, chaining two indexes together is not permitted. Use the proper index syntax{with} instead, like [{first}][{second}]."
            );
            self.tell("Invalid legacy index syntax", &detail, subject);
            return Value::dynamic();
        }
        self.number(number)
    }

    fn attribute_splat(&mut self, source: Expr, start: &Range, dot: Token) -> Expr {
        let star = self.read();
        let star_range = self.range(star);
        let marker_range = self.range(dot).to(&star_range);
        let first = self.range(self.peek());
        let mut last = star_range.clone();
        let mut steps = Vec::new();
        while let Some(dot) = self.take(Tok::Dot) {
            let dot_range = self.range(dot);
            let next = self.peek();
            let range = dot_range.to(&self.range(next));
            let kind = match next.tok {
                Tok::Number => {
                    self.read();
                    let key = self.legacy_index(next, &star_range, " with a full splat expression [*]");
                    StepKind::Index(key)
                }
                Tok::Name => {
                    self.read();
                    StepKind::Attribute(self.text(next).into())
                }
                _ => {
                    if self.recovering {
                    } else if next.tok == Tok::Star {
                        let detail =
                            "A splat expression (*) cannot be used inside another attribute-only splat expression.";
                        self.tell("Nested splat expression not allowed", detail, &self.range(next));
                    } else {
                        let detail = "An attribute name is required after a dot.";
                        self.tell("Invalid attribute name", detail, &star_range);
                    }
                    self.recovering = true;
                    return source;
                }
            };
            last = range.clone();
            steps.push(Step { kind, range });
        }
        let item = Expr::new(ExprKind::Anonymous, marker_range.clone());
        let each =
            if steps.is_empty() { item } else { Expr::new(ExprKind::Relative(Box::new(item), steps), first.to(&last)) };
        let range = start.to(&last);
        Expr::new(ExprKind::Splat(Box::new(Splat { source, each, marker_range })), range)
    }

    fn after_bracket(&mut self, expr: Expr, start: &Range, open: Token) -> Expr {
        let open_range = self.range(open);
        if self.take(Tok::Star).is_some() {
            let mut close = self.read();
            if close.tok != Tok::CloseBracket && !self.recovering {
                let detail =
                    "The star for a full splat operator must be immediately followed by a closing bracket (\"]\").";
                self.tell("Missing close bracket on splat index", detail, &self.range(close));
                close = self.skip_past(Tok::CloseBracket);
            }
            let marker_range = open_range.to(&self.range(close));
            if self.depth >= DEPTH_LIMIT {
                self.refuse_depth(&marker_range);
                self.recovering = true;
                return self.broken(marker_range);
            }
            self.depth += 1;
            let each = self.steps(Expr::new(ExprKind::Anonymous, marker_range.clone()));
            self.depth -= 1;
            let range = start.to(&each.range);
            return Expr::new(ExprKind::Splat(Box::new(Splat { source: expr, each, marker_range })), range);
        }
        self.push_newlines(false);
        let before = self.diagnostics.len();
        let key = self.expression();
        let close = if self.failed(before) {
            self.skip_past(Tok::CloseBracket)
        } else {
            let close = self.read();
            if close.tok != Tok::CloseBracket && !self.recovering {
                let detail = "The index operator must end with a closing bracket (\"]\").";
                self.tell("Missing close bracket on index", detail, &self.range(close));
                self.skip_past(Tok::CloseBracket)
            } else {
                close
            }
        };
        self.pop_newlines();
        let bracket_range = open_range.to(&self.range(close));
        let literal = match &key.kind {
            ExprKind::Literal(value) => Some(value.clone()),
            ExprKind::Template(_) => key.literal_str().map(Value::string),
            ExprKind::Broken => Some(Value::dynamic()),
            _ => None,
        };
        match literal {
            Some(value) => add_step(expr, Step { kind: StepKind::Index(value), range: bracket_range }),
            None => {
                let range = start.to(&bracket_range);
                Expr::new(ExprKind::Index(Box::new(Index { collection: expr, key, bracket_range })), range)
            }
        }
    }

    fn term(&mut self) -> Expr {
        let start = self.peek();
        let range = self.range(start);
        match start.tok {
            Tok::OpenParen => self.parentheses(),
            Tok::Number => {
                self.read();
                let value = self.number(start);
                Expr::new(ExprKind::Literal(value), range)
            }
            Tok::Name => {
                self.read();
                if matches!(self.peek().tok, Tok::OpenParen | Tok::DoubleColon) {
                    return self.call(start);
                }
                let name = self.text(start);
                let kind = match name {
                    "true" => ExprKind::Literal(Value::bool(true)),
                    "false" => ExprKind::Literal(Value::bool(false)),
                    "null" => ExprKind::Literal(Value::null(Type::Dynamic)),
                    _ => ExprKind::Variable(Traversal {
                        root: name.into(),
                        root_range: range.clone(),
                        steps: Vec::new(),
                    }),
                };
                Expr::new(kind, range)
            }
            Tok::OpenQuote => {
                self.read();
                self.template(start, Tok::CloseQuote, false)
            }
            Tok::OpenHeredoc => {
                self.read();
                let flush = self.text(start).starts_with("<<-");
                self.template(start, Tok::CloseHeredoc, flush)
            }
            Tok::Minus | Tok::Bang => {
                self.read();
                let op = if start.tok == Tok::Minus { UnaryOp::Negate } else { UnaryOp::Not };
                if self.depth >= DEPTH_LIMIT {
                    self.refuse_depth(&range);
                    self.recovering = true;
                    return self.broken(range);
                }
                self.depth += 1;
                let operand = self.term_with_steps();
                self.depth -= 1;
                let whole = range.to(&operand.range);
                Expr::new(ExprKind::Unary(op, Box::new(operand)), whole)
            }
            Tok::OpenBracket => self.tuple(),
            Tok::OpenBrace => self.object(),
            _ => {
                if self.recovering {
                } else if start.tok == Tok::Eof {
                    let detail = "Expected the start of an expression, but found the end of the file.";
                    self.tell("Missing expression", detail, &range);
                } else {
                    let detail = "Expected the start of an expression, but found an invalid expression token.";
                    self.tell("Invalid expression", detail, &range);
                }
                self.recovering = true;
                self.broken(range)
            }
        }
    }

    fn number(&mut self, token: Token) -> Value {
        match Number::parse(self.text(token)) {
            Some(number) => Value::number(number),
            None => {
                let detail = "Failed to recognize the value of this number literal.";
                self.tell("Invalid number literal", detail, &self.range(token));
                Value::unknown(Type::Number)
            }
        }
    }

    fn parentheses(&mut self) -> Expr {
        let open = self.peek();
        let doubled = self.doubled_parentheses();
        for _ in 0..=doubled {
            self.read();
        }
        self.push_newlines(false);
        let before = self.diagnostics.len();
        let inner = self.expression();
        if self.failed_since(before) {
            self.skip_past(Tok::CloseParen);
            self.pop_newlines();
            return inner;
        }
        let close = self.peek();
        let mut range = self.range(open).to(&self.range(close));
        if close.tok != Tok::CloseParen {
            let detail = "Expected a closing parenthesis to terminate the expression.";
            self.tell_in("Unbalanced parentheses", detail, &self.range(close), &range);
            self.recovering = true;
        }
        self.read();
        for _ in 0..doubled {
            if let Some(close) = self.take(Tok::CloseParen) {
                range = range.to(&self.range(close));
            }
        }
        self.pop_newlines();
        Expr::new(ExprKind::Parentheses(Box::new(inner)), range)
    }

    fn call(&mut self, first: Token) -> Expr {
        let first_range = self.range(first);
        let mut name = self.text(first).to_owned();
        let mut name_end = first_range.clone();
        let mut open = self.read();
        while open.tok == Tok::DoubleColon {
            let next = self.read();
            let range = self.range(next);
            if next.tok != Tok::Name {
                let detail = "Function scope resolution symbol :: must be followed by a function name in this scope.";
                let context = first_range.to(&range);
                self.tell_in("Missing function name", detail, &range, &context);
                self.skip_parentheses();
                return self.broken(context);
            }
            name.push_str("::");
            name.push_str(self.text(next));
            name_end = range;
            open = self.read();
        }
        let open_range = self.range(open);
        if open.tok != Tok::OpenParen {
            let detail = "Function selector must be followed by an open parenthesis to begin the function call.";
            let context = first_range.to(&open_range);
            self.tell_in("Missing open parenthesis", detail, &open_range, &context);
            self.skip_parentheses();
            return self.broken(context);
        }
        self.push_newlines(false);
        let (arguments, expand, close) = self.arguments(&first_range, &open_range);
        self.pop_newlines();
        let close_range = self.range(close);
        let range = first_range.to(&close_range);
        let call = Call {
            name: name.into(),
            name_range: first_range.to(&name_end),
            arguments,
            expand,
            open_range,
            close_range,
        };
        Expr::new(ExprKind::Call(Box::new(call)), range)
    }

    fn arguments(&mut self, name: &Range, open: &Range) -> (Vec<Expr>, bool, Token) {
        let mut arguments = Vec::new();
        loop {
            if let Some(close) = self.take(Tok::CloseParen) {
                return (arguments, false, close);
            }
            let before = self.diagnostics.len();
            arguments.push(self.expression());
            if self.failed(before) {
                let close = self.skip_past(Tok::CloseParen);
                return (arguments, false, close);
            }
            let separator = self.read();
            let range = self.range(separator);
            match separator.tok {
                Tok::CloseParen => return (arguments, false, separator),
                Tok::Comma => {}
                Tok::Ellipsis => {
                    let close = match self.take(Tok::CloseParen) {
                        Some(close) => close,
                        None => {
                            if !self.recovering {
                                let detail = "An expanded function argument (with ...) must be immediately followed by closing parentheses.";
                                self.tell_in("Missing closing parenthesis", detail, &range, &name.to(&range));
                            }
                            self.skip_past(Tok::CloseParen)
                        }
                    };
                    return (arguments, true, close);
                }
                tok => {
                    if tok == Tok::Eof {
                        let detail = format!(
                            "There is no closing parenthesis for this function call {NESTING} parenthesis nesting elsewhere in this file."
                        );
                        self.tell("Unterminated function call", &detail, &name.to(open));
                    } else {
                        let detail = "A comma is required to separate each function argument from the next.";
                        self.tell_in("Missing argument separator", detail, &range, &name.to(&range));
                    }
                    let close = self.skip_past(Tok::CloseParen);
                    return (arguments, false, close);
                }
            }
        }
    }

    fn tuple(&mut self) -> Expr {
        let open = self.read();
        let open_range = self.range(open);
        self.push_newlines(false);
        if self.peek_word("for") {
            let expr = self.for_expression(&open_range, Tok::CloseBracket);
            self.pop_newlines();
            return expr;
        }
        let mut items = Vec::new();
        let close = loop {
            if let Some(close) = self.take(Tok::CloseBracket) {
                break close;
            }
            let before = self.diagnostics.len();
            items.push(self.expression());
            if self.failed(before) {
                break self.skip_past(Tok::CloseBracket);
            }
            if let Some(close) = self.take(Tok::CloseBracket) {
                break close;
            }
            let next = self.peek();
            if next.tok != Tok::Comma {
                let range = self.range(next);
                if self.recovering {
                } else if next.tok == Tok::Eof {
                    let detail = format!(
                        "There is no corresponding closing bracket {NESTING} bracket nesting elsewhere in this file."
                    );
                    self.tell("Unterminated tuple constructor expression", &detail, &open_range);
                } else {
                    let detail = "Expected a comma to mark the beginning of the next item.";
                    self.tell_in("Missing item separator", detail, &range, &open_range.to(&range));
                }
                break self.skip_past(Tok::CloseBracket);
            }
            self.read();
        };
        self.pop_newlines();
        let range = open_range.to(&self.range(close));
        Expr::new(ExprKind::Tuple(items), range)
    }

    fn object(&mut self) -> Expr {
        let open = self.read();
        let open_range = self.range(open);
        self.push_newlines(false);
        if self.peek_word("for") {
            let expr = self.for_expression(&open_range, Tok::CloseBrace);
            self.pop_newlines();
            return expr;
        }
        self.pop_newlines();
        self.push_newlines(true);
        let mut items = Vec::new();
        let close = loop {
            if self.take(Tok::Newline).is_some() {
                continue;
            }
            if let Some(close) = self.take(Tok::CloseBrace) {
                break close;
            }
            if !self.object_item(&mut items, &open_range) {
                break self.skip_past(Tok::CloseBrace);
            }
            let next = self.peek();
            match next.tok {
                Tok::CloseBrace => break self.read(),
                Tok::Comma | Tok::Newline => {
                    self.read();
                }
                _ => {
                    let detail = "Expected a newline or comma to mark the beginning of the next attribute.";
                    self.refuse_in_object("Missing attribute separator", detail, next, &open_range);
                    break self.skip_past(Tok::CloseBrace);
                }
            }
        };
        self.pop_newlines();
        let range = open_range.to(&self.range(close));
        Expr::new(ExprKind::Object(items), range)
    }

    fn refuse_in_object(&mut self, summary: &str, detail: &str, next: Token, open: &Range) {
        let range = self.range(next);
        if self.recovering {
        } else if next.tok == Tok::Eof {
            let detail =
                format!("There is no corresponding closing brace {NESTING} brace nesting elsewhere in this file.");
            self.tell("Unterminated object constructor expression", &detail, open);
        } else {
            self.tell_in(summary, detail, &range, &open.to(&range));
        }
    }

    /// One `key = value`; false when the rest of the object is lost.
    fn object_item(&mut self, items: &mut Vec<Item>, open: &Range) -> bool {
        let before = self.diagnostics.len();
        let key = self.expression();
        if self.failed(before) {
            return false;
        }
        let next = self.peek();
        if !matches!(next.tok, Tok::Equal | Tok::Colon) {
            let (summary, detail) = match next.tok {
                Tok::Newline | Tok::Comma => {
                    ("Missing attribute value", "Expected an attribute value, introduced by an equals sign (\"=\").")
                }
                Tok::Name => (
                    "Missing key/value separator",
                    "Expected an equals sign (\"=\") to mark the beginning of the attribute value. If you intended to given an attribute name containing periods or spaces, write the name in quotes to create a string literal.",
                ),
                _ => (
                    "Missing key/value separator",
                    "Expected an equals sign (\"=\") to mark the beginning of the attribute value.",
                ),
            };
            self.refuse_in_object(summary, detail, next, open);
            return false;
        }
        self.read();
        let before = self.diagnostics.len();
        let value = self.expression();
        if self.failed(before) {
            return false;
        }
        let name = match &key.kind {
            ExprKind::Literal(value) if value.is_null() => Some("null".into()),
            _ => key.keyword().cloned(),
        };
        let key = match name {
            Some(name) => Expr::new(ExprKind::Literal(Value::string(name)), key.range),
            None => key,
        };
        items.push(Item { key, value });
        true
    }

    fn for_expression(&mut self, open: &Range, close_tok: Tok) -> Expr {
        self.read();
        match self.for_header(open) {
            Some((key_name, value_name, collection)) => {
                self.for_rest(open, close_tok, key_name, value_name, collection)
            }
            None => self.lost_for(open, close_tok),
        }
    }

    fn lost_for(&mut self, open: &Range, close_tok: Tok) -> Expr {
        let close = self.skip_past(close_tok);
        self.broken(open.to(&self.range(close)))
    }

    fn refuse_for(&mut self, detail: &str, open: &Range) {
        if !self.recovering {
            let range = self.range(self.peek());
            self.tell_in("Invalid 'for' expression", detail, &range, &open.to(&range));
        }
    }

    fn for_header(&mut self, open: &Range) -> Option<(Option<SmolStr>, SmolStr, Expr)> {
        let Some(first) = self.take(Tok::Name) else {
            self.refuse_for("For expression requires variable name after 'for'.", open);
            return None;
        };
        let mut key_name = None;
        let mut value_name: SmolStr = self.text(first).into();
        if self.take(Tok::Comma).is_some() {
            let Some(second) = self.take(Tok::Name) else {
                self.refuse_for("For expression requires value variable name after comma.", open);
                return None;
            };
            key_name = Some(value_name);
            value_name = self.text(second).into();
        }
        if !self.peek_word("in") {
            self.refuse_for("For expression requires the 'in' keyword after its name declarations.", open);
            return None;
        }
        self.read();
        let before = self.diagnostics.len();
        let collection = self.expression();
        if self.failed(before) {
            return None;
        }
        if self.take(Tok::Colon).is_none() {
            self.refuse_for("For expression requires a colon after the collection expression.", open);
            return None;
        }
        Some((key_name, value_name, collection))
    }

    fn for_rest(
        &mut self,
        open: &Range,
        close_tok: Tok,
        key_name: Option<SmolStr>,
        value_name: SmolStr,
        collection: Expr,
    ) -> Expr {
        let before = self.diagnostics.len();
        let mut value = self.expression();
        let mut key = None;
        if self.take(Tok::FatArrow).is_some() {
            key = Some(value);
            value = self.expression();
        }
        if self.failed(before) {
            return self.lost_for(open, close_tok);
        }
        let ellipsis = self.take(Tok::Ellipsis);
        let mut condition = None;
        if self.peek_word("if") {
            self.read();
            let before = self.diagnostics.len();
            condition = Some(self.expression());
            if self.failed(before) {
                return self.lost_for(open, close_tok);
            }
        }
        let close = match self.take(close_tok) {
            Some(close) => close,
            None => {
                self.refuse_for("Extra characters after the end of the 'for' expression.", open);
                self.skip_past(close_tok)
            }
        };
        let range = open.to(&self.range(close));
        let mut refuse =
            |detail: &str, subject: &Range| self.tell_in("Invalid 'for' expression", detail, subject, &range);
        if close_tok == Tok::CloseBrace {
            if key.is_none() {
                refuse("Key expression is required when building an object.", &value.range);
            }
        } else {
            if let Some(key) = key.take() {
                refuse("Key expression is not valid when building a tuple.", &key.range);
            }
            if let Some(ellipsis) = ellipsis {
                let subject = ellipsis.range(&range.file);
                refuse("Grouping ellipsis (...) cannot be used when building a tuple.", &subject);
            }
        }
        if close_tok == Tok::CloseBrace && key.is_none() {
            return self.broken(range);
        }
        let group = ellipsis.is_some();
        let open_range = open.clone();
        let it = For { key_name, value_name, collection, key, value, condition, group, open_range };
        Expr::new(ExprKind::For(Box::new(it)), range)
    }
}

/// A step on an expression: a variable's own, or on the value of anything else.
fn add_step(expr: Expr, step: Step) -> Expr {
    let range = expr.range.to(&step.range);
    match expr.kind {
        ExprKind::Variable(mut traversal) => {
            traversal.steps.push(step);
            Expr { kind: ExprKind::Variable(traversal), range, height: expr.height }
        }
        ExprKind::Relative(inner, mut steps) => {
            steps.push(step);
            Expr { kind: ExprKind::Relative(inner, steps), range, height: expr.height }
        }
        kind => {
            let inner = Expr { kind, range: expr.range, height: expr.height };
            Expr::new(ExprKind::Relative(Box::new(inner), vec![step]), range)
        }
    }
}
