//! Digests: MD5, SHA-1, SHA-256, SHA-512.

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The message with a one bit, zeros, and its length in bits, in blocks.
fn padded(message: &[u8], block: usize, length: &[u8]) -> Vec<u8> {
    let mut bytes = message.to_vec();
    bytes.push(0x80);
    while !(bytes.len() + length.len()).is_multiple_of(block) {
        bytes.push(0);
    }
    bytes.extend_from_slice(length);
    bytes
}

fn words(block: &[u8]) -> impl Iterator<Item = u32> {
    block.chunks(4).map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)))
}

/// Everything below indexes fixed tables with counters that stay inside them.
fn at<T: Copy + Default>(table: &[T], index: usize) -> T {
    table.get(index).copied().unwrap_or_default()
}

pub fn md5_of(message: &[u8]) -> Vec<u8> {
    const TURNS: [u32; 16] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
    let bits = (message.len() as u64).wrapping_mul(8);
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded(message, 64, &bits.to_le_bytes()).chunks(64) {
        let m: Vec<u32> = words(block).map(u32::swap_bytes).collect();
        let [mut a, mut b, mut c, mut d] = state;
        for i in 0..64usize {
            let (f, g) = match i / 16 {
                0 => (b & c | !b & d, i),
                1 => (d & b | !d & c, (5 * i + 1) % 16),
                2 => (b ^ c ^ d, (3 * i + 5) % 16),
                _ => (c ^ (b | !d), 7 * i % 16),
            };
            let k = ((i as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32;
            let sum = a.wrapping_add(f).wrapping_add(k).wrapping_add(at(&m, g));
            (a, d, c) = (d, c, b);
            b = b.wrapping_add(sum.rotate_left(at(&TURNS, i / 16 * 4 + i % 4)));
        }
        for (own, add) in state.iter_mut().zip([a, b, c, d]) {
            *own = own.wrapping_add(add);
        }
    }
    state.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub fn sha1_of(message: &[u8]) -> Vec<u8> {
    let bits = (message.len() as u64).wrapping_mul(8);
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in padded(message, 64, &bits.to_be_bytes()).chunks(64) {
        let mut w: Vec<u32> = words(block).collect();
        for i in 16..80 {
            w.push((at(&w, i - 3) ^ at(&w, i - 8) ^ at(&w, i - 14) ^ at(&w, i - 16)).rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in w.iter().enumerate() {
            let (f, k) = match i / 20 {
                0 => (b & c | !b & d, 0x5a82_7999u32),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6),
            };
            let next =
                a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (own, add) in state.iter_mut().zip([a, b, c, d, e]) {
            *own = own.wrapping_add(add);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// The first 64 bits of the fractional part of a root of each of the first primes: the constants of SHA-2.
fn root_bits(count: usize, cube: bool) -> Vec<u64> {
    let mut primes: Vec<u128> = Vec::new();
    let mut next = 2u128;
    while primes.len() < count {
        if primes.iter().all(|prime| !next.is_multiple_of(*prime)) {
            primes.push(next);
        }
        next += 1;
    }
    primes.iter().map(|prime| root_fraction(*prime, cube)).collect()
}

/// By halving: the largest 64-bit fraction whose power does not exceed the prime.
fn root_fraction(prime: u128, cube: bool) -> u64 {
    use crate::terraform::value::Natural;
    let power = if cube { 3 } else { 2 };
    let wanted = Natural::from(prime as u64).shift_left(64 * power);
    let (mut low, mut high) = (0u128, 1u128 << 69);
    while high - low > 1 {
        let middle = (low + high) / 2;
        let root = Natural::from((middle >> 64) as u64).shift_left(64).add(&Natural::from(middle as u64));
        let square = root.multiply(&root);
        let raised = if cube { square.multiply(&root) } else { square };
        if raised.compare(&wanted).is_le() { low = middle } else { high = middle }
    }
    low as u64
}

pub fn sha256_of(message: &[u8]) -> Vec<u8> {
    let bits = (message.len() as u64).wrapping_mul(8);
    let k: Vec<u32> = root_bits(64, true).iter().map(|bits| (bits >> 32) as u32).collect();
    let mut state: Vec<u32> = root_bits(8, false).iter().map(|bits| (bits >> 32) as u32).collect();
    for block in padded(message, 64, &bits.to_be_bytes()).chunks(64) {
        let mut w: Vec<u32> = words(block).collect();
        for i in 16..64 {
            let (x, y) = (at(&w, i - 15), at(&w, i - 2));
            let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
            let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
            w.push(at(&w, i - 16).wrapping_add(s0).wrapping_add(at(&w, i - 7)).wrapping_add(s1));
        }
        let mut v = state.clone();
        for (word, k) in w.iter().zip(&k) {
            let (a, b, c, e, f, g) = (at(&v, 0), at(&v, 1), at(&v, 2), at(&v, 4), at(&v, 5), at(&v, 6));
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let first =
                at(&v, 7).wrapping_add(s1).wrapping_add(e & f ^ !e & g).wrapping_add(*k).wrapping_add(*word);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = s0.wrapping_add(a & b ^ a & c ^ b & c);
            v = vec![first.wrapping_add(second), a, b, c, at(&v, 3).wrapping_add(first), e, f, g];
        }
        for (own, add) in state.iter_mut().zip(v) {
            *own = own.wrapping_add(add);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

pub fn sha512_of(message: &[u8]) -> Vec<u8> {
    let bits = (message.len() as u128).wrapping_mul(8);
    let k = root_bits(80, true);
    let mut state = root_bits(8, false);
    for block in padded(message, 128, &bits.to_be_bytes()).chunks(128) {
        let halves: Vec<u32> = words(block).collect();
        let mut w: Vec<u64> =
            halves.chunks(2).map(|pair| u64::from(at(pair, 0)) << 32 | u64::from(at(pair, 1))).collect();
        for i in 16..80 {
            let (x, y) = (at(&w, i - 15), at(&w, i - 2));
            let s0 = x.rotate_right(1) ^ x.rotate_right(8) ^ x >> 7;
            let s1 = y.rotate_right(19) ^ y.rotate_right(61) ^ y >> 6;
            w.push(at(&w, i - 16).wrapping_add(s0).wrapping_add(at(&w, i - 7)).wrapping_add(s1));
        }
        let mut v = state.clone();
        for (word, k) in w.iter().zip(&k) {
            let (a, b, c, e, f, g) = (at(&v, 0), at(&v, 1), at(&v, 2), at(&v, 4), at(&v, 5), at(&v, 6));
            let s1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let first =
                at(&v, 7).wrapping_add(s1).wrapping_add(e & f ^ !e & g).wrapping_add(*k).wrapping_add(*word);
            let s0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let second = s0.wrapping_add(a & b ^ a & c ^ b & c);
            v = vec![first.wrapping_add(second), a, b, c, at(&v, 3).wrapping_add(first), e, f, g];
        }
        for (own, add) in state.iter_mut().zip(v) {
            *own = own.wrapping_add(add);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}
