//! Resource quantities as apimachinery has them: parsing with its errors, canonical text, comparing and adding.
//!
//! Amounts are counted in billionths; what is smaller is rounded away from zero, as there. Beyond about 10^29 they
//! stay at the limit.

use std::cmp::Ordering;
use std::fmt;

use super::{SmolStr, Value};

pub const WRONG_FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
pub const WRONG_NUMBER: &str = "unable to parse numeric part of quantity";
pub const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";

const NANO: i128 = 1_000_000_000;
const MOST_BINARY: i128 = i64::MAX as i128 * NANO;

#[derive(Clone, Debug, Default)]
pub struct Quantity {
    nanos: i128,
    pub format: Format,
    /// The written text, kept where the real type keeps it.
    text: Option<SmolStr>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `12e6`
    DecimalExponent,
    /// `12Mi`
    Binary,
    /// `12M`
    #[default]
    Decimal,
}

const DECIMAL_SUFFIXES: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
const BINARY_SUFFIXES: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

impl Quantity {
    pub fn parse(text: &str) -> Result<Quantity, &'static str> {
        let parts = Parts::split(text)?;
        let (radix, exponent, format) = read_suffix(parts.suffix).ok_or(WRONG_SUFFIX)?;
        let digits = format!("{}{}", parts.whole, parts.fraction);
        let places = i32::try_from(parts.fraction.len()).unwrap_or(i32::MAX);
        let fast = if radix == 2 {
            parts.fraction.is_empty() && 15 - length(parts.whole) - exponent * 3 / 10 > 0
        } else {
            length(&digits) <= 18 && exponent.saturating_sub(places) >= -9
        };
        let value = digits.parse::<i128>().unwrap_or(i128::MAX);
        let magnitude = if radix == 2 {
            let shifted = value.saturating_mul(1_i128.checked_shl(exponent as u32).unwrap_or(i128::MAX));
            scale_nanos(shifted, places.saturating_neg())
        } else {
            scale_nanos(value, exponent.saturating_sub(places))
        };
        let mut quantity = Quantity { nanos: magnitude, format, text: None };
        if !fast && format == Format::Binary {
            quantity.nanos = magnitude.min(MOST_BINARY);
            if (1..NANO).contains(&quantity.nanos) {
                quantity.format = Format::Decimal;
            }
        }
        if parts.negative {
            quantity.nanos = -quantity.nanos;
        }
        let canonical = if radix == 2 {
            value & 7 != 0
        } else {
            exponent.saturating_sub(places) % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0')
        };
        if text == "0" || (fast && canonical) {
            quantity.text = Some(text.into());
        }
        Ok(quantity)
    }

    /// A JSON text or number, as the API accepts both.
    pub fn from_value(value: &Value) -> Result<Quantity, &'static str> {
        match value {
            Value::Text(text) => Quantity::parse(text.trim()),
            Value::Int(n) => Quantity::parse(&n.to_string()),
            Value::Float(n) => Quantity::parse(&super::json::float(*n)),
            Value::Null => Ok(Quantity::default()),
            _ => Err(WRONG_FORMAT),
        }
    }

    /// What a written quantity is worth; nothing for a text that is none.
    pub fn of(value: &Value) -> Quantity {
        Quantity::from_value(value).unwrap_or_default()
    }

    pub fn new(value: i64, format: Format) -> Quantity {
        Quantity { nanos: i128::from(value) * NANO, format, text: None }
    }

    pub fn from_milli(milli: i64, format: Format) -> Quantity {
        Quantity { nanos: i128::from(milli) * (NANO / 1000), format, text: None }
    }

    /// Whole units, rounded away from zero.
    pub fn value(&self) -> i64 {
        narrow(self.nanos, NANO)
    }

    /// Thousandths, rounded away from zero.
    pub fn milli(&self) -> i64 {
        narrow(self.nanos, NANO / 1000)
    }

    pub fn as_f64(&self) -> f64 {
        self.nanos as f64 / NANO as f64
    }

    pub fn is_zero(&self) -> bool {
        self.nanos == 0
    }

    /// -1, 0 or 1.
    pub fn sign(&self) -> i32 {
        self.nanos.signum() as i32
    }

    pub fn add(&mut self, other: &Quantity) {
        self.take_format(other);
        self.nanos = self.nanos.saturating_add(other.nanos);
    }

    pub fn sub(&mut self, other: &Quantity) {
        self.take_format(other);
        self.nanos = self.nanos.saturating_sub(other.nanos);
    }

    pub fn mul(&mut self, times: i64) {
        self.text = None;
        self.nanos = self.nanos.saturating_mul(times.into());
    }

    /// Rounded up to thousandths, as the API server does with what a pod asks for.
    pub fn round_up_to_milli(&mut self) {
        let unit = NANO / 1000;
        if self.nanos % unit != 0 {
            self.text = None;
            self.nanos = (self.nanos / unit + self.nanos.signum()).saturating_mul(unit);
        }
    }

    fn take_format(&mut self, other: &Quantity) {
        self.text = None;
        if self.is_zero() {
            self.format = other.format;
        }
    }

    /// The shortest form without loss, whatever was written.
    pub fn canonical(&self) -> String {
        if self.nanos == 0 {
            return "0".into();
        }
        let whole = self.nanos / NANO;
        if self.format == Format::Binary && whole.abs() >= 1024 && self.nanos % NANO == 0 {
            let (mut number, mut power) = (whole, 0);
            while number % 1024 == 0 && power < 6 {
                number /= 1024;
                power += 1;
            }
            return format!("{number}{}", BINARY_SUFFIXES.get(power).unwrap_or(&""));
        }
        let (mut number, mut exponent) = (self.nanos, -9);
        while number % 1000 == 0 && (exponent < 18 || self.format == Format::DecimalExponent) {
            number /= 1000;
            exponent += 3;
        }
        if self.format == Format::DecimalExponent {
            return if exponent == 0 { number.to_string() } else { format!("{number}e{exponent}") };
        }
        let suffix = DECIMAL_SUFFIXES.iter().find(|(_, power)| *power == exponent).map_or("", |(suffix, _)| suffix);
        format!("{number}{suffix}")
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => f.write_str(&self.canonical()),
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Quantity) -> bool {
        self.nanos == other.nanos
    }
}
impl Eq for Quantity {}
impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Quantity) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Quantity {
    fn cmp(&self, other: &Quantity) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

struct Parts<'a> {
    negative: bool,
    /// Without leading zeros, but never empty.
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
}

