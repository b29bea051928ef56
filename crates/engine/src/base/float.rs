//! Text to floating-point numbers, rounded to the nearest as everywhere. The standard library's way is faster and
//! carries a table of 10 KB, which nothing shortens on its way to a page.

use std::cmp::Ordering;

/// More digits than these only decide whether something is left.
const DIGITS: usize = 800;

/// What `str::parse` reads: `1`, `-.5`, `2.`, `1e-7`, `inf`, `NaN`.
pub fn parse(text: &str) -> Option<f64> {
    let (negative, number) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = match number.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => decimal(number)?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn decimal(text: &str) -> Option<f64> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, power(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = || whole.bytes().chain(fraction.bytes());
    if all().next().is_none() || !all().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: Vec<u32> = all().map(|byte| u32::from(byte - b'0')).skip_while(|digit| *digit == 0).collect();
    // The number is 0.DIGITS times ten to this power.
    let point = exponent.saturating_add(digits.len() as i64).saturating_sub(fraction.len() as i64);
    if digits.is_empty() || point < -330 {
        return Some(0.0);
    }
    if point > 310 {
        return Some(f64::INFINITY);
    }
    let power = point - digits.len() as i64;
    if digits.len() <= 15 && power.abs() <= 22 {
        // Both are exact, so one rounding is left.
        let whole = digits.iter().fold(0.0, |sum, digit| sum * 10.0 + f64::from(*digit));
        let factor = 10_f64.powi(power.abs() as i32);
        return Some(if power < 0 { whole / factor } else { whole * factor });
    }
    let mut top = Big::default();
    digits.iter().take(DIGITS).for_each(|digit| top.times(10, *digit));
    let kept = digits.len().min(DIGITS) as i64;
    if digits.iter().skip(DIGITS).any(|digit| *digit != 0) {
        top.times(10, 1);
        return Some(divided(top, point - kept - 1));
    }
    Some(divided(top, point - kept))
}

fn power(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // One too large for an integer is as good as any other that large.
    let size = digits.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    Some(if text.starts_with('-') { -size } else { size })
}

/// `top` times ten to `power`: bit by bit, as one divides on paper.
fn divided(mut top: Big, power: i64) -> f64 {
    let mut bottom = Big(vec![1]);
    for _ in 0..power.unsigned_abs() {
        if power < 0 { &mut bottom } else { &mut top }.times(10, 0);
    }
    // Both are brought to one length, so that top / bottom is from 1 up to 2.
    let mut exponent = top.length() - bottom.length();
    top.shift(-exponent);
    bottom.shift(exponent);
    if top.compare(&bottom).is_lt() {
        exponent -= 1;
        top.times(2, 0);
    }
    // Below the smallest normal number there are fewer bits.
    let bits = (53 + (exponent + 1022).min(0)).max(0);
    let mut mantissa = 0_u64;
    for _ in 0..bits {
        mantissa <<= 1;
        if top.compare(&bottom).is_ge() {
            top.minus(&bottom);
            mantissa |= 1;
        }
        top.times(2, 0);
    }
    if bits == 0 {
        bottom.shift(-exponent - 1075);
    }
    let up = match top.compare(&bottom) {
        Ordering::Less => 0,
        Ordering::Equal => mantissa & 1,
        Ordering::Greater => 1,
    };
    let normal = if exponent < -1022 { 0 } else { (exponent + 1022) as u64 };
    f64::from_bits(((normal << 52) + mantissa + up).min(f64::INFINITY.to_bits()))
}

/// A whole number of any size, lowest digits first.
#[derive(Default)]
struct Big(Vec<u32>);

impl Big {
    fn times(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for digit in &mut self.0 {
            let product = u64::from(*digit) * u64::from(factor) + carry;
            *digit = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    /// In bits.
    fn length(&self) -> i64 {
        self.0.last().map_or(0, |last| self.0.len() as i64 * 32 - i64::from(last.leading_zeros()))
    }

    /// Times two to a power, if it is positive.
    fn shift(&mut self, power: i64) {
        let power = power.max(0) as usize;
        self.0.splice(0..0, std::iter::repeat_n(0, power / 32));
        self.times(1 << (power % 32), 0);
    }

    fn compare(&self, other: &Big) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Takes a number that is not larger.
    fn minus(&mut self, other: &Big) {
        let mut borrow = false;
        for (index, digit) in self.0.iter_mut().enumerate() {
            let taken = other.0.get(index).copied().unwrap_or(0);
            let (rest, below) = digit.overflowing_sub(taken);
            let (rest, lower) = rest.overflowing_sub(u32::from(borrow));
            (*digit, borrow) = (rest, below || lower);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Chance;

    #[test]
    fn reads_as_the_standard_library_does() {
        let check = |text: &str| {
            assert_eq!(parse(text).map(f64::to_bits), text.parse::<f64>().ok().map(f64::to_bits), "{text}");
        };
        let ends = "0 -0 1 0.1 .5 2. . e 1e 1e+ +1.5 -1e-7 1e23 9007199254740993 9007199254740992.5 1.7976931348623157e308 \
            1.7976931348623159e308 1e309 4.9e-324 5e-324 2.47e-324 2.4703282292062327e-324 2.4703282292062328e-324 1e-330 \
            2.2250738585072011e-308 2.2250738585072014e-308 1e99999999999999999999 inf -Infinity 1_0 0x1 --1 1e5.0";
        ends.split(' ').for_each(check);
        check("");
        check(&format!("1{}1e-1000", "0".repeat(1000)));
        check(&format!("9007199254740992.5{}1", "0".repeat(1000)));
        let mut chance = Chance::new(7);
        for _ in 0..20_000 {
            let number = f64::from_bits(chance.bits("floats"));
            check(&format!("{number:e}"));
            check(&format!("{}e{}", chance.bits("floats"), chance.bits("floats") % 700));
            check(&format!("{}e{}", chance.bits("floats") >> 16, chance.below("floats", 50) as i64 - 25));
            check(&format!("0.{}e-{}", chance.bits("floats"), chance.bits("floats") % 340));
        }
    }
}
