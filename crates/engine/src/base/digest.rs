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
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (own, add) in state.iter_mut().zip([a, b, c, d, e]) {
            *own = own.wrapping_add(add);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Fractions of the cube roots of the first primes; SHA-256 takes their upper halves.
const CUBE_ROOTS: [u64; 80] = [
    0x428a_2f98_d728_ae22,
    0x7137_4491_23ef_65cd,
    0xb5c0_fbcf_ec4d_3b2f,
    0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538,
    0x59f1_11f1_b605_d019,
    0x923f_82a4_af19_4f9b,
    0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242,
    0x1283_5b01_4570_6fbe,
    0x2431_85be_4ee4_b28c,
    0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f,
    0x80de_b1fe_3b16_96b1,
    0x9bdc_06a7_25c7_1235,
    0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2,
    0xefbe_4786_384f_25e3,
    0x0fc1_9dc6_8b8c_d5b5,
    0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275,
    0x4a74_84aa_6ea6_e483,
    0x5cb0_a9dc_bd41_fbd4,
    0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab,
    0xa831_c66d_2db4_3210,
    0xb003_27c8_98fb_213f,
    0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2,
    0xd5a7_9147_930a_a725,
    0x06ca_6351_e003_826f,
    0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc,
    0x2e1b_2138_5c26_c926,
    0x4d2c_6dfc_5ac4_2aed,
    0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de,
    0x766a_0abb_3c77_b2a8,
    0x81c2_c92e_47ed_aee6,
    0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364,
    0xa81a_664b_bc42_3001,
    0xc24b_8b70_d0f8_9791,
    0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218,
    0xd699_0624_5565_a910,
    0xf40e_3585_5771_202a,
    0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8,
    0x1e37_6c08_5141_ab53,
    0x2748_774c_df8e_eb99,
    0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63,
    0x4ed8_aa4a_e341_8acb,
    0x5b9c_ca4f_7763_e373,
    0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc,
    0x78a5_636f_4317_2f60,
    0x84c8_7814_a1f0_ab72,
    0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28,
    0xa450_6ceb_de82_bde9,
    0xbef9_a3f7_b2c6_7915,
    0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c,
    0xd186_b8c7_21c0_c207,
    0xeada_7dd6_cde0_eb1e,
    0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba,
    0x0a63_7dc5_a2c8_98a6,
    0x113f_9804_bef9_0dae,
    0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84,
    0x32ca_ab7b_40c7_2493,
    0x3c9e_be0a_15c9_bebc,
    0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6,
    0x597f_299c_fc65_7e2a,
    0x5fcb_6fab_3ad6_faec,
    0x6c44_198c_4a47_5817,
];

/// Fractions of the square roots of the first primes.
const SQUARE_ROOTS: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

pub fn sha256_of(message: &[u8]) -> Vec<u8> {
    let bits = (message.len() as u64).wrapping_mul(8);
    let upper = |bits: &u64| (bits >> 32) as u32;
    let k: Vec<u32> = CUBE_ROOTS.iter().map(upper).collect();
    let mut state: Vec<u32> = SQUARE_ROOTS.iter().map(upper).collect();
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
            let first = at(&v, 7).wrapping_add(s1).wrapping_add(e & f ^ !e & g).wrapping_add(*k).wrapping_add(*word);
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
    let mut state = SQUARE_ROOTS.to_vec();
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
        for (word, k) in w.iter().zip(&CUBE_ROOTS) {
            let (a, b, c, e, f, g) = (at(&v, 0), at(&v, 1), at(&v, 2), at(&v, 4), at(&v, 5), at(&v, 6));
            let s1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let first = at(&v, 7).wrapping_add(s1).wrapping_add(e & f ^ !e & g).wrapping_add(*k).wrapping_add(*word);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        let sha256 = |text: &[u8]| hex(&sha256_of(text));
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
