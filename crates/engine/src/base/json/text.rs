//! Where a JSON value ends, or what Go's encoding/json says is wrong with it, to the byte.

pub struct Problem {
    /// Go's offset, for syntax errors.
    pub offset: Option<usize>,
    /// Byte index in the text.
    pub at: usize,
    pub text: String,
}

pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// What must come next.
#[derive(Clone, Copy, PartialEq)]
enum Want {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
}

/// The index after the value that starts at `start`.
pub fn value_end(text: &str, start: usize) -> Result<usize, Problem> {
    let bytes = text.as_bytes();
    let mut at = start;
    let mut open: Vec<u8> = Vec::new();
    let mut want = Want::Value;
    loop {
        while bytes.get(at).is_some_and(|b| is_space(*b)) {
            at += 1;
        }
        let Some(&byte) = bytes.get(at) else { return Err(end_of_text(at)) };
        let in_map = open.last() == Some(&b'{');
        match (want, byte) {
            (Want::ValueOrEnd, b']') | (Want::KeyOrEnd, b'}') => {
                open.pop();
                at += 1;
            }
            (Want::CommaOrEnd, b'}' | b']') if (byte == b'}') == in_map => {
                open.pop();
                at += 1;
            }
            (Want::CommaOrEnd, b',') => {
                at += 1;
                want = if in_map { Want::Key } else { Want::Value };
                continue;
            }
            (Want::Colon, b':') => {
                at += 1;
                want = Want::Value;
                continue;
            }
            (Want::Key | Want::KeyOrEnd, b'"') => {
                at = string_end(bytes, at)?;
                want = Want::Colon;
                continue;
            }
            (Want::Value | Want::ValueOrEnd, b'{' | b'[') => {
                open.push(byte);
                if open.len() > 10_000 {
                    return Err(Problem {
                        offset: Some(at + 1),
                        at,
                        text: crate::base::gap::line("nesting deeper than 120", ""),
                    });
                }
                at += 1;
                want = if byte == b'{' { Want::KeyOrEnd } else { Want::ValueOrEnd };
                continue;
            }
            (Want::Value | Want::ValueOrEnd, b'"') => at = string_end(bytes, at)?,
            (Want::Value | Want::ValueOrEnd, b't') => at = literal_end(bytes, at, "true")?,
            (Want::Value | Want::ValueOrEnd, b'f') => at = literal_end(bytes, at, "false")?,
            (Want::Value | Want::ValueOrEnd, b'n') => at = literal_end(bytes, at, "null")?,
            (Want::Value | Want::ValueOrEnd, b'-' | b'0'..=b'9') => at = number_end(bytes, at)?,
            (Want::Value | Want::ValueOrEnd, _) => return Err(wrong(bytes, at, "looking for beginning of value")),
            (Want::Key | Want::KeyOrEnd, _) => {
                return Err(wrong(bytes, at, "looking for beginning of object key string"));
            }
            (Want::Colon, _) => return Err(wrong(bytes, at, "after object key")),
            (Want::CommaOrEnd, _) if in_map => return Err(wrong(bytes, at, "after object key:value pair")),
            (Want::CommaOrEnd, _) => return Err(wrong(bytes, at, "after array element")),
        }
        if open.is_empty() {
            return Ok(at);
        }
        want = Want::CommaOrEnd;
    }
}

fn string_end(bytes: &[u8], start: usize) -> Result<usize, Problem> {
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            None => return Err(end_of_text(at)),
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => match bytes.get(at + 1) {
                Some(b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"') => at += 2,
                Some(b'u') => {
                    for index in at + 2..at + 6 {
                        match bytes.get(index) {
                            None => return Err(end_of_text(index)),
                            Some(b) if b.is_ascii_hexdigit() => {}
                            Some(_) => return Err(wrong(bytes, index, "in \\u hexadecimal character escape")),
                        }
                    }
                    at += 6;
                }
                None => return Err(end_of_text(at + 1)),
                Some(_) => return Err(wrong(bytes, at + 1, "in string escape code")),
            },
            Some(0..=0x1f) => return Err(wrong(bytes, at, "in string literal")),
            Some(_) => at += 1,
        }
    }
}

fn literal_end(bytes: &[u8], start: usize, word: &str) -> Result<usize, Problem> {
    for (index, expected) in word.bytes().enumerate() {
        match bytes.get(start + index) {
            None => return Err(end_of_text(start + index)),
            Some(b) if *b == expected => {}
            Some(_) => {
                let context = format!("in literal {word} (expecting '{}')", expected as char);
                return Err(wrong(bytes, start + index, &context));
            }
        }
    }
    Ok(start + word.len())
}

fn number_end(bytes: &[u8], start: usize) -> Result<usize, Problem> {
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let need = |at: usize, context: &str| match bytes.get(at) {
        None => Err(end_of_text(at)),
        Some(b) if b.is_ascii_digit() => Ok(()),
        Some(_) => Err(wrong(bytes, at, context)),
    };
    let mut at = start;
    if bytes.get(at) == Some(&b'-') {
        at += 1;
        need(at, "in numeric literal")?;
    }
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits(at) };
    if bytes.get(at) == Some(&b'.') {
        need(at + 1, "after decimal point in numeric literal")?;
        at = digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        need(at, "in exponent of numeric literal")?;
        at = digits(at);
    }
    Ok(at)
}

fn end_of_text(at: usize) -> Problem {
    Problem { offset: None, at, text: "unexpected EOF".into() }
}

pub fn wrong(bytes: &[u8], at: usize, context: &str) -> Problem {
    let byte = bytes.get(at).copied().unwrap_or_default();
    let shown = match byte {
        b'\'' => "\\'".to_string(),
        b'"' => "\"".to_string(),
        byte => {
            let quoted = crate::base::goquote::quote(&char::from(byte).to_string());
            quoted.trim_matches('"').to_string()
        }
    };
    Problem { offset: Some(at + 1), at, text: format!("invalid character '{shown}' {context}") }
}
