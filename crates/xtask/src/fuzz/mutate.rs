//! Makes a text that is almost another one.

use crate::chance::Chance;

/// Small things that have broken readers before.
const ODD: [&str; 44] = [
    "-1",
    "0",
    "1",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "1e308",
    "1e999",
    "0x",
    "0o",
    "1Ei",
    "1000000000",
    "NaN",
    "~",
    "null",
    "true",
    "\"",
    "'",
    "`",
    "$(",
    "${",
    "$((",
    "))",
    "}}",
    "{{",
    "[",
    "]",
    "{",
    "}",
    "|",
    ">",
    "&",
    "*",
    "!!",
    "\\",
    "\n",
    "\t",
    "\0",
    "é",
    "𝔘",
    "\u{feff}",
    "..",
    "%",
];

#[derive(Clone, Debug)]
pub struct Mutator {
    chance: Chance,
    words: Vec<Vec<u8>>,
}

/// Longer texts are cut: the time is better spent on more of them.
const LONGEST: usize = 20_000;

impl Mutator {
    pub fn new(seed: u64, words: Vec<Vec<u8>>) -> Mutator {
        Mutator { chance: Chance(seed), words }
    }

    /// A text of the corpus with one to eight changes.
    pub fn mutate(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = corpus[self.chance.below(corpus.len())].clone();
        for _ in 0..1 + self.chance.below(8) {
            self.change(&mut bytes, corpus);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
        let at = self.chance.below(bytes.len() + 1);
        let length = self.length().min(bytes.len() - at);
        match self.chance.below(10) {
            0 => drop(bytes.drain(at..at + length)),
            1 => insert(bytes, at, &[self.chance.next() as u8]),
            2 if at < bytes.len() => bytes[at] ^= 1 << self.chance.below(8),
            3 => {
                // A part again and again: depth.
                let part = bytes[at..at + length.min(40)].to_vec();
                let most = if self.chance.below(10) == 0 { 2000 } else { 8 };
                let times = 1 + self.chance.below(most);
                insert(bytes, at, &part.repeat(times));
            }
            4 => {
                let odd = ODD[self.chance.below(ODD.len())].as_bytes();
                insert(bytes, at, odd);
            }
            5 => {
                let other = &corpus[self.chance.below(corpus.len())];
                let from = self.chance.below(other.len() + 1);
                let part = &other[from..(from + length).min(other.len())];
                insert(bytes, at, part);
            }
            6 => self.replace_word(bytes, at),
            7 => {
                let part: Vec<u8> = bytes.drain(at..at + length).collect();
                let to = self.chance.below(bytes.len() + 1);
                insert(bytes, to, &part);
            }
            _ => {
                if !self.words.is_empty() {
                    let index = self.chance.below(self.words.len());
                    let word = self.words[index].clone();
                    if self.chance.below(2) == 0 {
                        self.remove_word(bytes, at);
                    }
                    let at = at.min(bytes.len());
                    insert(bytes, at, &word);
                }
            }
        }
    }

    /// The word or number at a place becomes something odd.
    fn replace_word(&mut self, bytes: &mut Vec<u8>, at: usize) {
        self.remove_word(bytes, at);
        let odd = ODD[self.chance.below(ODD.len())].as_bytes();
        let at = at.min(bytes.len());
        insert(bytes, at, odd);
    }

    fn remove_word(&mut self, bytes: &mut Vec<u8>, at: usize) {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let end = at + bytes[at..].iter().take_while(|byte| is_word(byte)).count();
        bytes.drain(at..end);
    }

    fn length(&mut self) -> usize {
        let most = [2, 8, 32, 200][self.chance.below(4)];
        1 + self.chance.below(most)
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, part: &[u8]) {
    bytes.splice(at..at, part.iter().copied());
}
