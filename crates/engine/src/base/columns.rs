//! Go's text/tabwriter: cells end with a tab, and neighbouring lines share a column while they have a cell in it.
//!
//! kubectl's tables and its describe texts are both laid out this way. Widths count characters, not cells of a
//! terminal, as Go does. Left out: escapes, HTML, right alignment.

use super::Value;

#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub min_width: usize,
    pub tab_width: usize,
    pub padding: usize,
    pub pad: char,
}

/// `kubectl get`.
pub const TABLE: Layout = Layout { min_width: 6, tab_width: 4, padding: 3, pad: ' ' };
/// `kubectl describe`.
pub const DESCRIBE: Layout = Layout { min_width: 0, tab_width: 8, padding: 2, pad: ' ' };

/// Lays out a text with tabs and newlines.
pub fn align(text: &str, layout: Layout) -> String {
    lay_out(text, layout, None)
}

/// As [`align`]; a column never gets narrower than it was before. `widths` starts empty.
pub fn align_remembering(text: &str, layout: Layout, widths: &mut Vec<usize>) -> String {
    lay_out(text, layout, Some(widths))
}

fn lay_out(text: &str, layout: Layout, remembered: Option<&mut Vec<usize>>) -> String {
    let lines: Vec<Vec<&str>> = text.split('\n').map(|line| line.split('\t').collect()).collect();
    let mut writer = Writer { layout, lines: &lines, widths: Vec::new(), remembered, out: String::new() };
    writer.format(0, lines.len());
    writer.out
}

/// Rows of cells, the first may be the header; ends with a newline unless there are no rows.
pub fn table(rows: &[Vec<String>], widths: &mut Vec<usize>) -> String {
    let text: String = rows.iter().map(|row| row.join("\t") + "\n").collect();
    align_remembering(&text, TABLE, widths)
}

/// A table cell as kubectl prints it: up to the first line break, and nothing that moves the terminal's cursor.
pub fn cell(value: &Value) -> String {
    let Value::Text(text) = value else {
        return if value.is_null() { String::new() } else { super::goquote::plain(value) };
    };
    match text.find(['\n', '\r', '\u{c}']) {
        Some(end) => escape_terminal(text.get(..end).unwrap_or_default()) + "...",
        None => escape_terminal(text),
    }
}

pub fn escape_terminal(text: &str) -> String {
    text.replace('\u{1b}', "^[").replace('\r', "\\r")
}

struct Writer<'a> {
    layout: Layout,
    lines: &'a [Vec<&'a str>],
    /// Of the columns that the lines at hand share.
    widths: Vec<usize>,
    remembered: Option<&'a mut Vec<usize>>,
    out: String,
}

/// Columns beyond this many stay unaligned; no real text has as many.
const MOST_COLUMNS: usize = 500;

impl Writer<'_> {
    fn format(&mut self, mut from: usize, to: usize) {
        let column = self.widths.len();
        let mut at = from;
        while at < to && column < MOST_COLUMNS {
            if !self.has_cell(at, column) {
                at += 1;
                continue;
            }
            self.write_lines(from, at);
            from = at;
            let mut width = self.layout.min_width;
            while at < to && self.has_cell(at, column) {
                width = width.max(self.cell_width(at, column) + self.layout.padding);
                at += 1;
            }
            if let Some(remembered) = &mut self.remembered {
                match remembered.get_mut(column) {
                    Some(before) => {
                        width = width.max(*before);
                        *before = width;
                    }
                    None => remembered.push(width),
                }
            }
            self.widths.push(width);
            self.format(from, at);
            self.widths.pop();
            from = at;
        }
        self.write_lines(from, to);
    }

    /// The last cell of a line belongs to no column.
    fn has_cell(&self, line: usize, column: usize) -> bool {
        self.lines.get(line).is_some_and(|cells| column + 1 < cells.len())
    }

    fn cell_width(&self, line: usize, column: usize) -> usize {
        self.lines.get(line).and_then(|cells| cells.get(column)).map_or(0, |cell| cell.chars().count())
    }

    fn write_lines(&mut self, from: usize, to: usize) {
        for index in from..to {
            let cells = self.lines.get(index).map_or(&[][..], Vec::as_slice);
            for (column, cell) in cells.iter().enumerate() {
                self.out.push_str(cell);
                if let Some(width) = self.widths.get(column) {
                    self.pad(cell.chars().count(), *width);
                }
            }
            if index + 1 < self.lines.len() {
                self.out.push('\n');
            }
        }
    }

    fn pad(&mut self, text: usize, width: usize) {
        let Layout { tab_width, pad, .. } = self.layout;
        if pad != '\t' {
            self.out.extend(std::iter::repeat_n(pad, width.saturating_sub(text)));
        } else if tab_width > 0 {
            let missing = width.next_multiple_of(tab_width).saturating_sub(text);
            self.out.extend(std::iter::repeat_n('\t', missing.div_ceil(tab_width)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubectl_tables() {
        let row = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
        let mut widths = Vec::new();
        let got = table(&[row(&["NAME", "READY", "AGE"]), row(&["web-ééé", "1/1", "5s"])], &mut widths);
        assert_eq!(got, "NAME      READY   AGE\nweb-ééé   1/1     5s\n");
        assert_eq!(table(&[row(&["a", "1/1", "5s"])], &mut widths), "a         1/1     5s\n");
        assert_eq!(cell(&Value::text("a\nb")), "a...");
    }

    #[test]
    fn blocks_end_where_a_line_has_no_cell() {
        let text = "Name:\tweb\nLabels:\tapp=web\n\tx=y\nContainers:\n  c:\n    I:\tnginx\n    P:\t80/TCP\nEnd";
        let want =
            "Name:    web\nLabels:  app=web\n         x=y\nContainers:\n  c:\n    I:  nginx\n    P:  80/TCP\nEnd";
        assert_eq!(align(text, DESCRIBE), want);
    }
}
