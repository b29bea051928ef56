//! Shell patterns (`*`, `?`, `[…]`; a backslash protects), matched without recursion.

use super::regex::class;

enum Token {
    Any,
    One,
    Char(char),
    Set(bool, Vec<(char, char)>),
}

pub struct Pattern(Vec<Token>);

impl Pattern {
    pub fn new(text: &str) -> Pattern {
        let chars: Vec<char> = text.chars().collect();
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(c) = chars.get(at) {
            at += 1;
            match c {
                '*' if matches!(tokens.last(), Some(Token::Any)) => {}
                '*' => tokens.push(Token::Any),
                '?' => tokens.push(Token::One),
                '\\' => {
                    tokens.push(Token::Char(chars.get(at).copied().unwrap_or('\\')));
                    at += 1;
                }
                '[' => match set(&chars, at) {
                    Some((token, end)) => {
                        tokens.push(token);
                        at = end;
                    }
                    None => tokens.push(Token::Char('[')),
                },
                c => tokens.push(Token::Char(*c)),
            }
        }
        Pattern(tokens)
    }

    pub fn matches(&self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        self.matches_chars(&chars)
    }

    pub fn matches_chars(&self, chars: &[char]) -> bool {
        let (mut t, mut c) = (0, 0);
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match self.0.get(t) {
                Some(Token::Any) => {
                    retry = Some((t, c));
                    t += 1;
                    continue;
                }
                Some(token) if chars.get(c).is_some_and(|c| token.accepts(*c)) => {
                    (t, c) = (t + 1, c + 1);
                    continue;
                }
                None if c == chars.len() => return true,
                _ => {}
            }
            match retry {
                Some((star, from)) if from < chars.len() => {
                    retry = Some((star, from + 1));
                    (t, c) = (star + 1, from + 1);
                }
                _ => return false,
            }
        }
    }
}

impl Token {
    fn accepts(&self, c: char) -> bool {
        match self {
            Token::Any | Token::One => true,
            Token::Char(own) => *own == c,
            Token::Set(negated, ranges) => ranges.iter().any(|(a, b)| (*a..=*b).contains(&c)) != *negated,
        }
    }
}

fn set(chars: &[char], mut at: usize) -> Option<(Token, usize)> {
    let negated = matches!(chars.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let (mut ranges, first) = (Vec::new(), at);
    loop {
        let c = *chars.get(at)?;
        if c == ']' && at > first {
            return Some((Token::Set(negated, ranges), at + 1));
        }
        if c == '[' && chars.get(at + 1) == Some(&':') {
            let rest: String = chars.get(at + 2..)?.iter().take(8).collect();
            if let Some((members, end)) = rest.split_once(":]").and_then(|(name, _)| Some((class(name)?, name.len()))) {
                ranges.extend(members);
                at += end + 4;
                continue;
            }
        }
        let escaped = c == '\\' && chars.get(at + 1).is_some();
        let low = if escaped { *chars.get(at + 1)? } else { c };
        at += if escaped { 2 } else { 1 };
        match (chars.get(at), chars.get(at + 1)) {
            (Some('-'), Some(high)) if *high != ']' => {
                ranges.push((low, *high));
                at += 2;
            }
            _ => ranges.push((low, low)),
        }
    }
}

/// Whether a text has anything a pattern acts on.
pub fn is_pattern(text: &str) -> bool {
    let mut escaped = false;
    text.chars().any(|c| {
        let found = !escaped && matches!(c, '*' | '?' | '[');
        escaped = !escaped && c == '\\';
        found
    })
}
