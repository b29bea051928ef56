//! What the terminal shows: one block for each command, its output as pieces of text with a colour. Lines are written
//! over where a program goes back to them (progress). Escape sequences other than those, colours and "clear the screen"
//! are dropped; lines above the limit, too.

use std::rc::Rc;

use engine::base::Time;

const MOST_LINES: usize = 2_000;
const MOST_BLOCKS: usize = 200;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    pub id: u64,
    /// The prompt and the line entered at it; nothing for output between commands.
    pub entered: Option<(String, String)>,
    pub pieces: Vec<Piece>,
    pub lines: usize,
    /// When it was entered.
    pub at: Time,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Classes of the piece; "" is plain.
    pub class: &'static str,
    pub text: String,
}

#[derive(Clone, Debug, Default)]
pub struct Screen {
    pub blocks: Vec<Rc<Block>>,
    pub was_cut: bool,
    next: u64,
    /// The start of a character or an escape sequence that the next bytes end.
    rest: Vec<u8>,
    class: &'static str,
    /// The block that is written to; the last one when there is none.
    aim: Option<u64>,
    /// How many lines above the last one the cursor stands, and whether at the beginning of one.
    up: usize,
    at_start: bool,
}

impl Screen {
    pub fn enter(&mut self, at: Time, prompt: &str, line: &str) {
        self.next += 1;
        let entered = Some((prompt.to_string(), line.to_string()));
        self.blocks.push(Rc::new(Block { id: self.next, entered, at, ..Block::default() }));
        (self.class, self.up, self.at_start) = ("", 0, false);
        self.trim();
    }

    /// The number of the newest block.
    pub fn newest(&self) -> u64 {
        self.next
    }

    /// What is written now belongs to this block.
    pub fn aim(&mut self, block: Option<u64>) {
        if self.aim != block {
            (self.aim, self.class, self.up, self.at_start) = (block, "", 0, false);
        }
    }

    pub fn clear(&mut self) {
        self.blocks.clear();
        self.was_cut = false;
    }

    pub fn write(&mut self, bytes: &[u8]) {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let valid = match std::str::from_utf8(&all) {
            Ok(_) => all.len(),
            // An unfinished character waits for its end; a wrong byte is shown as such.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => all.len(),
        };
        self.rest = all.split_off(valid);
        let text = String::from_utf8_lossy(&all).into_owned();
        let mut text = text.as_str();
        while let Some(at) = text.find('\x1b') {
            let (plain, escape) = text.split_at(at);
            self.put(plain);
            let Some(length) = escape_length(escape) else {
                // It goes on in the next piece of output.
                if escape.len() < 64 {
                    self.rest.splice(0..0, escape.bytes());
                }
                text = "";
                break;
            };
            let (sequence, rest) = escape.split_at(length);
            self.escape(sequence);
            text = rest;
        }
        self.put(text);
        self.trim();
    }

    fn escape(&mut self, sequence: &str) {
        let Some(inner) = sequence.strip_prefix("\x1b[") else { return };
        let count = || inner.get(..inner.len() - 1).and_then(|count| count.parse().ok()).unwrap_or(1);
        match inner.chars().last() {
            Some('A') => self.up = self.up.saturating_add(count()).min(MOST_LINES),
            Some('B') => self.up = self.up.saturating_sub(count()),
            Some('K') if self.at_start || inner.starts_with('2') => self.erase(),
            Some('m') => self.class = colour(inner.trim_end_matches('m')),
            Some('J') if inner.starts_with(['2', '3']) => self.clear(),
            _ => {}
        }
    }

    fn put(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = levelled(text.replace("\r\n", "\n").replace('\x07', ""));
        // What goes back to the beginning of its line writes over it.
        let mut parts = text.split('\r');
        self.place(parts.next().unwrap_or_default());
        for part in parts {
            self.at_start = true;
            self.place(part);
        }
    }

    fn erase(&mut self) {
        let up = self.up;
        if let Some(last) = self.block().and_then(|block| block.pieces.last_mut()) {
            let line = line(&last.text, up);
            last.text.replace_range(line, "");
        }
    }

