//! cat, head, tail, wc, sort, uniq, cut, tr, base64, tee, tac, rev, nl.

use std::collections::VecDeque;

use super::grep::Grep;
use super::{Filter, Filtering, Flags, Next, Output, Place};
use crate::process::{Program, Sys};
use crate::shell::Flavour;
use crate::shell::escape::{Style, unescape};
use crate::shell::regex::class;

const KEEP_LIMIT: usize = 4 << 20;

pub fn program(name: &str, args: &[String], flavour: Flavour) -> Option<Box<dyn Program>> {
    Some(match name {
        "cat" => {
            let flags = Flags::read(args, "", "nAbEeTtuvs", &[("number", 'n')]);
            let all = flags.has('A');
            let shown = Shown {
                ends: all || flags.has('E') || flags.has('e'),
                tabs: all || flags.has('T') || flags.has('t'),
                others: all || flags.has('v') || flags.has('e') || flags.has('t'),
                blank_apart: flags.has('b'),
                squeeze: flags.has('s'),
            };
            let number = (flags.has('n') || flags.has('b')).then_some(0);
            Filtering::of(flavour, "cat", Cat { number, shown, was_blank: false }, flags.rest)
        }
        "head" => {
            let mut args = args.to_vec();
            old_count(&mut args);
            let flags = Flags::read(&args, "nc", "qv", &[("lines", 'n'), ("bytes", 'c')]);
            let bytes = flags.value('c').map(size);
            let lines = flags.number('n').unwrap_or(10);
            let head =
                Head { lines, bytes, seen: 0, held: Vec::new(), quiet: flags.has('q'), first: true, heading: None };
            Filtering::of(flavour, "head", head, flags.rest)
        }
        "tail" if !args.iter().any(|arg| arg == "-f" || arg == "-F" || arg == "-fn") => {
            let mut args = args.to_vec();
            old_count(&mut args);
            let flags = Flags::read(&args, "nc", "qvfF", &[("lines", 'n'), ("bytes", 'c')]);
            let from = flags.value('n').is_some_and(|n| n.starts_with('+')).then(|| flags.number('n').unwrap_or(1));
            let keep = flags.number('n').unwrap_or(10).unsigned_abs() as usize;
            let bytes = flags.value('c').map(size);
            Filtering::of(
                flavour,
                "tail",
                Tail { keep, from, bytes, lines: VecDeque::new(), size: 0, seen: 0, first: true },
                flags.rest,
            )
        }
        "wc" => {
            let flags =
                Flags::read(args, "", "lwcmL", &[("lines", 'l'), ("words", 'w'), ("bytes", 'c'), ("chars", 'm')]);
            let all = !("lwcm".chars().any(|c| flags.has(c)));
            let show = [all || flags.has('l'), all || flags.has('w'), all || flags.has('c') || flags.has('m')];
            let named = !flags.rest.is_empty();
            Filtering::of(
                flavour,
                "wc",
                Count { show, named, now: [0; 3], in_word: false, rows: Vec::new() },
                flags.rest,
            )
        }
        "sort" => {
            let flags = Flags::read(args, "ktoS", "nrufbhVcsz", &[("reverse", 'r'), ("unique", 'u'), ("key", 'k')]);
            let keys = flags.set.iter().filter(|(c, _)| *c == 'k').map(|(_, text)| text.clone()).collect();
            let sort = Sort {
                keys,
                mark: flags.value('t').and_then(|t| t.chars().next()),
                number: flags.has('n'),
                human: flags.has('h'),
                version: flags.has('V'),
                reverse: flags.has('r'),
                unique: flags.has('u'),
                fold: flags.has('f'),
                lines: Vec::new(),
                size: 0,
            };
            Filtering::of(flavour, "sort", sort, flags.rest)
        }
        "uniq" => {
            let flags = Flags::read(args, "fs", "cdui", &[("count", 'c')]);
            let uniq = Uniq {
                count: flags.has('c'),
                twice: flags.has('d'),
                once: flags.has('u'),
                last: None,
                width: if flavour == Flavour::Busybox { 7 } else { 7 },
            };
            Filtering::of(flavour, "uniq", uniq, flags.rest)
        }
        "cut" => {
            let flags = Flags::read(args, "dfcb", "sn", &[("delimiter", 'd'), ("fields", 'f'), ("characters", 'c')]);
            let chars = flags.value('c').or(flags.value('b'));
            let ranges = ranges(flags.value('f').or(chars).unwrap_or_default());
            let mark = flags.value('d').and_then(|d| d.chars().next()).unwrap_or('\t');
            Filtering::of(
                flavour,
                "cut",
                Cut { chars: chars.is_some(), ranges, mark, only: flags.has('s') },
                flags.rest,
            )
        }
        "tr" => {
            let flags =
                Flags::read(args, "", "dscC", &[("delete", 'd'), ("squeeze-repeats", 's'), ("complement", 'c')]);
            let mut from = letters(flags.rest.first().map_or("", String::as_str));
            let mut to = letters(flags.rest.get(1).map_or("", String::as_str));
            if flags.has('c') || flags.has('C') {
                from = (0..=255).filter(|byte| !from.contains(byte)).collect();
            }
            if let Some(last) = to.last().copied() {
                to.resize(from.len().max(to.len()), last);
            }
            let squeeze = flags.has('s').then(|| if to.is_empty() { from.clone() } else { to.clone() });
            let delete = flags.has('d');
            let squeeze = if delete && flags.has('s') { Some(to.clone()) } else { squeeze };
            Filtering::new("tr", Translate { from, to, delete, squeeze, last: None }, Vec::new())
        }
        "base64" => {
            let flags = Flags::read(args, "w", "di", &[("decode", 'd'), ("wrap", 'w')]);
            let wrap = flags.number('w').unwrap_or(76).max(0) as usize;
            let base = Base64 { decode: flags.has('d') || flags.has('D'), wrap, bytes: Vec::new() };
            Filtering::new("base64", base, flags.rest)
        }
        "tee" => {
            let flags = Flags::read(args, "", "ai", &[("append", 'a')]);
            Filtering::new("tee", Tee { append: flags.has('a'), files: flags.rest, kept: Vec::new() }, Vec::new())
        }
        "tac" | "rev" | "nl" => {
            let kind = name.chars().next().unwrap_or('t');
            let name = match kind {
                'r' => "rev",
                'n' => "nl",
                _ => "tac",
            };
            Filtering::new(
                name,
                Turned { kind, lines: Vec::new(), number: 0 },
                args.get(1..).unwrap_or_default().to_vec(),
            )
        }
        "column" if flavour == Flavour::Bash => {
            let long = [("table", 't'), ("separator", 's'), ("output-separator", 'o')];
            let flags = Flags::read(args, "so", "t", &long);
            if !flags.has('t') {
                return None;
            }
            let columns = Columns {
                between: flags.value('s').map(str::to_string),
                out_between: flags.value('o').unwrap_or("  ").to_string(),
                rows: Vec::new(),
            };
            Filtering::new("column", columns, flags.rest)
        }
        "grep" | "egrep" | "fgrep" => return Some(Grep::program(name, args)),
        "sed" => return Some(super::sed::program(args)),
        "awk" | "gawk" | "mawk" => return Some(super::awk::program(args)),
        _ => return None,
    })
}

