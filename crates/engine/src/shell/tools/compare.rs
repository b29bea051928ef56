//! diff, cmp, paste: several files side by side. Standard input (`-`) is told as a gap.

use super::{Flags, Output, Run};
use crate::base::{diff, gap};
use crate::process::Sys;
use crate::shell::Flavour;

pub fn find(name: &str) -> Option<Run> {
    Some(match name {
        "diff" => difference,
        "cmp" => compare,
        "paste" => paste,
        _ => return None,
    })
}

fn operands(sys: &Sys<'_>, name: &str, paths: &[String], out: &mut Output) -> Result<Vec<Vec<u8>>, i32> {
    let mut all = Vec::new();
    for path in paths {
        if path == "-" {
            out.err(format!("{}\n", gap::line(&format!("{name} of standard input"), "write it into a file first")));
            return Err(2);
        }
        match sys.files.read(sys.cwd, path) {
            Ok(content) => all.push(content.to_vec()),
            Err(error) => {
                out.err(format!("{name}: {path}: {}\n", error.text()));
                return Err(2);
            }
        }
    }
    Ok(all)
}

fn difference(sys: &mut Sys<'_>, _: Flavour, out: &mut Output) -> i32 {
    let flags = Flags::read(sys.args, "U", "uqbBwisN", &[("unified", 'u'), ("brief", 'q')]);
    if let Some(other) = flags.set.iter().map(|(letter, _)| *letter).find(|letter| !"uUqsN".contains(*letter)) {
        out.err(format!("{}\n", gap::line(&format!("diff -{other}"), "")));
        return 2;
    }
    let [old, new] = flags.rest.as_slice() else {
        let text = match flags.rest.as_slice() {
            [] => format!("missing operand after '{}'", sys.args.last().map_or("diff", String::as_str)),
            [one] => format!("missing operand after '{one}'"),
            [_, _, extra, ..] => format!("extra operand '{extra}'"),
            _ => String::new(),
        };
        out.err(format!("diff: {text}\ndiff: Try 'diff --help' for more information.\n"));
        return 2;
    };
    let contents = match operands(sys, "diff", &flags.rest, out) {
        Ok(contents) => contents,
        Err(code) => return code,
    };
    let [a, b] = contents.as_slice() else { return 2 };
    if a == b {
        if flags.has('s') {
            out.out(format!("Files {old} and {new} are identical\n"));
        }
        return 0;
    }
    if flags.has('q') {
        out.out(format!("Files {old} and {new} differ\n"));
        return 1;
    }
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    if flags.has('u') || flags.has('U') {
        let stamp = |path: &str| {
            let time = match sys.files.node(sys.cwd, path) {
                Ok(crate::process::Node::File { modified, .. }) => *modified,
                _ => sys.now,
            };
            let (year, month, day, hour, minute, second) = time.civil();
            let nanos = time.0.rem_euclid(1_000_000) * 1000;
            format!("{path}\t{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanos:09} +0000")
        };
        out.out(format!("--- {}\n+++ {}\n", stamp(old), stamp(new)));
        out.out(diff::of_files(&a, &b));
    } else {
        out.out(diff::normal(&a, &b));
    }
    1
}

fn compare(sys: &mut Sys<'_>, _: Flavour, out: &mut Output) -> i32 {
    let flags = Flags::read(sys.args, "", "s", &[("silent", 's'), ("quiet", 's')]);
    let [old, new] = flags.rest.as_slice() else {
        out.err("cmp: missing operand after 'cmp'\ncmp: Try 'cmp --help' for more information.\n");
        return 2;
    };
    let contents = match operands(sys, "cmp", &flags.rest, out) {
        Ok(contents) => contents,
        Err(code) => return code,
    };
    let [a, b] = contents.as_slice() else { return 2 };
    if a == b {
        return 0;
    }
    if flags.has('s') {
        return 1;
    }
    match a.iter().zip(b).position(|(a, b)| a != b) {
        Some(at) => {
            let line = a.iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
            out.out(format!("{old} {new} differ: byte {}, line {line}\n", at + 1));
        }
        None => {
            let (short, size) = if a.len() < b.len() { (old, a.len()) } else { (new, b.len()) };
            let line = a.iter().take(size).filter(|byte| **byte == b'\n').count();
            out.err(format!("cmp: EOF on {short} after byte {size}, line {line}\n"));
        }
    }
    1
}

fn paste(sys: &mut Sys<'_>, _: Flavour, out: &mut Output) -> i32 {
    let flags = Flags::read(sys.args, "d", "s", &[("delimiters", 'd'), ("serial", 's')]);
    let contents = match operands(sys, "paste", &flags.rest, out) {
        Ok(contents) => contents,
        Err(_) => return 1,
    };
    let marks: Vec<String> = match flags.value('d').unwrap_or("\t") {
        "" => vec![String::new()],
        marks => marks.replace("\\t", "\t").replace("\\n", "\n").chars().map(String::from).collect(),
    };
    let texts: Vec<String> = contents.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    let columns: Vec<Vec<&str>> = texts.iter().map(|text| text.lines().collect()).collect();
    if flags.has('s') {
        columns.iter().for_each(|lines| out.out(join(&marks, lines.iter().copied())));
        return 0;
    }
    for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
        out.out(join(&marks, columns.iter().map(|lines| lines.get(row).copied().unwrap_or_default())));
    }
    0
}

fn join<'a>(marks: &[String], pieces: impl Iterator<Item = &'a str>) -> String {
    let mut row = String::new();
    for (at, piece) in pieces.enumerate() {
        if at > 0 {
            row.push_str(marks.get((at - 1) % marks.len().max(1)).map_or("", String::as_str));
        }
        row.push_str(piece);
    }
    row + "\n"
}
