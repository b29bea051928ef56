//! Brace expansion: `{a,b}` and `{1..9}`, on words as read.

use super::ast::{Part, Word};

const WORDS_LIMIT: usize = 20_000;

#[derive(Clone)]
enum Piece {
    Char(char),
    Opaque(Part),
}

/// Adds the words this word stands for.
pub fn expand(word: Word, braces: bool, out: &mut Vec<Word>) {
    let has = |part: &Part| matches!(part, Part::Text(text) if text.contains('{'));
    if !braces || !word.iter().any(has) {
        out.push(word);
        return;
    }
    let mut pieces = Vec::new();
    for part in word {
        match part {
            Part::Text(text) => pieces.extend(text.chars().map(Piece::Char)),
            other => pieces.push(Piece::Opaque(other)),
        }
    }
    // A work list instead of recursion: the leftmost brace of each word is opened until none is left.
    let mut waiting = vec![(pieces, 0usize)];
    let limit = out.len() + WORDS_LIMIT;
    while let Some((pieces, from)) = waiting.pop() {
        match first_brace(&pieces, from) {
            Some((open, close, choices)) if out.len() + waiting.len() + choices.len() < limit => {
                for choice in choices.into_iter().rev() {
                    let mut next: Vec<Piece> = pieces.iter().take(open).cloned().collect();
                    next.extend(choice);
                    next.extend(pieces.iter().skip(close + 1).cloned());
                    waiting.push((next, open));
                }
            }
            _ => out.push(word_of(pieces)),
        }
    }
}

fn word_of(pieces: Vec<Piece>) -> Word {
    let mut word = Word::new();
    for piece in pieces {
        match (piece, word.last_mut()) {
            (Piece::Char(c), Some(Part::Text(text))) => text.push(c),
            (Piece::Char(c), _) => word.push(Part::Text(c.to_string())),
            (Piece::Opaque(part), _) => word.push(part),
        }
    }
    // `{,x}` makes an empty word, which is dropped unless something quoted is in it.
    word
}

/// The first brace that means something: where it opens and closes, and its choices.
fn first_brace(pieces: &[Piece], from: usize) -> Option<(usize, usize, Vec<Vec<Piece>>)> {
    let char_at = |at: usize| match pieces.get(at) {
        Some(Piece::Char(c)) => Some(*c),
        _ => None,
    };
    for open in from..pieces.len() {
        if char_at(open) != Some('{') {
            continue;
        }
        let (mut depth, mut choices, mut current) = (0u32, Vec::new(), Vec::new());
        for (at, piece) in pieces.iter().enumerate().skip(open + 1) {
            match piece {
                Piece::Char('{') => depth += 1,
                Piece::Char('}') if depth == 0 => {
                    if !choices.is_empty() {
                        choices.push(current);
                        return Some((open, at, choices));
                    }
                    if let Some(range) = range(&current) {
                        return Some((open, at, range));
                    }
                    break;
                }
                Piece::Char('}') => depth -= 1,
                Piece::Char(',') if depth == 0 => {
                    choices.push(std::mem::take(&mut current));
                    continue;
                }
                _ => {}
            }
            current.push(piece.clone());
        }
    }
    None
}

fn range(pieces: &[Piece]) -> Option<Vec<Vec<Piece>>> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Char(c) => text.push(*c),
            Piece::Opaque(_) => return None,
        }
    }
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?.unsigned_abs().max(1)),
        _ => return None,
    };
    let pieces = |text: String| text.chars().map(Piece::Char).collect::<Vec<_>>();
    let walk = |from: i64, to: i64| {
        let count = from.abs_diff(to) / step + 1;
        let step = if from <= to { step as i64 } else { -(step as i64) };
        (count <= WORDS_LIMIT as u64)
            .then(|| (0..count as i64).map(move |n| from.saturating_add(n.saturating_mul(step))))
    };
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded =
            |text: &str| text.trim_start_matches('-').starts_with('0') && text.trim_start_matches('-').len() > 1;
        let width = if padded(first) || padded(last) { first.len().max(last.len()).min(30) } else { 0 };
        return Some(walk(from, to)?.map(|n| pieces(format!("{n:0width$}"))).collect());
    }
    let mut letters = (first.chars(), last.chars());
    match (letters.0.next(), letters.0.next(), letters.1.next(), letters.1.next()) {
        (Some(a), None, Some(b), None) if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => {
            let letter = |n: i64| pieces(u8::try_from(n).map_or('?', char::from).to_string());
            Some(walk(a as i64, b as i64)?.map(letter).collect())
        }
        _ => None,
    }
}