/// `-5` for `-n 5`.
fn old_count(args: &mut [String]) {
    if let Some(first) = args.get_mut(1)
        && let Some(digits) = first.strip_prefix('-')
        && digits.chars().all(|c| c.is_ascii_digit())
        && !digits.is_empty()
    {
        *first = format!("-n{digits}");
    }
}

fn size(text: &str) -> i64 {
    let digits: String = text.trim_start_matches('+').chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
    let unit = match text.chars().last() {
        Some('k' | 'K') => 1024,
        Some('M') => 1 << 20,
        Some('G') => 1 << 30,
        _ => 1,
    };
    digits.parse::<i64>().unwrap_or(0).saturating_mul(unit)
}

fn put(out: &mut Output, line: &[u8], ended: bool) {
    out.out(line);
    if ended {
        out.out(b"\n");
    }
}

#[derive(Clone)]
struct Cat {
    number: Option<u64>,
    shown: Shown,
    was_blank: bool,
}

/// What `cat` makes visible, or leaves out.
#[derive(Clone, Copy, PartialEq)]
struct Shown {
    ends: bool,
    tabs: bool,
    others: bool,
    /// Blank lines have no number.
    blank_apart: bool,
    squeeze: bool,
}

impl Shown {
    fn write(self, line: &[u8], ended: bool) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in line {
            match byte {
                b'\t' if self.tabs => out.extend(b"^I"),
                b'\t' => out.push(byte),
                byte if !self.others => out.push(byte),
                byte => {
                    let low = byte & 0x7f;
                    if byte >= 0x80 {
                        out.extend(b"M-");
                    }
                    match low {
                        ..0x20 => out.extend([b'^', low + 64]),
                        0x7f => out.extend(b"^?"),
                        low => out.push(low),
                    }
                }
            }
        }
        if self.ends && ended {
            out.push(b'$');
        }
        out
    }
}

