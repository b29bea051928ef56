//! Backslash escapes of `echo -e`, `printf`, `$'…'` and `tr`.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `echo -e`, `printf %b`: octal needs a leading 0.
    Echo,
    /// The format of `printf`.
    Format,
    /// `$'…'`
    Quote,
}

/// The bytes meant, and whether `\c` said to stop.
pub fn unescape(text: &str, style: Style) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push(&mut out, c);
            continue;
        }
        let rest_of = |out: &mut Vec<u8>, letter: char, value: Option<u32>| match value {
            Some(value) => push(out, char::from_u32(value).unwrap_or('\u{fffd}')),
            None => out.extend([b'\\', letter as u8]),
        };
        match chars.next() {
            None => out.push(b'\\'),
            Some('a') => out.push(7),
            Some('b') => out.push(8),
            Some('e' | 'E') => out.push(27),
            Some('f') => out.push(12),
            Some('n') => out.push(b'\n'),
            Some('r') => out.push(b'\r'),
            Some('t') => out.push(b'\t'),
            Some('v') => out.push(11),
            Some('\\') => out.push(b'\\'),
            Some('c') if style != Style::Quote => return (out, true),
            Some(quote @ ('\'' | '"')) if style != Style::Echo => push(&mut out, quote),
            Some('x') => match digits_of(&mut chars, 16, 2) {
                Some(value) => out.push(value as u8),
                None => out.extend(b"\\x"),
            },
            Some('u') => rest_of(&mut out, 'u', digits_of(&mut chars, 16, 4)),
            Some('U') => rest_of(&mut out, 'U', digits_of(&mut chars, 16, 8)),
            Some(c @ '0'..='7') => {
                let first = c.to_digit(8).unwrap_or(0);
                let more = if style == Style::Echo {
                    if c != '0' {
                        out.extend([b'\\', c as u8]);
                        continue;
                    }
                    3
                } else {
                    2
                };
                let mut value = first;
                for _ in 0..more {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                out.push(value as u8);
            }
            Some(c) => {
                out.push(b'\\');
                push(&mut out, c);
            }
        }
    }
    (out, false)
}

fn digits_of(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize) -> Option<u32> {
    let mut value: Option<u32> = None;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        value = Some(value.unwrap_or(0).wrapping_mul(radix).wrapping_add(digit));
        chars.next();
    }
    value
}

fn push(out: &mut Vec<u8>, c: char) {
    out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
}
