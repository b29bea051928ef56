//! Numbers of the language: binary floating point of up to 512 bits (upstream: Go's big.Float as cty uses it), so that
//! `1/3` prints as many digits as the real tool prints. Each number knows its precision: whole numbers that functions
//! count have 64 bits, what comes from a float has 53, what is written has 512.

use std::cmp::Ordering;
use std::fmt;

use super::natural::Natural;

const WRITTEN: u32 = 512;
/// Beyond this power of two a number counts as infinite: texts of numbers stay short.
const LARGEST: i64 = 40_000;

#[derive(Clone, Debug)]
pub struct Number {
    negative: bool,
    /// Odd, or zero.
    mantissa: Natural,
    exponent: i64,
    precision: u32,
    infinite: bool,
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::rounded(value < 0, value.unsigned_abs().into(), 0, 64, false)
    }
}

impl Number {
    pub fn infinity(negative: bool) -> Number {
        Number { negative, mantissa: Natural::from(1), exponent: 0, precision: WRITTEN, infinite: true }
    }

    /// What a float is; `None` for what is no number.
    pub fn from_f64(value: f64) -> Option<Number> {
        if !value.is_finite() {
            return (!value.is_nan()).then(|| Number::infinity(value < 0.0));
        }
        let bits = value.to_bits();
        let power = (bits >> 52 & 0x7ff) as i64;
        let low = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = if power == 0 { (low, -1074) } else { (low | 1 << 52, power - 1075) };
        Some(Number::rounded(value.is_sign_negative(), mantissa.into(), exponent, 53, false))
    }

    /// A whole number of any length, as `parseint` makes it.
    pub fn from_natural(negative: bool, value: Natural) -> Number {
        let precision = value.bits().max(64);
        Number::rounded(negative && !value.is_zero(), value, 0, precision, false)
    }

    /// A number as it is written: `-1.5e3`.
    pub fn parse(text: &str) -> Option<Number> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if rest.eq_ignore_ascii_case("inf") || rest.eq_ignore_ascii_case("infinity") {
            return Some(Number::infinity(negative));
        }
        let (digits, power) = match rest.split_once(['e', 'E']) {
            Some((digits, power)) => (digits, power.parse::<i64>().ok().filter(|p| p.unsigned_abs() <= 10_000)?),
            None => (rest, 0),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.len() + part.len() == 0 || digits.len() > 10_000 {
            return None;
        }
        let value = Natural::parse(whole, 10).zip(Natural::parse(part, 10))?;
        let value = value.0.multiply(&Natural::power(10, part.len() as u32)).add(&value.1);
        let power = power - part.len() as i64;
        let scale = Natural::power(10, power.unsigned_abs() as u32);
        if power >= 0 {
            return Some(Number::rounded(negative, value.multiply(&scale), 0, WRITTEN, false));
        }
        Some(Number::quotient(negative, &value, &scale, 0, WRITTEN))
    }

    /// The nearest number of so many bits; `more` says that something not zero stands below the mantissa.
    fn rounded(negative: bool, mantissa: Natural, exponent: i64, precision: u32, more: bool) -> Number {
        let extra = mantissa.bits().saturating_sub(precision);
        let (mut mantissa, mut exponent) = if extra == 0 {
            (mantissa, exponent)
        } else {
            let mut kept = mantissa.shift_right(extra);
            let half = mantissa.bit(extra - 1);
            let above = more || mantissa.trailing_zeros() < extra - 1;
            if half && (above || kept.bit(0)) {
                kept = kept.add(&Natural::from(1));
            }
            (kept, exponent + i64::from(extra))
        };
        let zeros = mantissa.trailing_zeros();
        if zeros > 0 {
            mantissa = mantissa.shift_right(zeros);
            exponent += i64::from(zeros);
        }
        let zero = mantissa.is_zero();
        Number { negative, mantissa, exponent: if zero { 0 } else { exponent }, precision, infinite: false }
    }

    fn quotient(negative: bool, a: &Natural, b: &Natural, exponent: i64, precision: u32) -> Number {
        let shift = (precision + 2 + b.bits()).saturating_sub(a.bits());
        let (quotient, rest) = a.shift_left(shift).divide(b);
        // One more bit says whether anything is left, so that halves round right.
        let sticky = Natural::from(u64::from(!rest.is_zero()));
        let quotient = quotient.shift_left(1).add(&sticky);
        Number::rounded(negative, quotient, exponent - i64::from(shift) - 1, precision, false)
    }

    /// What it costs to write it down: all its digits, and those behind the point.
    pub fn weight(&self) -> u64 {
        let words = (u64::from(self.mantissa.bits()) + self.exponent.unsigned_abs()) / 32;
        words * words / 128
    }

    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    pub fn is_negative(&self) -> bool {
        self.negative
    }