impl Filter for Cat {
    fn line(&mut self, _: &Place<'_>, line: &[u8], ended: bool, out: &mut Output) -> Next {
        if !self.by_line() {
            put(out, line, ended);
            return Next::More;
        }
        let is_blank = line.is_empty() && ended;
        if self.shown.squeeze && is_blank && self.was_blank {
            return Next::More;
        }
        self.was_blank = is_blank;
        if let Some(number) = self.number.as_mut().filter(|_| !(is_blank && self.shown.blank_apart)) {
            *number += 1;
            out.out(format!("{number:>6}\t"));
        }
        put(out, &self.shown.write(line, ended), ended);
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, _: &mut Output) -> i32 {
        0
    }
    fn by_line(&self) -> bool {
        self.number.is_some() || self.shown.ends || self.shown.tabs || self.shown.others || self.shown.squeeze
    }
}

#[derive(Clone)]
struct Head {
    lines: i64,
    bytes: Option<i64>,
    seen: i64,
    held: Vec<Vec<u8>>,
    quiet: bool,
    first: bool,
    heading: Option<String>,
}

impl Filter for Head {
    fn line(&mut self, place: &Place<'_>, line: &[u8], ended: bool, out: &mut Output) -> Next {
        if place.many && !self.quiet && self.heading.as_deref() != Some(place.name) {
            out.out(format!("{}==> {} <==\n", if self.first { "" } else { "\n" }, place.name));
            self.heading = Some(place.name.to_string());
            self.first = false;
        }
        if let Some(bytes) = self.bytes {
            let take = (bytes - self.seen).clamp(0, line.len() as i64) as usize;
            out.out(line.get(..take).unwrap_or_default());
            self.seen += take as i64;
            return if self.seen >= bytes && !place.many { Next::Stop(0) } else { Next::More };
        }
        if self.lines < 0 {
            let mut whole = line.to_vec();
            whole.extend(ended.then_some(b'\n'));
            self.held.push(whole);
            if self.held.len() as i64 > -self.lines {
                out.out(self.held.remove(0));
            }
            return Next::More;
        }
        if self.seen < self.lines {
            put(out, line, ended);
        }
        self.seen += 1;
        if self.seen >= self.lines && !place.many { Next::Stop(0) } else { Next::More }
    }
    fn file_end(&mut self, _: &Place<'_>, _: &mut Output) -> Next {
        self.seen = 0;
        self.held.clear();
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, _: &mut Output) -> i32 {
        0
    }
    fn by_line(&self) -> bool {
        self.bytes.is_none()
    }
}

#[derive(Clone)]
struct Tail {
    keep: usize,
    from: Option<i64>,
    bytes: Option<i64>,
    lines: VecDeque<Vec<u8>>,
    size: usize,
    seen: i64,
    first: bool,
}