    /// Text without a return: above the last line it goes into the lines that are there.
    fn place(&mut self, mut text: &str) {
        if text.is_empty() {
            return;
        }
        if std::mem::take(&mut self.at_start) && !text.starts_with('\n') {
            self.erase();
        }
        let mut up = self.up;
        while up > 0 && !text.is_empty() {
            let (head, rest) = text.split_once('\n').map_or((text, None), |(head, rest)| (head, Some(rest)));
            if let Some(last) = self.block().and_then(|block| block.pieces.last_mut()) {
                let line = line(&last.text, up);
                last.text.insert_str(line.end, head);
            }
            up -= usize::from(rest.is_some());
            text = rest.unwrap_or_default();
        }
        self.up = up;
        self.append(text);
    }

    /// The block that is written to.
    fn block(&mut self) -> Option<&mut Block> {
        let place = self.aim.and_then(|id| self.blocks.iter().rposition(|block| block.id == id));
        let place = place.or_else(|| self.blocks.len().checked_sub(1))?;
        self.blocks.get_mut(place).map(Rc::make_mut)
    }

    fn append(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.blocks.is_empty() {
            self.next += 1;
            self.blocks.push(Rc::new(Block { id: self.next, ..Block::default() }));
        }
        let class = self.class;
        if let Some(block) = self.block() {
            block.lines += text.matches('\n').count();
            match block.pieces.last_mut() {
                Some(last) if last.class == class => last.text.push_str(text),
                _ => block.pieces.push(Piece { class, text: text.to_owned() }),
            }
        }
    }

    /// Drops old blocks, then the start of a single long one.
    fn trim(&mut self) {
        let mut lines: usize = self.blocks.iter().map(|block| block.lines + 1).sum();
        while self.blocks.len() > 1 && (lines > MOST_LINES || self.blocks.len() > MOST_BLOCKS) {
            lines -= self.blocks.remove(0).lines + 1;
            self.was_cut = true;
        }
        let Some(block) = self.blocks.last_mut().filter(|block| block.lines > MOST_LINES).map(Rc::make_mut) else {
            return;
        };
        self.was_cut = true;
        let text: String = block.pieces.iter().map(|piece| piece.text.as_str()).collect();
        let skip = block.lines - MOST_LINES * 3 / 4;
        let kept: String = text.split_inclusive('\n').skip(skip).collect();
        block.lines = kept.matches('\n').count();
        block.pieces = vec![Piece { class: "", text: kept }];
    }

    /// Everything as text, for the clipboard.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            if let Some((prompt, line)) = &block.entered {
                text.push_str(&format!("{prompt}{line}\n"));
            }
            text.extend(block.pieces.iter().map(|piece| piece.text.as_str()));
        }
        text
    }
}

/// Where the line so many lines above the last one stands in a text; the first one when there are fewer.
fn line(text: &str, up: usize) -> std::ops::Range<usize> {
    let before = |end: usize| text.get(..end).and_then(|head| head.rfind('\n'));
    let end = (0..up).try_fold(text.len(), |end, _| before(end).ok_or(end)).unwrap_or_else(|first| first);
    before(end).map_or(0, |at| at + 1)..end
}

/// Accents that stand on one letter; more cost the browser seconds, and nobody can read them.
const MOST_ACCENTS: usize = 8;

/// The text without the upper storeys of towers of accents.
fn levelled(mut text: String) -> String {
    let mut height = 0;
    text.retain(|character| {
        height = if is_accent(character) { height + 1 } else { 0 };
        height <= MOST_ACCENTS
    });
    text
}

fn is_accent(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200c}'..='\u{200d}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// How long the escape sequence at the start is, if it ends here.
fn escape_length(text: &str) -> Option<usize> {
    let second = text.chars().nth(1)?;
    match second {
        '[' => text.char_indices().skip(2).find(|(_, c)| ('@'..='~').contains(c)).map(|(at, c)| at + c.len_utf8()),
        ']' => text.find('\x07').map(|at| at + 1),
        _ => Some(1 + second.len_utf8()),
    }
}

