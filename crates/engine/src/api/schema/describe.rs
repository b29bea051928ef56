//! What OpenAPI says of types and fields, for `kubectl explain`. The texts are large (160 KB after gzip), so they come
//! with the feature `texts`, which the native programs have and the page has not.

#[cfg(feature = "texts")]
const TEXTS: &str = include_str!("descriptions.txt");
#[cfg(not(feature = "texts"))]
const TEXTS: &str = "";

/// Whether the texts are there at all.
pub const HAS_DESCRIPTIONS: bool = !TEXTS.is_empty();

/// The text of a type (`core.v1.Pod`, `Quantity`) or, with a field's name, of its field; empty when it has none.
pub fn description(ty: &str, field: &str) -> String {
    let mut lines = TEXTS.lines();
    let head = |line: &&str| line.strip_prefix(ty).is_some_and(|rest| rest.starts_with('\t'));
    let Some(own) = lines.find(head) else { return String::new() };
    let line = if field.is_empty() {
        Some(own)
    } else {
        let of_field = |line: &str| {
            line.strip_prefix(' ').and_then(|l| l.strip_prefix(field)).is_some_and(|rest| rest.starts_with('\t'))
        };
        lines.take_while(|line| line.starts_with(' ')).find(|line| of_field(line))
    };
    let text = line.and_then(|line| line.split_once('\t')).map_or("", |(_, text)| text);
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                other => out.extend(other),
            },
            c => out.push(c),
        }
    }
    out
}
