//! base64 as Go's `StdEncoding` reads and writes it, with the offsets its errors name.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Whether a text is base64; else the offset of what is wrong.
pub fn check(text: &str) -> Result<(), usize> {
    decode(text).map(|_| ())
}

/// The bytes of a text; line ends are skipped.
pub fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let mut bytes = text.bytes().enumerate().filter(|(_, b)| !matches!(b, b'\n' | b'\r'));
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut have) = (0_u32, 0_usize);
    while let Some((at, byte)) = bytes.next() {
        if byte == b'=' {
            match have {
                0 | 1 => return Err(at),
                2 => match bytes.next() {
                    None => return Err(text.len()),
                    Some((_, b'=')) => {}
                    Some((at, _)) => return Err(at.saturating_sub(1)),
                },
                _ => {}
            }
            if let Some((at, _)) = bytes.next() {
                return Err(at);
            }
            group <<= 6 * (4 - have as u32);
            out.extend(group.to_be_bytes().into_iter().skip(1).take(have - 1));
            return Ok(out);
        }
        let Some(digit) = ALPHABET.iter().position(|b| *b == byte) else { return Err(at) };
        group = group << 6 | digit as u32;
        have += 1;
        if have == 4 {
            out.extend(group.to_be_bytes().into_iter().skip(1));
            (group, have) = (0, 0);
        }
    }
    if have == 0 { Ok(out) } else { Err(text.len().saturating_sub(have)) }
}

pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = (group >> (18 - 6 * place)) & 63;
            let character = ALPHABET.get(digit as usize).copied().unwrap_or(b'=');
            out.push(if place > chunk.len() { '=' } else { char::from(character) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let check = |bytes: &str, text: &str| {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text), Ok(bytes.as_bytes().to_vec()));
        };
        check("", "");
        check("f", "Zg==");
        check("fo", "Zm8=");
        check("foo", "Zm9v");
        check("foob", "Zm9vYg==");
        assert_eq!(decode("Zm9\nv"), Ok(b"foo".to_vec()));
        for (text, offset) in [("!!", 0), ("not base64!", 3), ("Zm9", 0), ("Zm9vZ", 4), ("Zg=", 3), ("Zg==a", 4)] {
            assert_eq!(decode(text), Err(offset), "{text}");
        }
    }
}