impl Filter for Tail {
    fn line(&mut self, _: &Place<'_>, line: &[u8], ended: bool, out: &mut Output) -> Next {
        self.seen += 1;
        if let Some(from) = self.from {
            if self.seen >= from {
                put(out, line, ended);
            }
            return Next::More;
        }
        // The line that falls out lends its room to the new one.
        let mut whole = Vec::new();
        if self.bytes.is_none() && self.lines.len() >= self.keep.max(1) {
            whole = self.lines.pop_front().unwrap_or_default();
            self.size -= whole.len();
            whole.clear();
        }
        whole.extend_from_slice(line);
        whole.extend(ended.then_some(b'\n'));
        self.size += whole.len();
        self.lines.push_back(whole);
        if self.bytes.is_none() && self.keep == 0 {
            (self.size, self.lines) = (0, VecDeque::new());
        }
        if self.size > 64 * KEEP_LIMIT {
            return Next::Stop(137);
        }
        Next::More
    }
    fn file_end(&mut self, place: &Place<'_>, out: &mut Output) -> Next {
        if place.many {
            out.out(format!("{}==> {} <==\n", if self.first { "" } else { "\n" }, place.name));
            self.first = false;
        }
        let all: Vec<u8> = std::mem::take(&mut self.lines).into_iter().flatten().collect();
        let skip = self.bytes.map_or(0, |bytes| all.len().saturating_sub(bytes.unsigned_abs() as usize));
        out.out(all.get(skip..).unwrap_or_default());
        (self.seen, self.size) = (0, 0);
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, _: &mut Output) -> i32 {
        0
    }
}

#[derive(Clone)]
struct Count {
    show: [bool; 3],
    named: bool,
    now: [u64; 3],
    in_word: bool,
    rows: Vec<([u64; 3], String)>,
}

impl Filter for Count {
    fn line(&mut self, _: &Place<'_>, piece: &[u8], _: bool, _: &mut Output) -> Next {
        for byte in piece {
            let space = byte.is_ascii_whitespace();
            self.now[0] += u64::from(*byte == b'\n');
            self.now[1] += u64::from(!space && !self.in_word);
            self.in_word = !space;
        }
        self.now[2] += piece.len() as u64;
        Next::More
    }
    fn file_end(&mut self, place: &Place<'_>, _: &mut Output) -> Next {
        self.rows.push((std::mem::take(&mut self.now), place.name.to_string()));
        self.in_word = false;
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        let mut rows = std::mem::take(&mut self.rows);
        if rows.len() > 1 {
            let total = rows.iter().fold([0; 3], |t, (n, _)| [t[0] + n[0], t[1] + n[1], t[2] + n[2]]);
            rows.push((total, "total".into()));
        }
        let one = self.show.iter().filter(|show| **show).count() == 1 && rows.len() == 1;
        let most = rows.iter().flat_map(|(n, _)| n).max().map_or(1, |n| n.to_string().len());
        let width = if one {
            0
        } else if self.named {
            most
        } else {
            7
        };
        for (numbers, name) in rows {
            let shown: Vec<String> =
                numbers.iter().zip(self.show).filter(|(_, show)| *show).map(|(n, _)| format!("{n:>width$}")).collect();
            let name = if self.named { format!(" {name}") } else { String::new() };
            out.out(format!("{}{name}\n", shown.join(" ")));
        }
        0
    }
    fn by_line(&self) -> bool {
        false
    }
}

#[derive(Clone)]
struct Sort {
    keys: Vec<String>,
    mark: Option<char>,
    number: bool,
    /// `2K` before `1M`.
    human: bool,
    version: bool,
    reverse: bool,
    unique: bool,
    fold: bool,
    lines: Vec<Vec<u8>>,
    size: usize,
}

