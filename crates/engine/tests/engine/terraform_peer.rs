//! The parser against another one (hcl-edit) on made configurations: the same trees, and the same are refused.

use engine::base::Chance;
use engine::terraform::hcl::{self, Body, Expr, ExprKind};
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Body as PeerBody, Structure};

/// Writes configurations that are right.
struct Writer {
    chance: Chance,
    out: String,
}

const NAMES: [&str; 8] = ["a", "name", "for_each", "x-y", "_z", "port1", "type", "ééé"];

impl Writer {
    fn below(&mut self, limit: u64) -> u64 {
        self.chance.below("peer", limit)
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.below(NAMES.len() as u64) as usize]
    }

    fn body(&mut self, depth: u32) {
        let indent = "  ".repeat(depth as usize);
        for number in 0..1 + self.below(4) {
            self.out.push_str(&indent);
            match self.below(5) {
                0 if depth < 3 => {
                    let kind = self.name();
                    self.out.push_str(kind);
                    for _ in 0..self.below(3) {
                        let label = self.name();
                        self.out.push_str(&format!(" \"{label}\""));
                    }
                    self.out.push_str(" {\n");
                    self.body(depth + 1);
                    self.out.push_str(&format!("{indent}}}\n"));
                }
                1 => self.out.push_str("# a remark\n"),
                _ => {
                    let name = self.name();
                    self.out.push_str(&format!("{name}{number} = "));
                    if self.below(8) == 0 {
                        self.out.push_str("<<-EOT\n    one ${var.x}\n      two $${y}\n    EOT");
                    } else {
                        self.expression(3);
                    }
                    self.out.push('\n');
                }
            }
        }
    }

    fn list(&mut self, depth: u32, most: u64) {
        for index in 0..self.below(most) {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.expression(depth);
        }
    }

    fn expression(&mut self, depth: u32) {
        if depth == 0 {
            let leaf =
                ["1", "2.5", "true", "null", "\"text\"", "var.x", "local.a.b", "each.value", "1e3", "\"a\\n\\\"b\""];
            let at = self.below(leaf.len() as u64) as usize;
            self.out.push_str(leaf[at]);
            return;
        }
        let depth = depth - 1;
        match self.below(14) {
            0 => {
                self.out.push('[');
                self.list(depth, 4);
                self.out.push(']');
            }
            1 => {
                self.out.push_str("{\n");
                for number in 0..self.below(3) {
                    let name = self.name();
                    self.out.push_str(&format!("{name}{number} = "));
                    self.expression(depth);
                    self.out.push('\n');
                }
                self.out.push('}');
            }
            2 => {
                let ops = ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||"];
                self.expression(depth);
                let op = ops[self.below(ops.len() as u64) as usize];
                self.out.push_str(&format!(" {op} "));
                self.expression(depth);
            }
            3 => {
                self.out.push('(');
                self.expression(depth);
                self.out.push(')');
            }
            4 => {
                self.out.push_str("merge(");
                self.list(depth, 3);
                self.out.push(')');
            }
            5 => {
                self.out.push('(');
                self.expression(depth);
                self.out.push_str(" ? ");
                self.expression(depth);
                self.out.push_str(" : ");
                self.expression(depth);
                self.out.push(')');
            }
            6 => {
                self.out.push_str("[for v in ");
                self.expression(depth);
                self.out.push_str(" : v if true]");
            }
            7 => {
                self.out.push_str("{ for k, v in ");
                self.expression(depth);
                self.out.push_str(" : k => v... }");
            }
            8 => {
                self.out.push_str("\"pre-${");
                self.expression(depth.min(1));
                self.out.push_str("}-post %{ if true }y%{ else }n%{ endif }\"");
            }
            9 => self.out.push_str("var.list[*].name"),
            10 => self.out.push_str("data.t.n[0].out[\"k\"]"),
            11 => self.out.push_str("!var.on"),
            12 => self.out.push_str("upper(var.a)[0].b"),
            _ => self.expression(depth),
        }
    }
}

fn written(seed: u64) -> String {
    let mut writer = Writer { chance: Chance::new(seed), out: String::new() };
    writer.body(0);
    writer.out
}

