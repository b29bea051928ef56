//! `terraform fmt`: only blanks change, but for a few old forms (`"${x}"`, `type = "string"`) that become new ones.
//! It works on lines of tokens: indentation by brackets, blanks by neighbours, then equals signs and comments of
//! neighbouring lines under each other.

use super::ast::{Attribute, Block, Body, Range};
use super::lexer::{self, Tok, Token};
use super::parser::Parser;
use super::{Diagnostic, diagnostics, has_errors};
use crate::base::{SmolStr, order};

#[derive(Clone)]
struct Piece {
    tok: Tok,
    text: String,
    blanks: usize,
}

impl Piece {
    fn new(tok: Tok, text: &str) -> Piece {
        Piece { tok, text: text.to_owned(), blanks: 0 }
    }

    fn ends_line(&self) -> bool {
        self.tok == Tok::Newline || self.tok == Tok::Comment && self.text.ends_with('\n')
    }

    fn opens(&self) -> i32 {
        match self.tok {
            Tok::OpenBrace | Tok::OpenBracket | Tok::OpenParen | Tok::Control | Tok::Interpolation => 1,
            Tok::CloseBrace | Tok::CloseBracket | Tok::CloseParen | Tok::TemplateEnd => -1,
            _ => 0,
        }
    }
}

/// One line: what stands before an equals sign, from it on, and a comment at the end.
#[derive(Default)]
struct Line {
    lead: Vec<Piece>,
    assign: Vec<Piece>,
    comment: Vec<Piece>,
}

/// The formatted text, or what is wrong with it.
pub fn format(file: &str, source: &str) -> Result<String, Vec<Diagnostic>> {
    let tokens = lexer::scan(source);
    let mut parser = Parser::new(file, source, &tokens);
    let body = parser.body(Tok::Eof);
    let found = diagnostics(parser.diagnostics, &tokens, source, file);
    if has_errors(&found) {
        return Err(found);
    }
    let mut pieces: Vec<Piece> = Vec::with_capacity(tokens.len());
    let mut renewed = Vec::new();
    renew(&body, "", 0, source, &tokens, &mut renewed);
    let mut edits = order::sorted(renewed, &|a: &Edit, b| a.from.cmp(&b.from)).into_iter().peekable();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(edit) = edits.next_if(|edit| edit.from == at) {
            at = edit.to.max(at + 1);
            pieces.extend(edit.with);
            continue;
        }
        if token.tok != Tok::Eof {
            pieces.push(Piece::new(token.tok, token.text(source)));
        }
        at += 1;
    }
    let mut lines = lines_of(pieces);
    indent(&mut lines);
    lines.iter_mut().for_each(space);
    align(&mut lines, |line| !line.assign.is_empty(), |line| columns(&line.lead), |line| line.assign.first_mut());
    align(
        &mut lines,
        |line| !line.comment.is_empty(),
        |line| columns(&line.lead) + columns(&line.assign),
        |line| line.comment.first_mut(),
    );
    let mut out = String::with_capacity(source.len() + source.len() / 8);
    if source.starts_with('\u{feff}') {
        out.push('\u{feff}');
    }
    for piece in lines.iter().flat_map(|line| line.lead.iter().chain(&line.assign).chain(&line.comment)) {
        out.extend(std::iter::repeat_n(' ', piece.blanks));
        out.push_str(&piece.text);
    }
    // Blanks behind everything belong to no line.
    out.push_str(source.get(source.trim_end_matches([' ', '\t']).len()..).unwrap_or_default());
    Ok(out)
}

/// Tokens that give way to others.
struct Edit {
    from: usize,
    to: usize,
    with: Vec<Piece>,
}

fn renew(body: &Body, kind: &str, depth: usize, source: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    for attribute in &body.attributes {
        let is_type = depth == 1 && kind == "variable" && attribute.name == "type";
        edits.extend(renewed(attribute, is_type, source, tokens));
    }
    for block in &body.blocks {
        if let Some(edit) = labels(block, tokens) {
            edits.push(edit);
        }
        renew(&block.body, &block.kind, depth + 1, source, tokens, edits);
    }
}

