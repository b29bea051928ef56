//! Tar archives (ustar): packed by `tar cf` and `kubectl cp`, unpacked by `tar xf` and `kubectl cp`.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Without a slash at its end.
    pub path: String,
    pub mode: u32,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    File(Vec<u8>),
    Directory,
    Link(String),
}

const BLOCK: usize = 512;

pub fn pack(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        let (kind, content, link): (u8, &[u8], &str) = match &entry.what {
            What::File(content) => (b'0', content, ""),
            What::Directory => (b'5', &[], ""),
            What::Link(to) => (b'2', &[], to),
        };
        let mut path = entry.path.clone();
        if kind == b'5' {
            path.push('/');
        }
        // A path that is too long for the name goes on before it.
        let cut = if path.len() > 100 {
            path.char_indices().find(|(at, c)| *c == '/' && path.len() - at <= 101)
        } else {
            None
        };
        let (prefix, name) = match cut {
            Some((at, _)) => (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default()),
            None => ("", path.as_str()),
        };
        let mut head = vec![0u8; BLOCK];
        let mut put = |at: usize, width: usize, text: &[u8]| {
            for (slot, byte) in head.iter_mut().skip(at).take(width).zip(text) {
                *slot = *byte;
            }
        };
        put(0, 100, name.as_bytes());
        put(100, 8, format!("{:07o}", entry.mode & 0o7777).as_bytes());
        put(108, 8, b"0000000");
        put(116, 8, b"0000000");
        put(124, 12, format!("{:011o}", content.len()).as_bytes());
        put(136, 12, b"00000000000");
        put(148, 8, b"        ");
        put(156, 1, &[kind]);
        put(157, 100, link.as_bytes());
        put(257, 8, b"ustar\x0000");
        put(345, 155, prefix.as_bytes());
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        for (slot, byte) in head.iter_mut().skip(148).zip(format!("{sum:06o}\0 ").as_bytes()) {
            *slot = *byte;
        }
        out.extend(head);
        out.extend(content);
        out.resize(out.len().div_ceil(BLOCK) * BLOCK, 0);
    }
    out.resize(out.len() + 2 * BLOCK, 0);
    out
}

/// The entries; `None` when it is no archive.
pub fn unpack(bytes: &[u8]) -> Option<Vec<Entry>> {
    let mut out = Vec::new();
    let mut at = 0usize;
    while let Some(head) = bytes.get(at..at.checked_add(BLOCK)?) {
        if head.iter().all(|byte| *byte == 0) {
            return Some(out);
        }
        let text = |from: usize, width: usize| {
            let field = head.get(from..from + width).unwrap_or_default();
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
            String::from_utf8_lossy(field.get(..end).unwrap_or_default()).into_owned()
        };
        let number = |from: usize, width: usize| usize::from_str_radix(text(from, width).trim(), 8).ok();
        if text(257, 5) != "ustar" {
            return None;
        }
        let size = number(124, 12)?;
        let (prefix, name) = (text(345, 155), text(0, 100));
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let start = at + BLOCK;
        let content = bytes.get(start..start.checked_add(size)?)?;
        let what = match head.get(156) {
            Some(b'5') => What::Directory,
            Some(b'2') => What::Link(text(157, 100)),
            Some(b'x' | b'g' | b'L') => {
                // More about the entry that follows; nothing of it is needed here.
                at = start.checked_add(size.checked_next_multiple_of(BLOCK)?)?;
                continue;
            }
            _ => What::File(content.to_vec()),
        };
        let mode = u32::try_from(number(100, 8)?).unwrap_or(0o644);
        out.push(Entry { path: path.trim_end_matches('/').into(), mode, what });
        at = start + size.div_ceil(BLOCK) * BLOCK;
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out() {
        let long = format!("{}/{}", "d".repeat(120), "f".repeat(90));
        let all = [
            Entry { path: "a".into(), mode: 0o755, what: What::Directory },
            Entry { path: "a/b".into(), mode: 0o600, what: What::File(b"text\n".to_vec()) },
            Entry { path: "a/l".into(), mode: 0o777, what: What::Link("b".into()) },
            Entry { path: long, mode: 0o644, what: What::File(Vec::new()) },
        ];
        assert_eq!(unpack(&pack(&all)).as_deref(), Some(&all[..]));
        assert_eq!(unpack(b"no archive at all"), None);
    }
}
