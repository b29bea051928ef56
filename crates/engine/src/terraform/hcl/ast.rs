//! The tree of a configuration file: bodies of arguments and blocks, and expressions, all with their places.

use crate::base::{SmolStr, format_smolstr};
use crate::terraform::value::Value;

/// A place in a file: byte offset, and line and column (in characters) from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pos {
    pub line: u32,
    pub column: u32,
    pub byte: usize,
}

impl Pos {
    pub const START: Pos = Pos { line: 1, column: 1, byte: 0 };
}

/// A stretch of one file; the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub file: SmolStr,
    pub start: Pos,
    pub end: Pos,
}

impl Range {
    /// From the start of one to the end of another.
    pub fn to(&self, end: &Range) -> Range {
        Range { file: self.file.clone(), start: self.start, end: end.end.max(self.start) }
    }

    /// The very start of a file.
    pub fn at_start(file: &str) -> Range {
        Range { file: file.into(), start: Pos::START, end: Pos::START }
    }

    /// No place at all.
    pub fn nowhere() -> Range {
        let nowhere = Pos { line: 0, column: 0, byte: 0 };
        Range { file: "".into(), start: nowhere, end: nowhere }
    }

    /// Its first sign alone.
    pub fn first_sign(&self) -> Range {
        let mut sign = self.head();
        (sign.end.column, sign.end.byte) = (sign.end.column + 1, sign.end.byte + 1);
        sign
    }

    /// The empty range at its start.
    pub fn head(&self) -> Range {
        Range { file: self.file.clone(), start: self.start, end: self.start }
    }

    /// The empty range at its end.
    pub fn tail(&self) -> Range {
        Range { file: self.file.clone(), start: self.end, end: self.end }
    }

    /// `main.tf:2,3-8`, or `main.tf:2,3-4,1` over several lines.
    pub fn text(&self) -> SmolStr {
        let Range { file, start, end } = self;
        if start.line == end.line {
            format_smolstr!("{file}:{},{}-{}", start.line, start.column, end.column)
        } else {
            format_smolstr!("{file}:{},{}-{},{}", start.line, start.column, end.line, end.column)
        }
    }
}

/// What stands between braces, or in a whole file.
#[derive(Clone, Debug)]
pub struct Body {
    /// In the order of the file; each name once.
    pub attributes: Vec<Attribute>,
    pub blocks: Vec<Block>,
    pub range: Range,
    /// The empty range after its last byte: where a missing argument is reported.
    pub end: Range,
}

impl Body {
    /// Its opening brace: where a schema's missing arguments and a provider's complaints are shown.
    pub fn missing_range(&self) -> Range {
        let start = self.range.start;
        let end = Pos { column: start.column + 1, byte: start.byte + 1, ..start };
        Range { end, ..self.range.clone() }
    }

    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub fn blocks_of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Block> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: SmolStr,
    pub expression: Expr,
    pub name_range: Range,
    pub equals_range: Range,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub kind: SmolStr,
    pub labels: Vec<SmolStr>,
    pub body: Body,
    pub kind_range: Range,
    pub label_ranges: Vec<Range>,
    pub open_range: Range,
    pub close_range: Range,
}

impl Block {
    /// The block's keyword and labels: what an error about the whole block points at.
    pub fn header_range(&self) -> Range {
        self.kind_range.to(self.label_ranges.last().unwrap_or(&self.kind_range))
    }
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub range: Range,
    /// How deep the tree is; the parser keeps it under a limit, so that whoever walks it may recurse.
    pub height: u16,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, bool, null, or literal text.
    Literal(Value),
    /// Parts of a quoted or heredoc template, put together as a string.
    Template(Vec<Expr>),
    /// `"${x}"`: the inner value as it is.
    TemplateWrap(Box<Expr>),
    /// `%{for}` in a template: the elements of the tuple put together.
    TemplateJoin(Box<Expr>),
    Variable(Traversal),
    /// Steps on the value of an expression that is no variable.
    Relative(Box<Expr>, Vec<Step>),
    Call(Box<Call>),
    Conditional(Box<Conditional>),
    Index(Box<Index>),
    Tuple(Vec<Expr>),
    Object(Vec<Item>),
    For(Box<For>),
    Splat(Box<Splat>),
    /// The element at hand inside the steps of a splat.
    Anonymous,
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<(Expr, Expr)>),
    Parentheses(Box<Expr>),
    /// Where an expression could not be read: of unknown value.
    Broken,
}

/// A name and steps that need no evaluation: `var.x.y[0]`.
#[derive(Clone, Debug)]
pub struct Traversal {
    pub root: SmolStr,
    pub root_range: Range,
    pub steps: Vec<Step>,
}

impl Traversal {
    pub fn range(&self) -> Range {
        self.root_range.to(self.steps.last().map_or(&self.root_range, |step| &step.range))
    }

    /// The root and so many steps.
    pub fn range_of(&self, steps: usize) -> Range {
        let last = steps.min(self.steps.len()).checked_sub(1).and_then(|last| self.steps.get(last));
        self.root_range.to(last.map_or(&self.root_range, |step| &step.range))
    }

    /// The attribute names right after the root: `["x", "y"]` of `var.x.y[0]`.
    pub fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.steps.iter().map_while(|step| match &step.kind {
            StepKind::Attribute(name) => Some(name),
            StepKind::Index(_) => None,
        })
    }
}

#[derive(Clone, Debug)]
pub struct Step {
    pub kind: StepKind,
    /// With its dot or brackets.
    pub range: Range,
}