/// A tree in a word a node, as both parsers see it.
fn ours(body: &Body, out: &mut String) {
    for attribute in &body.attributes {
        out.push_str(&format!("{}={} ", attribute.name, kind(&attribute.expression)));
    }
    for block in &body.blocks {
        out.push_str(&format!("{}{:?}{{", block.kind, block.labels.iter().map(|l| l.as_str()).collect::<Vec<_>>()));
        ours(&block.body, out);
        out.push('}');
    }
}

fn kind(expr: &Expr) -> &'static str {
    match &expr.kind {
        ExprKind::Literal(value) if value.is_null() => "null",
        ExprKind::Literal(value) if value.as_bool().is_some() => "bool",
        ExprKind::Literal(_) => "number",
        ExprKind::Template(_) | ExprKind::TemplateWrap(_) => "text",
        ExprKind::Tuple(_) => "array",
        ExprKind::Object(_) => "object",
        ExprKind::For(_) => "for",
        ExprKind::Call(_) => "call",
        ExprKind::Parentheses(_) => "parentheses",
        ExprKind::Conditional(_) => "conditional",
        ExprKind::Unary(..) => "unary",
        ExprKind::Binary(..) => "binary",
        ExprKind::Variable(variable) if variable.steps.is_empty() => "variable",
        _ => "traversal",
    }
}

fn peers(body: &PeerBody, out: &mut String) {
    for attribute in body.iter().filter_map(Structure::as_attribute) {
        let kind = match &attribute.value {
            Expression::Null(_) => "null",
            Expression::Bool(_) => "bool",
            Expression::Number(_) => "number",
            Expression::String(_) | Expression::StringTemplate(_) | Expression::HeredocTemplate(_) => "text",
            Expression::Array(_) => "array",
            Expression::Object(_) => "object",
            Expression::ForExpr(_) => "for",
            Expression::FuncCall(_) => "call",
            Expression::Parenthesis(_) => "parentheses",
            Expression::Conditional(_) => "conditional",
            Expression::UnaryOp(_) => "unary",
            Expression::BinaryOp(_) => "binary",
            Expression::Variable(_) => "variable",
            Expression::Traversal(_) => "traversal",
        };
        out.push_str(&format!("{}={kind} ", attribute.key.as_str()));
    }
    for block in body.iter().filter_map(Structure::as_block) {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.as_str()).collect();
        out.push_str(&format!("{}{labels:?}{{", block.ident.as_str()));
        peers(&block.body, out);
        out.push('}');
    }
}

#[test]
fn another_parser_sees_the_same_tree() {
    for seed in 0..400 {
        let text = written(seed);
        let (body, found) = hcl::parse("main.tf", &text);
        assert!(found.is_empty(), "{text}\n{found:?}");
        let peer: PeerBody = text.parse().unwrap_or_else(|error| panic!("{text}\n{error}"));
        let (mut a, mut b) = (String::new(), String::new());
        ours(&body, &mut a);
        peers(&peer, &mut b);
        assert_eq!(a, b, "{text}");
        // What fmt makes of it is the same configuration, and is left alone the second time.
        let formatted = hcl::format("main.tf", &text).unwrap();
        let mut c = String::new();
        ours(&hcl::parse("main.tf", &formatted).0, &mut c);
        assert_eq!(a, c, "{text}\n{formatted}");
        assert_eq!(hcl::format("main.tf", &formatted).unwrap(), formatted);
    }
}

#[test]
fn another_parser_refuses_the_same() {
    let mut refused = 0;
    for seed in 0..400 {
        let mut text = written(seed);
        let mut chance = Chance::new(seed);
        let marks: Vec<usize> = text.char_indices().filter(|(_, c)| "{}[]()=".contains(*c)).map(|(at, _)| at).collect();
        let Some(at) = marks.get(chance.below("break", marks.len().max(1) as u64) as usize) else { continue };
        text.remove(*at);
        let (_, found) = hcl::parse("main.tf", &text);
        let peer = text.parse::<PeerBody>();
        assert_eq!(hcl::has_errors(&found), peer.is_err(), "{text}\n{found:?}\n{:?}", peer.err());
        refused += usize::from(hcl::has_errors(&found));
    }
    assert!(refused > 200, "{refused}");
}
