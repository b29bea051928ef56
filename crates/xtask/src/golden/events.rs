//! Tables of events: which of two that were made in one second comes first is chance.

/// The same lines, with events of one second (in either of the two) in another order. Every text comes with the one it
/// was made from, which still has the ages.
pub fn same_but_for_order(recorded: (&str, &str), ours: (&str, &str)) -> bool {
    let (theirs, mine) = (Lines::read(recorded), Lines::read(ours));
    let (Some(theirs), Some(mine)) = (theirs, mine) else { return false };
    theirs.plain == mine.plain
        && theirs.tables.len() == mine.tables.len()
        && theirs.tables.iter().zip(&mine.tables).all(|(theirs, mine)| is_order_chance(theirs, mine))
}

/// A line and the age in the one it was made from.
type Line = (String, String);

#[derive(Default)]
struct Lines {
    plain: Vec<String>,
    tables: Vec<Vec<Line>>,
}

impl Lines {
    fn read((text, raw): (&str, &str)) -> Option<Lines> {
        let (text, raw): (Vec<&str>, Vec<&str>) = (text.lines().collect(), raw.lines().collect());
        if text.len() != raw.len() {
            return None;
        }
        let mut lines = Lines::default();
        // Which column holds the age, inside a table.
        let mut age = None;
        for (line, raw) in text.iter().zip(raw) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let header = match words.as_slice() {
                ["Type", "Reason", "Age", "From", "Message"] => Some(2),
                ["LAST", "SEEN", "TYPE", "REASON", ..] => Some(0),
                _ => None,
            };
            if header.is_some() {
                age = header;
                lines.tables.push(Vec::new());
            } else if words.is_empty() {
                age = None;
            }
            match (age, header, lines.tables.last_mut()) {
                (Some(column), None, Some(table)) if !line.trim_start().starts_with('-') => {
                    let cells: Vec<&str> = raw.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
                    let cell = cells.get(column).copied().unwrap_or_default();
                    let seconds = cell.split(" (").next().unwrap_or(cell);
                    table.push((line.to_string(), seconds.to_string()));
                }
                _ => lines.plain.push(line.to_string()),
            }
        }
        Some(lines)
    }
}

fn is_order_chance(theirs: &[Line], mine: &[Line]) -> bool {
    // Where each of our lines stands in theirs.
    let mut places: Vec<usize> = Vec::new();
    for (line, _) in mine {
        let free = |(at, (other, _)): &(usize, &Line)| other == line && !places.contains(at);
        match theirs.iter().enumerate().find(free) {
            Some((at, _)) => places.push(at),
            None => return false,
        }
    }
    theirs.len() == mine.len()
        && places.iter().enumerate().all(|(i, a)| {
            places.iter().enumerate().skip(i + 1).all(|(j, b)| {
                let one_second = mine[i].1 == mine[j].1 || theirs[*a].1 == theirs[*b].1;
                a < b || one_second
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(theirs: &str, ours: &str) -> bool {
        let plain = |text: &str| text.replace("5s", "<age>").replace("7s", "<age>");
        same_but_for_order((&plain(theirs), theirs), (&plain(ours), ours))
    }

    #[test]
    fn only_events_of_one_second_change_places() {
        let head = "LAST SEEN   TYPE   REASON   OBJECT   MESSAGE\n";
        let table = |rows: &str| format!("{head}{rows}");
        assert!(check(&table("5s  a  b\n5s  c  d\n"), &table("5s  c  d\n5s  a  b\n")));
        assert!(check(&table("7s  a  b\n5s  c  d\n"), &table("5s  c  d\n5s  a  b\n")));
        assert!(!check(&table("7s  a  b\n5s  c  d\n"), &table("7s  c  d\n5s  a  b\n")));
        assert!(!check(&table("5s  a  b\n"), &table("5s  c  d\n")));
    }
}
