//! Literal text inside templates: escapes resolved.

use super::ast::Range;
use super::diagnostic::Diagnostic;
use crate::base::goquote;

/// The text that a piece of literal stands for. In quotes a backslash escapes; everywhere `$${` and `%%{` do.
pub fn unescape(text: &str, quoted: bool, range: &Range, diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("$${") || rest.starts_with("%%{") {
            out.push(c);
            out.push('{');
            rest = rest.get(3..).unwrap_or("");
            continue;
        }
        if c != '\\' || !quoted {
            out.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or("");
            continue;
        }
        let (length, problem) = escape(rest, &mut out);
        if let Some(detail) = problem {
            let before = text.len() - rest.len();
            diagnostics.push(Diagnostic::error("Invalid escape sequence", detail, &part(text, range, before, length)));
        }
        rest = rest.get(length..).unwrap_or("");
    }
    out
}

/// One escape at the start of the text: how long it is, and what is wrong with it.
fn escape(text: &str, out: &mut String) -> (usize, Option<String>) {
    let Some(selector) = text.chars().nth(1) else {
        out.push('\\');
        return (1, Some("Backslash must be followed by an escape sequence selector character.".into()));
    };
    let length = 1 + selector.len_utf8();
    let plain = match selector {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '"' => '"',
        '\\' => '\\',
        'u' | 'U' => return unicode(text, selector, out),
        other => {
            out.push(other);
            let quoted = goquote::quote(&other.to_string());
            return (length, Some(format!("The symbol {quoted} is not a valid escape sequence selector.")));
        }
    };
    out.push(plain);
    (length, None)
}

fn unicode(text: &str, selector: char, out: &mut String) -> (usize, Option<String>) {
    let wanted = if selector == 'u' { 4 } else { 8 };
    let digits: String = text.chars().skip(2).take(wanted).take_while(char::is_ascii_hexdigit).collect();
    let length = 2 + digits.len();
    let number = u32::from_str_radix(&digits, 16).unwrap_or(0);
    let problem = if digits.len() < wanted {
        let count = if wanted == 4 { "four" } else { "eight" };
        format!("The \\{selector} escape sequence must be followed by {count} hexadecimal digits.")
    } else if let Some(c) = char::from_u32(number) {
        out.push(c);
        return (length, None);
    } else {
        format!("Cannot encode character U+{number:04x} in UTF-8.")
    };
    out.push_str(text.get(..length).unwrap_or(""));
    (length, Some(problem))
}

/// A part of one line of literal text.
fn part(text: &str, range: &Range, before: usize, length: usize) -> Range {
    let columns = |text: Option<&str>| text.map_or(0, |text| text.chars().count() as u32);
    let mut part = range.clone();
    part.start.column += columns(text.get(..before));
    part.start.byte += before;
    part.end = part.start;
    part.end.column += columns(text.get(before..before + length));
    part.end.byte += length;
    part
}