    pub fn is_whole(&self) -> bool {
        self.exponent >= 0 && !self.infinite
    }

    pub fn negate(&self) -> Number {
        Number { negative: !self.negative, ..self.clone() }
    }

    pub fn absolute(&self) -> Number {
        Number { negative: false, ..self.clone() }
    }

    fn magnitude(&self) -> i64 {
        self.exponent + i64::from(self.mantissa.bits())
    }

    /// A number out of bounds is infinite, or nothing.
    fn checked(self) -> Number {
        match self.magnitude() {
            large if large > LARGEST => Number::infinity(self.negative),
            small if small < -LARGEST => Number::from(0),
            _ => self,
        }
    }

    /// The sum; `None` for infinities against each other.
    pub fn add(&self, other: &Number) -> Option<Number> {
        if self.infinite || other.infinite {
            let (infinite, other) = if self.infinite { (self, other) } else { (other, self) };
            let against = other.infinite && other.negative != infinite.negative;
            return (!against).then(|| infinite.clone());
        }
        let low = self.exponent.min(other.exponent);
        let wide = |number: &Number| number.mantissa.shift_left((number.exponent - low) as u32);
        let (a, b) = (wide(self), wide(other));
        let precision = self.precision.max(other.precision);
        let (negative, sum) = if self.negative == other.negative {
            (self.negative, a.add(&b))
        } else {
            match a.compare(&b) {
                Ordering::Less => (other.negative, b.subtract(&a)),
                Ordering::Equal => (false, Natural::from(0)),
                Ordering::Greater => (self.negative, a.subtract(&b)),
            }
        };
        Some(Number::rounded(negative, sum, low, precision, false).checked())
    }

    pub fn subtract(&self, other: &Number) -> Option<Number> {
        self.add(&other.negate())
    }

    /// The product; `None` for nothing times infinity.
    pub fn multiply(&self, other: &Number) -> Option<Number> {
        if self.infinite || other.infinite {
            let infinity = || Number::infinity(self.negative != other.negative);
            return (!self.is_zero() && !other.is_zero()).then(infinity);
        }
        let precision = self.precision.max(other.precision);
        let product = self.mantissa.multiply(&other.mantissa);
        let exponent = self.exponent + other.exponent;
        Some(Number::rounded(self.negative != other.negative, product, exponent, precision, false).checked())
    }

    /// The quotient; `None` for nothing by nothing. A division by zero is infinite.
    pub fn divide(&self, other: &Number) -> Option<Number> {
        if other.is_zero() || self.infinite {
            let infinity = || Number::infinity(self.negative != other.negative);
            return (!self.is_zero() && !other.infinite).then(infinity);
        } else if other.infinite {
            return Some(Number::from(0));
        }
        let precision = self.precision.max(other.precision);
        let negative = self.negative != other.negative;
        let exponent = self.exponent - other.exponent;
        Some(Number::quotient(negative, &self.mantissa, &other.mantissa, exponent, precision).checked())
    }

    /// What is left of a division cut to a whole number.
    pub fn modulo(&self, other: &Number) -> Option<Number> {
        let quotient = self.divide(other)?;
        // By zero the quotient counts as nothing.
        let times = if quotient.infinite { Number::from(0) } else { quotient.truncate().unsigned_zero() };
        self.subtract(&other.multiply(&times)?)
    }

    pub fn truncate(&self) -> Number {
        if self.is_whole() || self.infinite {
            return self.clone();
        }
        let shift = self.exponent.unsigned_abs().min(1 << 20) as u32;
        Number::rounded(self.negative, self.mantissa.shift_right(shift), 0, self.precision, false)
    }

    pub fn floor(&self) -> Number {
        let cut = self.truncate().unsigned_zero();
        if self.is_whole() || self.infinite || !self.negative {
            cut
        } else {
            cut.subtract(&Number::from(1)).unwrap_or(cut)
        }
    }

    pub fn ceil(&self) -> Number {
        self.negate().floor().negate().unsigned_zero()
    }

    /// Nothing has a sign, which is lost with what stands behind the point.
    fn unsigned_zero(self) -> Number {
        if self.is_zero() { self.absolute() } else { self }
    }

    pub fn compare(&self, other: &Number) -> Ordering {
        let sign = |number: &Number| {
            if number.is_zero() {
                0
            } else if number.negative {
                -1
            } else {
                1
            }
        };
        let signs = sign(self).cmp(&sign(other));
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        if self.infinite || other.infinite {
            let sizes = self.infinite.cmp(&other.infinite);
            return if self.negative { sizes.reverse() } else { sizes };
        }
        let sizes = self.magnitude().cmp(&other.magnitude()).then_with(|| {
            let low = self.exponent.min(other.exponent);
            let wide = |number: &Number| number.mantissa.shift_left((number.exponent - low) as u32);
            wide(self).compare(&wide(other))
        });
        if self.negative { sizes.reverse() } else { sizes }
    }

