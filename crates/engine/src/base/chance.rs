//! Seeded chance, asked for by purpose, so that one more draw for one purpose changes nothing for the others.

use crate::base::{BTreeMap, SmolStr};

#[derive(Clone, Debug, PartialEq)]
pub struct Chance {
    seed: u64,
    /// How far each purpose has come.
    sources: BTreeMap<SmolStr, u64>,
}

/// The characters of generated names (apimachinery's rand.String).
const NAME: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance { seed, sources: BTreeMap::new() }
    }

    /// 64 random bits of the purpose's own sequence (SplitMix64).
    pub fn bits(&mut self, purpose: &'static str) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        if let Some(state) = self.sources.get_mut(purpose) {
            *state = state.wrapping_add(STEP);
            return mix(*state);
        }
        let state = hash(self.seed, purpose.as_bytes()).wrapping_add(STEP);
        self.sources.insert(purpose.into(), state);
        mix(state)
    }

    /// As many random bytes, of one look-up of the purpose.
    pub fn bytes(&mut self, purpose: &'static str, count: usize) -> Vec<u8> {
        let first = self.bits(purpose);
        let mut out = Vec::with_capacity(count.next_multiple_of(8));
        // What follows is the sequence that begins with this draw.
        for at in 0..count.div_ceil(8) as u64 {
            out.extend(mix(first.wrapping_add(at)).to_le_bytes());
        }
        out.truncate(count);
        out
    }

    /// A number below `limit` (which is at least 1).
    pub fn below(&mut self, purpose: &'static str, limit: u64) -> u64 {
        ((u128::from(self.bits(purpose)) * u128::from(limit.max(1))) >> 64) as u64
    }

    /// The random end of a generated name.
    pub fn suffix(&mut self, purpose: &'static str, length: usize) -> String {
        (0..length).map(|_| NAME[self.below(purpose, NAME.len() as u64) as usize] as char).collect()
    }

    /// A version 4 UUID.
    pub fn uuid(&mut self, purpose: &'static str) -> String {
        let (a, b) = (self.bits(purpose), self.bits(purpose));
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            a >> 32,
            (a >> 16) & 0xffff,
            a & 0xfff,
            (b >> 48) & 0x3fff | 0x8000,
            b & 0xffff_ffff_ffff
        )
    }

    /// `length` lower-case hexadecimal digits.
    pub fn hex(&mut self, purpose: &'static str, length: usize) -> String {
        let mut out = String::new();
        while out.len() < length {
            out.push_str(&format!("{:016x}", self.bits(purpose)));
        }
        out.truncate(length);
        out
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// FNV-1a over seed and bytes, mixed once more.
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ mix(seed);
    mix(bytes.iter().fold(start, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_do_not_disturb_each_other() {
        let mut a = Chance::new(1);
        let mut b = Chance::new(1);
        b.bits("other");
        assert_eq!(a.suffix("pod", 5), b.suffix("pod", 5));
        assert_ne!(Chance::new(1).bits("pod"), Chance::new(2).bits("pod"));
        let uuid = a.uuid("uid");
        assert_eq!((uuid.len(), &uuid[14..15]), (36, "4"));
    }
}
