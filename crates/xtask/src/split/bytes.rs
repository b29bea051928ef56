//! Pieces of a wasm file.

pub fn number(to: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

pub fn signed(to: &mut Vec<u8>, value: u32) {
    let mut value = i64::from(value as i32);
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        if (value == 0 && byte & 0x40 == 0) || (value == -1 && byte & 0x40 != 0) {
            return to.push(byte);
        }
        to.push(byte | 0x80);
    }
}

pub fn text(to: &mut Vec<u8>, value: &str) {
    number(to, value.len() as u32);
    to.extend_from_slice(value.as_bytes());
}

pub fn sized(bytes: Vec<u8>) -> Vec<u8> {
    let mut to = Vec::new();
    number(&mut to, bytes.len() as u32);
    to.extend(bytes);
    to
}

pub fn list(items: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let items: Vec<Vec<u8>> = items.collect();
    let mut to = Vec::new();
    number(&mut to, items.len() as u32);
    to.extend(items.into_iter().flatten());
    to
}

pub fn section(file: &mut Vec<u8>, id: u8, content: &[u8]) {
    if !content.is_empty() {
        file.push(id);
        file.extend(sized(content.to_vec()));
    }
}

pub fn import(module: &str, name: &str, kind: &[u8]) -> Vec<u8> {
    let mut to = Vec::new();
    text(&mut to, module);
    text(&mut to, name);
    to.extend_from_slice(kind);
    to
}

pub fn export_section(exports: &[(String, u8, u32)]) -> Vec<u8> {
    list(exports.iter().map(|(name, kind, index)| {
        let mut to = Vec::new();
        text(&mut to, name);
        to.push(*kind);
        number(&mut to, *index);
        to
    }))
}