impl Parts<'_> {
    fn split(text: &str) -> Result<Parts<'_>, &'static str> {
        if text.is_empty() {
            return Err(WRONG_FORMAT);
        }
        let negative = text.starts_with('-');
        let rest = text.strip_prefix(['-', '+']).unwrap_or(text).trim_start_matches('0');
        let (whole, rest) = take_digits(rest);
        let whole = if whole.is_empty() { "0" } else { whole };
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => take_digits(rest),
            None => ("", rest),
        };
        let tail = suffix.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
        let tail = tail.strip_prefix(['-', '+']).unwrap_or(tail);
        if !tail.bytes().all(|b| b.is_ascii_digit()) {
            return Err(WRONG_FORMAT);
        }
        Ok(Parts { negative, whole, fraction, suffix })
    }
}

fn take_digits(text: &str) -> (&str, &str) {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(count)
}

/// Base, exponent, format.
fn read_suffix(suffix: &str) -> Option<(i32, i32, Format)> {
    if let Some((_, exponent)) = DECIMAL_SUFFIXES.iter().find(|(text, _)| *text == suffix) {
        return Some((10, *exponent, Format::Decimal));
    }
    if let Some(index) = BINARY_SUFFIXES.iter().position(|text| *text == suffix) {
        return Some((2, i32::try_from(index).ok()? * 10, Format::Binary));
    }
    let exponent: i64 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    Some((10, exponent.clamp(-1000, 1000) as i32, Format::DecimalExponent))
}

fn length(text: &str) -> i32 {
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}

/// `value · 10^exponent` in billionths, rounded up.
fn scale_nanos(value: i128, exponent: i32) -> i128 {
    let exponent = exponent.saturating_add(9);
    match 10_i128.checked_pow(exponent.unsigned_abs()) {
        Some(power) if exponent >= 0 => value.saturating_mul(power),
        Some(power) => value / power + i128::from(value % power != 0),
        None if exponent >= 0 && value != 0 => i128::MAX,
        None => i128::from(value != 0 && exponent < 0),
    }
}

fn narrow(nanos: i128, unit: i128) -> i64 {
    let rounded = nanos / unit + if nanos % unit == 0 { 0 } else { nanos.signum() };
    i64::try_from(rounded).unwrap_or(if rounded > 0 { i64::MAX } else { i64::MIN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_as_the_api_does() {
        let check = |text: &str, want: &str| {
            let got = Quantity::parse(text).map_or_else(str::to_string, |quantity| quantity.to_string());
            assert_eq!(got, want, "for {text}");
        };
        for (text, want) in [
            ("0", "0"),
            ("0.5", "500m"),
            ("1.5", "1500m"),
            ("1500m", "1500m"),
            ("1000m", "1"),
            ("1024Mi", "1Gi"),
            ("1000Mi", "1000Mi"),
            ("1001Mi", "1001Mi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Ki", "512"),
            ("128974848", "128974848"),
            ("129e6", "129e6"),
            ("1e3", "1e3"),
            ("1000", "1k"),
            ("100000", "100k"),
            ("+5", "+5"),
            ("-1.5", "-1500m"),
            ("1n", "1n"),
            ("0.0000000001", "1n"),
            ("12E", "12E"),
            ("", WRONG_FORMAT),
            ("1 Gi", WRONG_FORMAT),
            ("1x", WRONG_FORMAT),
            ("1..5", WRONG_FORMAT),
            ("1Gii", WRONG_SUFFIX),
            ("1mi", WRONG_SUFFIX),
            ("1K", WRONG_SUFFIX),
        ] {
            check(text, want);
        }
        let quantity = |text| Quantity::parse(text).unwrap();
        let mut sum = Quantity::default();
        sum.add(&quantity("128Mi"));
        sum.add(&quantity("0.5Gi"));
        assert_eq!(sum.to_string(), "640Mi");
        assert!(quantity("1Gi") > quantity("1G") && quantity("1") == quantity("1000m"));
        assert_eq!((quantity("1.5").value(), quantity("0.0001").milli()), (2, 1));
        assert_eq!(Quantity::of(&Value::Float(1.5)).to_string(), "1500m");
    }
}
