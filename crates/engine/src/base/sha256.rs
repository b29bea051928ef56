//! SHA-256 (FIPS 180-4): names that end in a hash of their content.

/// The digest in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let mut state: [u32; 8] = std::array::from_fn(|at| fraction(PRIMES[at], false));
    let mut text = bytes.to_vec();
    text.push(0x80);
    while text.len() % 64 != 56 {
        text.push(0);
    }
    text.extend((bytes.len() as u64).wrapping_mul(8).to_be_bytes());
    for block in text.chunks_exact(64) {
        compress(&mut state, block);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

const PRIMES: [u64; 64] = {
    let mut found = [0; 64];
    let (mut count, mut candidate) = (0, 2);
    while count < 64 {
        let (mut divisor, mut prime) = (2, true);
        while divisor * divisor <= candidate {
            if candidate % divisor == 0 {
                prime = false;
            }
            divisor += 1;
        }
        if prime {
            found[count] = candidate;
            count += 1;
        }
        candidate += 1;
    }
    found
};

/// The first 32 bits behind the point of a number's square or cube root.
fn fraction(number: u64, cube: bool) -> u32 {
    let scale = if cube { 96 } else { 64 };
    let wanted = u128::from(number) << scale.min(96);
    let (mut low, mut high) = (0u128, 1u128 << 36);
    while high - low > 1 {
        let middle = (low + high) / 2;
        let power = if cube { middle * middle * middle } else { middle * middle };
        if power <= wanted { low = middle } else { high = middle }
    }
    low as u32
}

fn compress(state: &mut [u32; 8], block: &[u8]) {
    let mut w = [0u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
    }
    for i in 16..64 {
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for i in 0..64 {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(fraction(PRIMES[i], true)).wrapping_add(w[i]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_digests() {
        assert_eq!(super::hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(super::hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