impl Sort {
    fn key<'a>(&self, line: &'a str, key: &str) -> &'a str {
        let (from, to) = key.split_once(',').map_or((key, None), |(from, to)| (from, Some(to)));
        let digits = |text: &str| {
            text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<usize>().unwrap_or(1).max(1)
        };
        let mut starts = vec![0];
        let mut ends = Vec::new();
        match self.mark {
            Some(mark) => {
                for (at, c) in line.char_indices().filter(|(_, c)| *c == mark) {
                    ends.push(at);
                    starts.push(at + c.len_utf8());
                }
            }
            None => {
                let mut blank = true;
                for (at, c) in line.char_indices() {
                    if c.is_whitespace() && !blank {
                        ends.push(at);
                        starts.push(at);
                    }
                    blank = c.is_whitespace();
                }
            }
        }
        ends.push(line.len());
        let start = starts.get(digits(from) - 1).copied().unwrap_or(line.len());
        let end = to.map_or(line.len(), |to| ends.get(digits(to) - 1).copied().unwrap_or(line.len()));
        line.get(start..end.max(start)).unwrap_or_default()
    }

    fn compare(&self, a: &str, b: &str, flags: &str) -> std::cmp::Ordering {
        let order = if self.number || flags.contains('n') {
            number(a).total_cmp(&number(b))
        } else if self.human || flags.contains('h') {
            human(a).cmp(&human(b)).then(number(a).total_cmp(&number(b)))
        } else if self.version || flags.contains('V') {
            pieces(a).cmp(&pieces(b))
        } else if self.fold || flags.contains('f') {
            a.to_lowercase().cmp(&b.to_lowercase())
        } else {
            a.cmp(b)
        };
        if flags.contains('r') || (self.reverse && !flags.chars().any(char::is_alphabetic)) {
            order.reverse()
        } else {
            order
        }
    }
}

fn pieces(text: &str) -> Vec<(u64, String)> {
    let mut out = vec![(0, String::new())];
    let mut digits = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            out.push((digits.parse().unwrap_or(u64::MAX), String::new()));
            digits.clear();
        }
        if let Some((_, text)) = out.last_mut() {
            text.push(c);
        }
    }
    out
}

fn number(text: &str) -> f64 {
    let text = text.trim_start();
    let end = text
        .char_indices()
        .find(|(at, c)| !(c.is_ascii_digit() || *c == '.' || (*at == 0 && *c == '-')))
        .map_or(text.len(), |(at, _)| at);
    text.get(..end).and_then(crate::base::float::parse).unwrap_or(0.0)
}

/// The size of a unit after a number: `K` is 1.
fn human(text: &str) -> i32 {
    let text = text.trim_start();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-').chars().next();
    let size = unit.and_then(|unit| "KMGTPEZY".find(unit.to_ascii_uppercase())).map_or(0, |at| at as i32 + 1);
    if number(text) < 0.0 { -size } else { size }
}

impl Filter for Sort {
    fn line(&mut self, _: &Place<'_>, line: &[u8], _: bool, out: &mut Output) -> Next {
        self.size += line.len() + 1;
        if self.size > KEEP_LIMIT {
            out.err("sort: memory exhausted\n");
            return Next::Stop(2);
        }
        self.lines.push(line.to_vec());
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        let mut lines: Vec<String> = self.lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        let by_keys = |a: &String, b: &String| {
            if self.keys.is_empty() {
                return self.compare(a, b, "");
            }
            let mut order = std::cmp::Ordering::Equal;
            for key in &self.keys {
                let flags: String = key.chars().filter(|c| c.is_alphabetic()).collect();
                order = order.then_with(|| self.compare(self.key(a, key), self.key(b, key), &flags));
            }
            order
        };
        lines.sort_by(|a, b| {
            let order = by_keys(a, b);
            if self.unique { order } else { order.then_with(|| if self.reverse { b.cmp(a) } else { a.cmp(b) }) }
        });
        if self.unique {
            lines.dedup_by(|a, b| by_keys(a, b).is_eq());
        }
        for line in lines {
            put(out, line.as_bytes(), true);
        }
        0
    }
}

#[derive(Clone)]
struct Uniq {
    count: bool,
    twice: bool,
    once: bool,
    last: Option<(Vec<u8>, u64)>,
    width: usize,
}

impl Uniq {
    fn show(&mut self, out: &mut Output) {
        if let Some((line, count)) = self.last.take() {
            if (self.twice && count < 2) || (self.once && count > 1) {
                return;
            }
            if self.count {
                out.out(format!("{count:>width$} ", width = self.width));
            }
            put(out, &line, true);
        }
    }
}

impl Filter for Uniq {
    fn line(&mut self, _: &Place<'_>, line: &[u8], _: bool, out: &mut Output) -> Next {
        match &mut self.last {
            Some((last, count)) if last == line => *count += 1,
            _ => {
                self.show(out);
                self.last = Some((line.to_vec(), 1));
            }
        }
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        self.show(out);
        0
    }
}

