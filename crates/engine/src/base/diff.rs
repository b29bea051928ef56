//! Line differences.

const CONTEXT: usize = 3;
/// Beyond this many lines on a side the middle is told as replaced.
const MOST_LINES: usize = 1000;

/// A unified difference without file names, three lines of context.
pub fn unified(old: &str, new: &str) -> String {
    written(old.lines().collect(), new.lines().collect(), "\n")
}

/// The same of files, where it counts whether the last line has an end.
pub fn of_files(old: &str, new: &str) -> String {
    written(old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect(), "")
}

fn written(old: Vec<&str>, new: Vec<&str>, end: &str) -> String {
    let steps = steps(&old, &new);
    let changed: Vec<usize> = (0..steps.len()).filter(|i| steps.get(*i).is_some_and(|step| step.0 != ' ')).collect();
    let mut out = String::new();
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for at in changed {
        let (from, to) = (at.saturating_sub(CONTEXT), (at + CONTEXT + 1).min(steps.len()));
        match groups.last_mut() {
            Some((_, end)) if from <= *end => *end = to,
            _ => groups.push((from, to)),
        }
    }
    for (from, to) in groups {
        let before = |sign: char| steps.iter().take(from).filter(|step| step.0 != sign).count();
        let inside = |sign: char| steps.iter().take(to).skip(from).filter(|step| step.0 != sign).count();
        let range = |start: usize, count: usize| match count {
            1 => format!("{}", start + 1),
            0 => format!("{start},0"),
            _ => format!("{},{count}", start + 1),
        };
        out.push_str(&format!("@@ -{} +{} @@\n", range(before('+'), inside('+')), range(before('-'), inside('-'))));
        for (sign, line) in steps.iter().take(to).skip(from) {
            out.push(*sign);
            out.push_str(line);
            out.push_str(end);
            if end.is_empty() && !line.ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    out
}

/// A difference in the form `diff` has without options (`2c2`, `< old`, `---`, `> new`).
pub fn normal(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let steps = steps(&old, &new);
    let (mut out, mut at, mut a, mut b) = (String::new(), 0, 0, 0);
    while let Some((sign, _)) = steps.get(at) {
        if *sign == ' ' {
            (at, a, b) = (at + 1, a + 1, b + 1);
            continue;
        }
        let run: Vec<&(char, &str)> = steps.iter().skip(at).take_while(|step| step.0 != ' ').collect();
        let of = |sign: char| run.iter().filter(|step| step.0 == sign).map(|step| step.1).collect::<Vec<_>>();
        let (gone, come) = (of('-'), of('+'));
        let range = |start: usize, count: usize| match count {
            0 => start.to_string(),
            1 => (start + 1).to_string(),
            _ => format!("{},{}", start + 1, start + count),
        };
        let verb = match (gone.is_empty(), come.is_empty()) {
            (true, _) => 'a',
            (_, true) => 'd',
            _ => 'c',
        };
        out.push_str(&format!("{}{verb}{}\n", range(a, gone.len()), range(b, come.len())));
        gone.iter().for_each(|line| out.push_str(&format!("< {line}\n")));
        if verb == 'c' {
            out.push_str("---\n");
        }
        come.iter().for_each(|line| out.push_str(&format!("> {line}\n")));
        (at, a, b) = (at + run.len(), a + gone.len(), b + come.len());
    }
    out
}

/// Both texts as kept, removed and added lines (longest common subsequence between the common ends).
fn steps<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let a = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let b = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    let mut out: Vec<(char, &str)> = old.iter().take(head).map(|line| (' ', *line)).collect();
    if a.len() > MOST_LINES || b.len() > MOST_LINES {
        out.extend(a.iter().map(|line| ('-', *line)).chain(b.iter().map(|line| ('+', *line))));
    } else {
        let width = b.len() + 1;
        let mut common = vec![0_u32; (a.len() + 1) * width];
        let at = |i: usize, j: usize| i * width + j;
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                common[at(i, j)] = match a[i] == b[j] {
                    true => common[at(i + 1, j + 1)] + 1,
                    false => common[at(i + 1, j)].max(common[at(i, j + 1)]),
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            if i < a.len() && j < b.len() && a[i] == b[j] {
                out.push((' ', a[i]));
                (i, j) = (i + 1, j + 1);
            } else if i < a.len() && (j == b.len() || common[at(i + 1, j)] >= common[at(i, j + 1)]) {
                out.push(('-', a[i]));
                i += 1;
            } else {
                out.push(('+', b[j]));
                j += 1;
            }
        }
    }
    out.extend(old.iter().skip(old.len() - tail).map(|line| (' ', *line)));
    out
}
