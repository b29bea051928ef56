//! Plain data as bytes, for a program that runs in another module (`remote`). Both ends are of one build, so there are
//! no versions; reading is total all the same: bytes that make no sense end the reading, never the reader.

mod things;

use crate::base::{SmolStr, Time};

pub use things::{signal, stream};

#[derive(Default)]
pub struct Writer(pub Vec<u8>);

/// Every read answers with a default once the bytes have ended or make no sense; `good` says whether they did not.
pub struct Reader<'a> {
    rest: &'a [u8],
    pub good: bool,
}

impl Writer {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits a byte, lowest first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    pub fn time(&mut self, time: Time) {
        self.signed(time.0);
    }

    pub fn flag(&mut self, flag: bool) {
        self.byte(flag.into());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// How many, then each.
    pub fn all<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut each: impl FnMut(&mut Writer, T)) {
        self.count(items.len());
        for item in items {
            each(self, item);
        }
    }

    pub fn texts(&mut self, texts: &[String]) {
        self.all(texts.iter(), |to, text| to.text(text));
    }

    pub fn pairs<'p>(&mut self, pairs: impl ExactSizeIterator<Item = (&'p String, &'p String)>) {
        self.all(pairs, |to, (name, text)| {
            to.text(name);
            to.text(text);
        });
    }

    pub fn maybe<T>(&mut self, item: Option<T>, each: impl FnOnce(&mut Writer, T)) {
        self.flag(item.is_some());
        if let Some(item) = item {
            each(self, item);
        }
    }
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, good: true }
    }

    /// Nothing more can be read.
    fn spoil(&mut self) {
        (self.rest, self.good) = (&[], false);
    }

    pub fn byte(&mut self) -> u8 {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                *first
            }
            [] => {
                self.spoil();
                0
            }
        }
    }

    pub fn number(&mut self) -> u64 {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
        }
        self.spoil();
        0
    }

    pub fn small(&mut self) -> u32 {
        self.number().try_into().unwrap_or_default()
    }

    pub fn signed(&mut self) -> i64 {
        let number = self.number();
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }

    pub fn time(&mut self) -> Time {
        Time(self.signed())
    }

    pub fn flag(&mut self) -> bool {
        self.byte() == 1
    }

    /// How many things follow; each takes a byte at least.
    pub fn count(&mut self) -> usize {
        let count = usize::try_from(self.number()).unwrap_or(usize::MAX);
        if count > self.rest.len() {
            self.spoil();
            return 0;
        }
        count
    }

    pub fn bytes(&mut self) -> &'a [u8] {
        let count = self.count();
        let (bytes, rest) = self.rest.split_at_checked(count).unwrap_or_default();
        self.rest = rest;
        bytes
    }

    pub fn text(&mut self) -> &'a str {
        std::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    pub fn string(&mut self) -> String {
        self.text().to_string()
    }

    pub fn smol(&mut self) -> SmolStr {
        SmolStr::new(self.text())
    }

    pub fn all<T>(&mut self, mut each: impl FnMut(&mut Reader<'a>) -> T) -> Vec<T> {
        let mut items = Vec::new();
        for _ in 0..self.count() {
            items.push(each(self));
        }
        items
    }

    pub fn texts(&mut self) -> Vec<String> {
        self.all(Reader::string)
    }

    pub fn pairs(&mut self) -> Vec<(String, String)> {
        self.all(|from| (from.string(), from.string()))
    }

    pub fn maybe<T>(&mut self, each: impl FnOnce(&mut Reader<'a>) -> T) -> Option<T> {
        self.flag().then(|| each(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let text = r#"{"a":[1,-5,2.5,"é",null,true,false,{}],"b":{"c":[]},"n":9223372036854775807}"#;
        let value = crate::base::json::parse(text).unwrap();
        let mut writer = Writer::default();
        writer.value(&value);
        let bytes = writer.0;
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.value(), value);
        assert!(reader.good && reader.rest.is_empty());
        for cut in 0..bytes.len() {
            let _ = Reader::new(&bytes[..cut]).value();
        }
        for at in 0..bytes.len() {
            for byte in [0, 1, 6, 7, 0x7f, 0xff] {
                let mut wrong = bytes.clone();
                wrong[at] = byte;
                let _ = Reader::new(&wrong).value();
            }
        }
    }

    #[test]
    fn numbers_at_their_ends() {
        let all = [0, 1, -1, 63, 64, -64, -65, i64::MAX, i64::MIN];
        let mut writer = Writer::default();
        for number in all {
            writer.signed(number);
        }
        let mut reader = Reader::new(&writer.0);
        assert_eq!(all.map(|_| reader.signed()), all);
        assert!(reader.good);
        Reader::new(&[0xff; 20]).number();
    }
}
