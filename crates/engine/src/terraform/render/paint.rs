//! Colours and widths of what Terraform prints (upstream: mitchellh/colorstring, mitchellh/go-wordwrap).

use crate::terraform::hcl::wrap;

/// How to print: with colour escapes or without, how wide.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    pub colour: bool,
    /// 78 where the output is no terminal.
    pub width: usize,
}

const CODES: [(&str, &str); 9] = [
    ("reset", "\u{1b}[0m"),
    ("bold", "\u{1b}[1m"),
    ("underline", "\u{1b}[4m"),
    ("red", "\u{1b}[31m"),
    ("green", "\u{1b}[32m"),
    ("yellow", "\u{1b}[33m"),
    ("cyan", "\u{1b}[36m"),
    ("dark_gray", "\u{1b}[90m"),
    ("light_magenta", "\u{1b}[95m"),
];

impl Paint {
    /// A text with tags such as `[bold]`; where there was one, a reset ends it. `%` takes the arguments in turn, whose
    /// own brackets are left alone.
    pub fn tags(&self, text: &str, arguments: &[&str]) -> String {
        let mut out = String::with_capacity(text.len() + 16);
        let mut arguments = arguments.iter();
        let mut painted = false;
        let mut rest = text;
        while let Some(at) = rest.find(['[', '%']) {
            let (head, tail) = rest.split_at(at);
            out.push_str(head);
            if let Some(after) = tail.strip_prefix('%') {
                out.push_str(arguments.next().unwrap_or(&""));
                rest = after;
                continue;
            }
            let tag = CODES
                .iter()
                .find_map(|(name, code)| Some((code, tail.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(']')?)));
            match tag {
                Some((code, after)) => {
                    if self.colour {
                        out.push_str(code);
                    }
                    painted = true;
                    rest = after;
                }
                None => {
                    out.push('[');
                    rest = tail.strip_prefix('[').unwrap_or("");
                }
            }
        }
        out.push_str(rest);
        if painted && self.colour {
            out.push_str("\u{1b}[0m");
        }
        out
    }

    /// Paragraphs broken at spaces so that each line is shorter than the width; longer words stay whole, and lines
    /// that begin with a space stay as they are.
    pub fn wrap(&self, text: &str) -> String {
        let width = self.width.saturating_sub(1).max(1);
        let line = |line: &str| if line.starts_with(' ') { line.to_string() } else { wrap(line, width) };
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// The line between the parts of a plan.
    pub fn rule(&self) -> String {
        self.tags("[dark_gray]\n%", &[&"─".repeat(self.width.saturating_sub(1))]) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_end_with_a_reset_only_where_there_was_one() {
        let on = Paint { colour: true, width: 78 };
        assert_eq!(on.tags("  [green]+[reset] create", &[]), "  \u{1b}[32m+\u{1b}[0m create\u{1b}[0m");
        assert_eq!(on.tags("plain [x] %", &["[bold]"]), "plain [x] [bold]");
        let off = Paint { colour: false, width: 78 };
        assert_eq!(off.tags("[bold]Plan:[reset] %", &["1"]), "Plan: 1");
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("aa bb cc", 5), "aa bb\ncc");
        assert_eq!(wrap("aaaaaaaa b", 5), "aaaaaaaa\nb");
        assert_eq!(wrap("a\n\nb", 5), "a\n\nb");
    }
}