/// Colour classes of an SGR sequence; the last word wins.
fn colour(codes: &str) -> &'static str {
    let mut class = "";
    for code in codes.split(';') {
        class = match code {
            "1" => "sgr-bold",
            "31" | "91" => "sgr-err",
            "32" | "92" => "sgr-ok",
            "33" | "93" => "sgr-warn",
            "34" | "94" => "sgr-blue",
            "35" | "95" => "sgr-violet",
            "36" | "96" => "sgr-cyan",
            "" | "0" | "39" | "22" => "",
            _ => class,
        };
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: &[&[u8]]) -> String {
        let mut screen = Screen::default();
        parts.iter().for_each(|part| screen.write(part));
        let pieces = screen.blocks.iter().flat_map(|block| block.pieces.iter());
        pieces.map(|piece| format!("{}<{}>", piece.class, piece.text)).collect()
    }

    #[test]
    fn bytes_may_come_in_any_pieces() {
        let text = "a\x1b[31mé\x1b[0m\x1b]0;title\x07z".as_bytes();
        for at in 0..text.len() {
            let (head, tail) = text.split_at(at);
            assert_eq!(shown(&[head, tail]), "<a>sgr-err<é><z>", "cut at {at}");
        }
        assert_eq!(shown(&[b"old", b"\x1b[H\x1b[2Jnew"]), "<new>");
    }

    #[test]
    fn progress_is_written_over() {
        for (written, shows) in [
            ("\na: Waiting\r\x1b[1B", "\na: Waiting"),
            ("pull\n\n\x1b[1A\x1b[2K\ra: 1\r\x1b[1B\n\x1b[1A\x1b[2K\rb: 1\r\x1b[1B", "pull\na: 1\nb: 1\n"),
            (
                "p\n\n\n\x1b[2A\x1b[2K\ra: 1\r\x1b[2B\x1b[1A\x1b[2K\rb: 1\r\x1b[1B\x1b[2A\x1b[2K\ra: 22\r\x1b[2Bend\n",
                "p\na: 22\nb: 1\nend\n",
            ),
            ("10%\r20%\r100%\n", "100%\n"),
            ("a\r\nb\r\n", "a\nb\n"),
            ("doing\r\x1b[Kdone\n", "done\n"),
            ("a\x1b[99A\x1b[2Kb\nc", "bc"),
            ("é\x1b[9999999999999A\x1b[2K\x1b[1B", ""),
            ("\x1b[K\x1b[2K\x1b[A\x1b[BA", "A"),
        ] {
            for at in (0..=written.len()).filter(|at| written.is_char_boundary(*at)) {
                let (head, tail) = written.split_at(at);
                let mut screen = Screen::default();
                screen.write(head.as_bytes());
                screen.write(tail.as_bytes());
                assert_eq!(screen.text(), shows, "{written:?} cut at {at}");
            }
        }
    }

    #[test]
    fn towers_of_accents_have_eight_storeys() {
        for accent in ["\u{301}", "\u{20dd}", "\u{200d}", "\u{e49}"] {
            let mut screen = Screen::default();
            screen.write(format!("e{}x\n", accent.repeat(1000)).as_bytes());
            assert_eq!(screen.text(), format!("e{}x\n", accent.repeat(8)));
        }
        for text in ["cafe\u{301} e\u{301}e\u{301}\n", "サーバー 接続\n", "👩\u{200d}💻 ok\n"] {
            let mut screen = Screen::default();
            screen.write(text.as_bytes());
            assert_eq!(screen.text(), text);
        }
    }

    #[test]
    fn output_has_a_limit() {
        let mut screen = Screen::default();
        for n in 0..10_000 {
            screen.write(format!("{n}\n").as_bytes());
        }
        assert!(screen.was_cut);
        assert!(screen.text().lines().count() <= MOST_LINES);
        assert!(screen.text().ends_with("9999\n"));
    }
}