fn ranges(text: &str) -> Vec<(usize, usize)> {
    text.split(',')
        .map(|part| match part.split_once('-') {
            Some((a, b)) => (a.parse().unwrap_or(1), b.parse().unwrap_or(usize::MAX)),
            None => {
                let n = part.parse().unwrap_or(0);
                (n, n)
            }
        })
        .collect()
}

#[derive(Clone)]
struct Cut {
    chars: bool,
    ranges: Vec<(usize, usize)>,
    mark: char,
    only: bool,
}

impl Filter for Cut {
    fn line(&mut self, _: &Place<'_>, line: &[u8], _: bool, out: &mut Output) -> Next {
        let text = String::from_utf8_lossy(line);
        let wanted = |at: usize| self.ranges.iter().any(|(a, b)| (*a..=*b).contains(&(at + 1)));
        let shown: String = if self.chars {
            text.chars().enumerate().filter(|(at, _)| wanted(*at)).map(|(_, c)| c).collect()
        } else if !text.contains(self.mark) {
            if self.only {
                return Next::More;
            }
            text.into_owned()
        } else {
            let fields: Vec<&str> =
                text.split(self.mark).enumerate().filter(|(at, _)| wanted(*at)).map(|(_, f)| f).collect();
            fields.join(&self.mark.to_string())
        };
        put(out, shown.as_bytes(), true);
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, _: &mut Output) -> i32 {
        0
    }
}