    pub fn to_i64(&self) -> Option<i64> {
        if !self.is_whole() || self.magnitude() > 63 {
            return None;
        }
        let value = self.mantissa.shift_left(self.exponent as u32).to_u64()? as i64;
        Some(if self.negative { -value } else { value })
    }

    /// The whole number without its sign.
    pub fn to_natural(&self) -> Option<Natural> {
        self.is_whole().then(|| self.mantissa.shift_left(self.exponent as u32))
    }

    pub fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Up to ten significant digits, as an error text names a number.
    pub fn short(&self) -> String {
        go_general(self.to_f64(), 10)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

/// The shortest decimal that reads back as the same number of its precision.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.infinite {
            return f.write_str(if self.negative { "-Inf" } else { "+Inf" });
        }
        if self.negative {
            f.write_str("-")?;
        }
        if self.is_whole() && self.magnitude() <= i64::from(self.precision) {
            return f.write_str(&self.mantissa.shift_left(self.exponent as u32).text());
        }
        let (digits, point) = self.shortest();
        if point <= 0 {
            write!(f, "0.{}{digits}", "0".repeat(point.unsigned_abs() as usize))
        } else {
            let point = point as usize;
            match digits.get(..point) {
                Some(whole) if digits.len() > point => write!(f, "{whole}.{}", digits.get(point..).unwrap_or("")),
                _ => write!(f, "{digits}{}", "0".repeat(point - digits.len())),
            }
        }
    }
}

impl Number {
    /// Digits, and where the decimal point stands in them.
    fn shortest(&self) -> (String, i64) {
        // The lowest bit stands for half a unit in the last place.
        let up = self.precision + 1 - self.mantissa.bits().min(self.precision);
        let mantissa = self.mantissa.shift_left(up);
        let exponent = self.exponent - i64::from(up);
        let one = Natural::from(1);
        let inclusive = !mantissa.bit(1);
        let (digits, point) = decimal(&mantissa, exponent);
        let (lower, _) = decimal(&mantissa.subtract(&one), exponent);
        let (upper, _) = decimal(&mantissa.add(&one), exponent);
        let at = |text: &str, index: usize| text.as_bytes().get(index).copied().unwrap_or(b'0');
        for index in 0..digits.len() {
            let (here, low, high) = (at(&digits, index), at(&lower, index), at(&upper, index));
            let down = low != here || inclusive && index + 1 == lower.len();
            let rise = here != high && (inclusive || here + 1 < high || index + 1 < upper.len());
            let raise = match (down, rise) {
                (false, false) => continue,
                (true, true) => {
                    let next = at(&digits, index + 1);
                    next > b'5' || next == b'5' && (index + 2 < digits.len() || here % 2 == 1)
                }
                (true, false) => false,
                (false, true) => true,
            };
            return cut(&digits, index + 1, point, raise);
        }
        (digits, point)
    }
}

/// The first digits, raised by one in the last place or not.
fn cut(digits: &str, length: usize, point: i64, raise: bool) -> (String, i64) {
    let mut kept: Vec<u8> = digits.bytes().take(length).collect();
    let mut point = point;
    if raise {
        while kept.last() == Some(&b'9') {
            kept.pop();
        }
        match kept.last_mut() {
            Some(last) => *last += 1,
            None => {
                kept.push(b'1');
                point += 1;
            }
        }
    }
    while kept.len() > 1 && kept.last() == Some(&b'0') {
        kept.pop();
    }
    (String::from_utf8(kept).unwrap_or_default(), point)
}

/// All decimal digits of `mantissa · 2^exponent` without zeros at the end, and where the point stands.
fn decimal(mantissa: &Natural, exponent: i64) -> (String, i64) {
    let power = exponent.unsigned_abs().min(1 << 20) as u32;
    let (digits, after) = if exponent >= 0 {
        (mantissa.shift_left(power).text(), 0)
    } else {
        (mantissa.multiply(&Natural::power(5, power)).text(), i64::from(power))
    };
    let point = digits.len() as i64 - after;
    (digits.trim_end_matches('0').to_owned(), point)
}

/// Go's `%.{n}g`.
pub fn go_general(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.into();
    }
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    let Some((mantissa, power)) = text.split_once('e') else { return text };
    let power: i32 = power.parse().unwrap_or(0);
    if power < -4 || power >= digits as i32 {
        let mantissa =
            if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
        let sign = if power < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", power.abs());
    }
    let text = format!("{value:.*}", (digits as i32 - 1 - power).max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