/// Labels in quotes, without comments between them.
fn labels(block: &Block, tokens: &[Token]) -> Option<Edit> {
    let from = tokens.partition_point(|token| token.start.byte < block.kind_range.end.byte);
    let to = tokens.partition_point(|token| token.start.byte < block.open_range.start.byte);
    if block.labels.is_empty() || from >= to {
        return None;
    }
    let quoted = |label: &SmolStr| {
        let mut text = String::new();
        for c in label.chars() {
            match c {
                '"' => text.push_str("\\\""),
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                '\t' => text.push_str("\\t"),
                c => text.push(c),
            }
        }
        let text = text.replace("${", "$${").replace("%{", "%%{");
        [Piece::new(Tok::OpenQuote, "\""), Piece::new(Tok::QuotedText, &text), Piece::new(Tok::CloseQuote, "\"")]
    };
    // Upstream loses a label that its lexer reads in several pieces (`"a$"`); so do we.
    let whole = |range: &Range| {
        let piece = |token: &&Token| token.tok == Tok::QuotedText && token.start.byte >= range.start.byte;
        tokens.get(from..to).unwrap_or_default().iter().filter(piece).filter(|t| t.end.byte <= range.end.byte).count()
            < 2
    };
    let kept = block.labels.iter().zip(&block.label_ranges).filter(|(_, range)| whole(range));
    Some(Edit { from, to, with: kept.flat_map(|(label, _)| quoted(label)).collect() })
}

fn renewed(attribute: &Attribute, is_type: bool, source: &str, tokens: &[Token]) -> Option<Edit> {
    let range = &attribute.expression.range;
    let from = tokens.partition_point(|token| token.start.byte < range.start.byte);
    let to = tokens.partition_point(|token| token.end.byte <= range.end.byte);
    let inside = tokens.get(from..to)?;
    let text = |token: &Token| token.text(source);
    if is_type {
        let word = |name: &str| Piece::new(Tok::Name, name);
        let of = |name: &str, element: &str| {
            vec![word(name), Piece::new(Tok::OpenParen, "("), word(element), Piece::new(Tok::CloseParen, ")")]
        };
        let with = match inside {
            [name] if matches!(text(name), "list" | "map" | "set") => of(text(name), "any"),
            [open, name, _] if open.tok == Tok::OpenQuote => match text(name) {
                "string" => vec![word("string")],
                "list" => of("list", "string"),
                "map" => of("map", "string"),
                _ => return None,
            },
            _ => return None,
        };
        return Some(Edit { from, to, with });
    }
    let [open, start, inner @ .., end, close] = inside else { return None };
    let wrapped = open.tok == Tok::OpenQuote
        && start.tok == Tok::Interpolation
        && end.tok == Tok::TemplateEnd
        && close.tok == Tok::CloseQuote;
    if !wrapped || inner.is_empty() {
        return None;
    }
    let mut quotes = 0;
    for token in inner {
        match token.tok {
            Tok::OpenQuote => quotes += 1,
            Tok::CloseQuote => quotes -= 1,
            Tok::Interpolation | Tok::TemplateEnd | Tok::QuotedText if quotes <= 0 => return None,
            _ => {}
        }
    }
    let newline = |token: &&Token| token.tok == Tok::Newline;
    let first = inner.iter().take_while(newline).count();
    let last = inner.len() - inner.iter().rev().take_while(newline).count();
    let inner = inner.get(first..last)?;
    let mut with: Vec<Piece> = inner.iter().map(|token| Piece::new(token.tok, text(token))).collect();
    let in_parens = with.first().is_some_and(|piece| piece.tok == Tok::OpenParen)
        && with.last().is_some_and(|piece| piece.tok == Tok::CloseParen);
    if with.iter().any(|piece| piece.tok == Tok::Newline) && !in_parens {
        with.insert(0, Piece::new(Tok::OpenParen, "("));
        with.push(Piece::new(Tok::CloseParen, ")"));
    }
    Some(Edit { from, to, with })
}

fn lines_of(pieces: Vec<Piece>) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    for piece in pieces {
        let ends = piece.ends_line();
        if let Some(line) = lines.last_mut() {
            line.lead.push(piece);
        }
        if ends {
            lines.push(Line::default());
        }
    }
    for line in &mut lines {
        if line.lead.len() > 1 && line.lead.last().is_some_and(|last| last.tok == Tok::Comment) {
            line.comment.extend(line.lead.pop());
        }
        let equals = line.lead.iter().skip(1).position(|piece| piece.tok == Tok::Equal).map(|at| at + 1);
        if let Some(at) = equals
            && line.lead.iter().skip(at).map(Piece::opens).sum::<i32>() == 0
        {
            line.assign = line.lead.split_off(at);
        }
    }
    lines
}