#[derive(Clone, Debug)]
pub enum StepKind {
    Attribute(SmolStr),
    Index(Value),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub name: SmolStr,
    pub name_range: Range,
    pub arguments: Vec<Expr>,
    /// The last argument is expanded: `f(list...)`.
    pub expand: bool,
    pub open_range: Range,
    pub close_range: Range,
}

#[derive(Clone, Debug)]
pub struct Conditional {
    pub condition: Expr,
    pub yes: Expr,
    pub no: Expr,
}

#[derive(Clone, Debug)]
pub struct Index {
    pub collection: Expr,
    pub key: Expr,
    pub bracket_range: Range,
}

/// One `key = value` of an object. A key that is a bare name is a literal text.
#[derive(Clone, Debug)]
pub struct Item {
    pub key: Expr,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct For {
    pub key_name: Option<SmolStr>,
    pub value_name: SmolStr,
    pub collection: Expr,
    /// Makes an object rather than a tuple.
    pub key: Option<Expr>,
    pub value: Expr,
    pub condition: Option<Expr>,
    /// `...`: values of one key in a tuple.
    pub group: bool,
    pub open_range: Range,
}

#[derive(Clone, Debug)]
pub struct Splat {
    pub source: Expr,
    /// Starts from `Anonymous`.
    pub each: Expr,
    pub marker_range: Range,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Negate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Expr {
    pub fn new(kind: ExprKind, range: Range) -> Expr {
        let mut expr = Expr { kind, range, height: 1 };
        let mut height = 0;
        expr.for_each_child(&mut |child| height = child.height.max(height));
        expr.height = height.saturating_add(1);
        expr
    }

    /// Where its first part stands: what errors about the whole underline.
    pub fn start_range(&self) -> Range {
        match &self.kind {
            ExprKind::Call(call) => call.name_range.to(&call.open_range),
            ExprKind::Tuple(_) | ExprKind::Object(_) | ExprKind::Unary(..) => self.range.first_sign(),
            ExprKind::For(each) => each.open_range.clone(),
            ExprKind::Index(index) => index.bracket_range.first_sign(),
            ExprKind::Conditional(all) => all.condition.start_range(),
            ExprKind::Binary(_, sides) => sides.0.start_range(),
            ExprKind::Splat(splat) => splat.marker_range.clone(),
            ExprKind::Template(parts) => parts.first().map_or_else(|| self.range.clone(), Expr::start_range),
            _ => self.range.clone(),
        }
    }

    /// The expression as a bare name: keywords of the language such as `string` or `all`.
    pub fn keyword(&self) -> Option<&SmolStr> {
        match &self.kind {
            ExprKind::Variable(traversal) if traversal.steps.is_empty() => Some(&traversal.root),
            _ => None,
        }
    }

    /// The expression as steps from a name: `depends_on`, `ignore_changes`, `provider` and their like.
    pub fn traversal(&self) -> Option<&Traversal> {
        match &self.kind {
            ExprKind::Variable(traversal) => Some(traversal),
            _ => None,
        }
    }

    /// The text of a quoted string without interpolation.
    pub fn literal_str(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Literal(value) => value.as_str(),
            ExprKind::Template(parts) => match parts.as_slice() {
                [] => Some(""),
                [part] => part.literal_str(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The expressions right below it, in order.
    pub fn for_each_child<'a>(&'a self, see: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Anonymous | ExprKind::Broken => {}
            ExprKind::Template(parts) | ExprKind::Tuple(parts) => parts.iter().for_each(see),
            ExprKind::TemplateWrap(inner)
            | ExprKind::TemplateJoin(inner)
            | ExprKind::Relative(inner, _)
            | ExprKind::Unary(_, inner)
            | ExprKind::Parentheses(inner) => see(inner),
            ExprKind::Call(call) => call.arguments.iter().for_each(see),
            ExprKind::Conditional(c) => [&c.condition, &c.yes, &c.no].into_iter().for_each(see),
            ExprKind::Index(index) => [&index.collection, &index.key].into_iter().for_each(see),
            ExprKind::Object(items) => items.iter().flat_map(|item| [&item.key, &item.value]).for_each(see),
            ExprKind::For(f) => {
                [&f.collection].into_iter().chain(&f.key).chain([&f.value]).chain(&f.condition).for_each(see);
            }
            ExprKind::Splat(splat) => [&splat.source, &splat.each].into_iter().for_each(see),
            ExprKind::Binary(_, sides) => [&sides.0, &sides.1].into_iter().for_each(see),
        }
    }

    /// Every reference in it, in order, without the names that `for` binds.
    pub fn references(&self) -> Vec<&Traversal> {
        let mut found = Vec::new();
        collect_references(self, &mut Vec::new(), &mut found);
        found
    }
}

fn collect_references<'a>(expr: &'a Expr, bound: &mut Vec<&'a str>, found: &mut Vec<&'a Traversal>) {
    match &expr.kind {
        ExprKind::Variable(traversal) => {
            if !bound.contains(&traversal.root.as_str()) {
                found.push(traversal);
            }
        }
        // The type that `convert` is given is no value.
        ExprKind::Call(call) if call.name == "convert" => {
            call.arguments.iter().take(1).for_each(|argument| collect_references(argument, bound, found));
        }
        ExprKind::For(f) => {
            collect_references(&f.collection, bound, found);
            let depth = bound.len();
            bound.extend(f.key_name.as_deref());
            bound.push(&f.value_name);
            for inner in f.key.iter().chain([&f.value]).chain(&f.condition) {
                collect_references(inner, bound, found);
            }
            bound.truncate(depth);
        }
        _ => expr.for_each_child(&mut |child| collect_references(child, bound, found)),
    }
}
