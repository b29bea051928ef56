//! Texts as their readers see them: composed letters (NFC), and grapheme clusters by the rules of Unicode 15. Left out are
//! the ideographs that stand for others for compatibility's sake.

use std::sync::LazyLock;

use super::unicode_tables::{CLASSES, COMPOSED, ORDER, SINGLE};

struct Tables {
    /// A letter, and the two it is made of.
    composed: Vec<[u32; 3]>,
    /// The two, and the letter.
    pairs: Vec<[u32; 3]>,
    single: Vec<(u32, Vec<u32>)>,
    /// First, last, class.
    order: Vec<[u32; 3]>,
    classes: Vec<[u32; 3]>,
}

/// Numbers of seven bits a byte, the low ones first.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Iterator for Numbers<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = *self.0.next()?;
            number |= u32::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return Some(number);
            }
        }
    }
}

/// Up by an even number's half, down by an odd one's.
fn moved(from: u32, by: u32) -> u32 {
    if by.is_multiple_of(2) { from.wrapping_add(by / 2) } else { from.wrapping_sub(by / 2 + 1) }
}

fn ranges(bytes: &[u8], packed: bool) -> Vec<[u32; 3]> {
    let mut numbers = Numbers(bytes.iter());
    let (mut end, mut all) = (0, Vec::new());
    while let (Some(gap), Some(length)) = (numbers.next(), numbers.next()) {
        let (length, class) = if packed { (length / 16, length % 16) } else { (length, numbers.next().unwrap_or(0)) };
        let start = end + gap;
        end = start + length;
        all.push([start, end, class]);
    }
    all
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut numbers = Numbers(COMPOSED.iter());
    let mut composed = Vec::new();
    let mut last = [0; 3];
    while let (Some(gap), Some(first), Some(second)) = (numbers.next(), numbers.next(), numbers.next()) {
        last = [last[0] + gap, moved(last[1], first), moved(last[2], second)];
        composed.push(last);
    }
    let mut pairs: Vec<[u32; 3]> = composed.iter().map(|[letter, first, second]| [*first, *second, *letter]).collect();
    pairs.sort_unstable();
    let mut numbers = Numbers(SINGLE.iter());
    let (mut at, mut single) = (0, Vec::new());
    while let (Some(gap), Some(count)) = (numbers.next(), numbers.next()) {
        at += gap;
        let mut last = at;
        let parts = numbers.by_ref().take(count as usize).map(|by| {
            last = moved(last, by);
            last
        });
        single.push((at, parts.collect()));
    }
    Tables { composed, pairs, single, order: ranges(ORDER, false), classes: ranges(CLASSES, true) }
});

fn class_in(ranges: &[[u32; 3]], c: char) -> u32 {
    let c = c as u32;
    let at = ranges.partition_point(|[start, ..]| *start <= c);
    let found = at.checked_sub(1).and_then(|at| ranges.get(at));
    found.filter(|[_, end, _]| c <= *end).map_or(0, |[.., class]| *class)
}

const SYLLABLES: std::ops::RangeInclusive<u32> = 0xac00..=0xd7a3;

fn decompose(code: u32, out: &mut Vec<char>) {
    if SYLLABLES.contains(&code) {
        let at = code - 0xac00;
        out.extend([0x1100 + at / 588, 0x1161 + at % 588 / 28].iter().filter_map(|code| char::from_u32(*code)));
        out.extend(char::from_u32(0x11a7 + at % 28).filter(|_| !at.is_multiple_of(28)));
        return;
    }
    let tables = &*TABLES;
    if let Ok(at) = tables.composed.binary_search_by_key(&code, |entry| entry[0])
        && let Some([_, first, second]) = tables.composed.get(at)
    {
        decompose(*first, out);
        out.extend(char::from_u32(*second));
    } else if let Ok(at) = tables.single.binary_search_by_key(&code, |entry| entry.0) {
        for part in tables.single.get(at).into_iter().flat_map(|(_, parts)| parts) {
            decompose(*part, out);
        }
    } else {
        out.extend(char::from_u32(code));
    }
}

fn compose(first: char, second: char) -> Option<char> {
    let (a, b) = (first as u32, second as u32);
    if (0x1100..0x1113).contains(&a) && (0x1161..0x1176).contains(&b) {
        return char::from_u32(0xac00 + (a - 0x1100) * 588 + (b - 0x1161) * 28);
    }
    if SYLLABLES.contains(&a) && (a - 0xac00).is_multiple_of(28) && (0x11a8..0x11c3).contains(&b) {
        return char::from_u32(a + b - 0x11a7);
    }
    let pairs = &TABLES.pairs;
    let at = pairs.binary_search_by_key(&(a, b), |[first, second, _]| (*first, *second)).ok()?;
    char::from_u32(pairs.get(at)?[2])
}