/// A set of `tr`: escapes, ranges, classes.
fn letters(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some((name, after)) = rest.strip_prefix("[:").and_then(|rest| rest.split_once(":]"))
            && let Some(members) = class(name)
        {
            out.extend(members.into_iter().flat_map(|(a, b)| a as u8..=b as u8));
            rest = after;
            continue;
        }
        let size = match rest.strip_prefix('\\').and_then(|r| r.chars().next()) {
            Some('0'..='7') => 1 + rest.chars().skip(1).take(3).take_while(|c| c.is_digit(8)).count(),
            Some(c) => 1 + c.len_utf8(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        let (bytes, _) = unescape(rest.get(..size).unwrap_or_default(), Style::Format);
        rest = rest.get(size..).unwrap_or_default();
        if let (Some(from), Some(high)) = (bytes.first(), rest.strip_prefix('-').and_then(|r| r.bytes().next())) {
            out.extend(*from..=high);
            rest = rest.get(2..).unwrap_or_default();
            continue;
        }
        out.extend(bytes);
    }
    out
}

#[derive(Clone)]
struct Translate {
    from: Vec<u8>,
    to: Vec<u8>,
    delete: bool,
    squeeze: Option<Vec<u8>>,
    last: Option<u8>,
}

impl Filter for Translate {
    fn line(&mut self, _: &Place<'_>, piece: &[u8], _: bool, out: &mut Output) -> Next {
        let mut bytes = Vec::with_capacity(piece.len());
        for byte in piece {
            let at = self.from.iter().position(|own| own == byte);
            let byte = match at {
                Some(_) if self.delete => continue,
                Some(at) => self.to.get(at).copied().unwrap_or(*byte),
                None => *byte,
            };
            if self.last == Some(byte) && self.squeeze.as_ref().is_some_and(|set| set.contains(&byte)) {
                continue;
            }
            self.last = Some(byte);
            bytes.push(byte);
        }
        out.out(bytes);
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, _: &mut Output) -> i32 {
        0
    }
    fn by_line(&self) -> bool {
        false
    }
}

#[derive(Clone)]
struct Base64 {
    decode: bool,
    wrap: usize,
    bytes: Vec<u8>,
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Filter for Base64 {
    fn line(&mut self, _: &Place<'_>, piece: &[u8], _: bool, _: &mut Output) -> Next {
        self.bytes.extend(piece);
        if self.bytes.len() > KEEP_LIMIT { Next::Stop(1) } else { Next::More }
    }
    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        if self.decode {
            let (mut value, mut bits, mut good) = (0u32, 0, true);
            let mut bytes = Vec::new();
            for byte in self.bytes.iter().filter(|byte| **byte != b'\n') {
                if *byte == b'=' {
                    break;
                }
                let Some(digit) = ALPHABET.iter().position(|own| own == byte) else {
                    good = false;
                    break;
                };
                value = (value << 6 | digit as u32) & 0xffffff;
                bits += 6;
                if bits >= 8 {
                    bits -= 8;
                    bytes.push((value >> bits) as u8);
                }
            }
            out.out(bytes);
            if !good {
                out.err("base64: invalid input\n");
            }
            return i32::from(!good);
        }
        let mut text = Vec::new();
        for chunk in self.bytes.chunks(3) {
            let value = chunk.iter().fold(0u32, |v, b| v << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
            for at in 0..4 {
                let digit = ALPHABET.get((value >> (18 - 6 * at)) as usize & 63).copied().unwrap_or(b'=');
                text.push(if at <= chunk.len() { digit } else { b'=' });
            }
        }
        if self.wrap == 0 {
            out.out(text);
        } else {
            for line in text.chunks(self.wrap) {
                put(out, line, true);
            }
        }
        0
    }
    fn by_line(&self) -> bool {
        false
    }
}

#[derive(Clone)]
struct Tee {
    append: bool,
    files: Vec<String>,
    kept: Vec<u8>,
}

impl Filter for Tee {
    fn line(&mut self, _: &Place<'_>, piece: &[u8], _: bool, out: &mut Output) -> Next {
        self.kept.extend(piece);
        out.out(piece);
        Next::More
    }
    fn end(&mut self, sys: &mut Sys<'_>, out: &mut Output) -> i32 {
        let mut code = 0;
        for file in &self.files {
            let result = if self.append {
                sys.files.append(sys.now, sys.cwd, file, &self.kept)
            } else {
                sys.files.write(sys.now, sys.cwd, file, &self.kept)
            };
            if let Err(error) = result {
                out.err(format!("tee: {file}: {}\n", error.text()));
                code = 1;
            }
        }
        code
    }
    fn by_line(&self) -> bool {
        false
    }
}

#[derive(Clone)]
struct Columns {
    between: Option<String>,
    out_between: String,
    rows: Vec<Vec<String>>,
}

impl Filter for Columns {
    fn line(&mut self, _: &Place<'_>, line: &[u8], _: bool, _: &mut Output) -> Next {
        let line = String::from_utf8_lossy(line);
        let cells: Vec<String> = match &self.between {
            Some(marks) => line.split(|c| marks.contains(c)).map(str::to_string).collect(),
            None => line.split_whitespace().map(str::to_string).collect(),
        };
        if !line.trim().is_empty() {
            self.rows.push(cells);
        }
        Next::More
    }

    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        let mut widths: Vec<usize> = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            row.iter().zip(&mut widths).for_each(|(cell, width)| *width = (*width).max(cell.chars().count()));
        }
        for row in &self.rows {
            let last = row.len().saturating_sub(1);
            let mut line = String::new();
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                line.push_str(cell);
                if at < last {
                    line.extend(std::iter::repeat_n(' ', width - cell.chars().count()));
                    line.push_str(&self.out_between);
                }
            }
            out.out(format!("{line}\n"));
        }
        0
    }
}

#[derive(Clone)]
struct Turned {
    kind: char,
    lines: Vec<Vec<u8>>,
    number: u64,
}

impl Filter for Turned {
    fn line(&mut self, _: &Place<'_>, line: &[u8], ended: bool, out: &mut Output) -> Next {
        match self.kind {
            'r' => put(out, String::from_utf8_lossy(line).chars().rev().collect::<String>().as_bytes(), ended),
            'n' if line.is_empty() => out.out("       \n"),
            'n' => {
                self.number += 1;
                out.out(format!("{:>6}\t", self.number));
                put(out, line, true);
            }
            _ => self.lines.push(line.to_vec()),
        }
        Next::More
    }
    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        for line in self.lines.iter().rev() {
            put(out, line, true);
        }
        0
    }
}