/// A line that opens more than it closes indents the next ones once; as much closing takes it back.
fn indent(lines: &mut [Line]) {
    let mut levels: Vec<i32> = Vec::new();
    for line in lines {
        let mut net = 0;
        for piece in &line.lead {
            net += piece.opens();
            if piece.tok == Tok::OpenHeredoc {
                break;
            }
        }
        net += line.assign.iter().map(Piece::opens).sum::<i32>();
        let Some(first) = line.lead.first_mut() else { continue };
        if first.tok == Tok::Newline {
            first.blanks = 0;
            continue;
        }
        let mut closed = -net;
        while closed > 0 {
            let Some(level) = levels.last_mut() else { break };
            let taken = closed.min(*level);
            closed -= taken;
            *level -= taken;
            if *level == 0 {
                levels.pop();
            }
        }
        first.blanks = 2 * levels.len();
        if net > 0 {
            levels.push(net);
        }
    }
}

fn space(line: &mut Line) {
    if let Some(equals) = line.assign.first_mut() {
        equals.blanks = 1;
    }
    for cell in [&mut line.lead, &mut line.assign] {
        for at in 1..cell.len() {
            let tok = |at: Option<usize>| at.and_then(|at| cell.get(at)).map(|piece| piece.tok);
            let (before, subject, after) = (tok(at.checked_sub(2)), tok(Some(at - 1)), tok(Some(at)));
            let is_in = cell.get(at - 1).is_some_and(|piece| piece.text == "in");
            let (Some(subject), Some(after)) = (subject, after) else { continue };
            let blanks = usize::from(blank_between(before, subject, after, is_in));
            if let Some(piece) = cell.get_mut(at) {
                piece.blanks = blanks;
            }
        }
    }
}

fn blank_between(before: Option<Tok>, subject: Tok, after: Tok, is_in: bool) -> bool {
    use Tok::*;
    let opens = |tok: Tok| matches!(tok, OpenBrace | OpenBracket | OpenParen | Control | Interpolation);
    let closes = |tok: Tok| matches!(tok, CloseBrace | CloseBracket | CloseParen | TemplateEnd);
    match (subject, after) {
        (_, Newline) => false,
        (Name, OpenParen) | (Name, DoubleColon) | (DoubleColon, Name) => false,
        (Dot, _) | (_, Dot) | (_, Comma | Ellipsis) => false,
        (Comma, _) => true,
        (QuotedText | PlainText | OpenQuote | OpenHeredoc, _) => false,
        (_, QuotedText | PlainText | CloseQuote | CloseHeredoc) => false,
        // `for x in [1]` is no index.
        (Name, _) if is_in && before == Some(Name) => true,
        (_, OpenBracket) if matches!(subject, Name | Number) || closes(subject) => false,
        (Bang, _) => false,
        // A minus behind what cannot end an expression is a sign.
        (Minus, _) => !matches!(
            before,
            None | Some(
                OpenParen
                    | OpenBrace
                    | OpenBracket
                    | Equal
                    | Colon
                    | Comma
                    | Question
                    | Plus
                    | Star
                    | Slash
                    | Percent
                    | Minus
                    | EqualEqual
                    | NotEqual
                    | Greater
                    | GreaterOrEqual
                    | Less
                    | LessOrEqual
                    | And
                    | Or
                    | Bang
            )
        ),
        (OpenBrace, CloseBrace) => false,
        (OpenBrace, _) | (_, CloseBrace) => true,
        (Interpolation | Control, OpenBrace) | (CloseBrace, TemplateEnd) => true,
        (TemplateEnd, Interpolation | Control) => false,
        _ => !opens(subject) && !closes(after),
    }
}

fn columns(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.blanks + piece.text.chars().count()).sum()
}

/// Puts cells of neighbouring lines under each other.
fn align(
    lines: &mut [Line],
    has: fn(&Line) -> bool,
    width: fn(&Line) -> usize,
    cell: fn(&mut Line) -> Option<&mut Piece>,
) {
    for chain in lines.chunk_by_mut(|a, b| has(a) && has(b)) {
        if !chain.iter().all(has) {
            continue;
        }
        let widest = chain.iter().map(width).max().unwrap_or(0);
        for line in chain {
            let own = width(line);
            if let Some(first) = cell(line) {
                first.blanks = widest - own + 1;
            }
        }
    }
}