/// The text in composed letters; `None` where it is so already.
pub fn composed(text: &str) -> Option<String> {
    // Below the first mark nothing changes.
    if text.bytes().all(|byte| byte < 0xcc) {
        return None;
    }
    let mut letters = Vec::with_capacity(text.len());
    text.chars().for_each(|c| decompose(c as u32, &mut letters));
    let mut letters: Vec<(u32, char)> = letters.into_iter().map(|c| (class_in(&TABLES.order, c), c)).collect();
    for run in letters.chunk_by_mut(|_, next| next.0 != 0) {
        // The first may be what the marks stand on.
        let from = usize::from(run.first().is_some_and(|first| first.0 == 0));
        run.get_mut(from..).unwrap_or_default().sort_by_key(|(class, _)| *class);
    }
    let mut out: Vec<char> = Vec::with_capacity(letters.len());
    let (mut starter, mut before): (Option<usize>, u32) = (None, 0);
    for (class, c) in letters {
        // A mark of the same class, or a letter, stands between.
        let adjoins = starter.is_some_and(|at| at + 1 == out.len());
        let reaches = if class == 0 { adjoins } else { adjoins || before < class };
        let base = starter.and_then(|at| out.get_mut(at));
        if let Some(base) = base.filter(|_| reaches)
            && let Some(made) = compose(*base, c)
        {
            *base = made;
            continue;
        }
        if class == 0 {
            starter = Some(out.len());
        }
        before = class;
        out.push(c);
    }
    let out: String = out.into_iter().collect();
    (out != text).then_some(out)
}

const CONTROL: u32 = 1;
const EXTEND: u32 = 2;
const SPACING: u32 = 3;
const PREPEND: u32 = 4;
const PICTURE: u32 = 5;
const FLAG: u32 = 6;
const LEAD: u32 = 7;
const VOWEL: u32 = 8;
const TAIL: u32 = 9;
const JOINER: u32 = 10;
const OPEN_SYLLABLE: u32 = 11;
const SYLLABLE: u32 = 12;

fn class(c: char) -> u32 {
    match c as u32 {
        0x20..=0x7e => 0,
        code if SYLLABLES.contains(&code) && (code - 0xac00).is_multiple_of(28) => OPEN_SYLLABLE,
        code if SYLLABLES.contains(&code) => SYLLABLE,
        _ => class_in(&TABLES.classes, c),
    }
}

/// What a reader takes for one sign each.
pub fn clusters(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let (mut start, mut before, mut flags) = (0, None, 0_u32);
    // A picture, with marks behind it, and perhaps a joiner.
    let (mut picture, mut joined) = (false, false);
    for (at, c) in text.char_indices() {
        let own = class(c);
        let together = match (before, own) {
            (None, _) => true,
            (Some(('\r', _)), _) if c == '\n' => true,
            (Some((_, CONTROL)), _) | (_, CONTROL) => false,
            (Some((_, LEAD)), LEAD | VOWEL | OPEN_SYLLABLE | SYLLABLE) => true,
            (Some((_, OPEN_SYLLABLE | VOWEL)), VOWEL | TAIL) => true,
            (Some((_, SYLLABLE | TAIL)), TAIL) => true,
            (_, EXTEND | JOINER | SPACING) => true,
            (Some((_, PREPEND)), _) => true,
            (_, PICTURE) => joined,
            (Some((_, FLAG)), FLAG) => flags % 2 == 1,
            _ => false,
        };
        if !together {
            all.extend(text.get(start..at));
            start = at;
        }
        flags = if own == FLAG { flags + 1 } else { 0 };
        joined = picture && own == JOINER;
        picture = own == PICTURE || picture && own == EXTEND;
        before = Some((c, own));
    }
    if start < text.len() {
        all.extend(text.get(start..));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_composed() {
        let check =
            |given: &str, wanted: &str| assert_eq!(composed(given).as_deref().unwrap_or(given), wanted, "{given}");
        check("e\u{301}", "é");
        check("plain é", "plain é");
        check("\u{212b}", "Å");
        check("\u{958}", "\u{915}\u{93c}");
        check("q\u{307}\u{323}", "q\u{323}\u{307}");
        check("a\u{323}\u{302}", "ậ");
        check("a\u{302}\u{323}", "ậ");
        check("\u{1100}\u{1161}\u{11a8}", "각");
        check("e\u{301}\u{301}", "é\u{301}");
        check("e\u{200d}\u{301}", "e\u{200d}\u{301}");
        check("\u{301}e", "\u{301}e");
    }

    #[test]
    fn signs_are_counted_as_they_are_read() {
        let check = |text: &str, wanted: &[&str]| assert_eq!(clusters(text), wanted, "{text}");
        check("", &[]);
        check("ab", &["a", "b"]);
        check("a\r\nb\n", &["a", "\r\n", "b", "\n"]);
        check("👨‍👩‍👧x", &["👨‍👩‍👧", "x"]);
        check("🇩🇪🇫🇷🇦", &["🇩🇪", "🇫🇷", "🇦"]);
        check("👍🏽👍", &["👍🏽", "👍"]);
        check("नि", &["नि"]);
        check("क्षि", &["क्", "षि"]);
        check("กำ", &["กำ"]);
        check("각각", &["각", "각"]);
        check("e\u{301}x", &["e\u{301}", "x"]);
        check("a\u{200d}👩", &["a\u{200d}", "👩"]);
    }
}
