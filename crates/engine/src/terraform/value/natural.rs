//! Whole numbers without limit, as far as `Number` needs them.

use std::cmp::Ordering;

/// Little-endian digits of 32 bits, without zeros at the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Natural(Vec<u32>);

impl From<u64> for Natural {
    fn from(value: u64) -> Natural {
        Natural(vec![value as u32, (value >> 32) as u32]).trimmed()
    }
}

impl Natural {
    fn trimmed(mut self) -> Natural {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn digit(&self, at: usize) -> u32 {
        self.0.get(at).copied().unwrap_or(0)
    }

    pub fn bits(&self) -> u32 {
        self.0.last().map_or(0, |top| self.0.len() as u32 * 32 - top.leading_zeros())
    }

    pub fn bit(&self, at: u32) -> bool {
        self.digit((at / 32) as usize) >> (at % 32) & 1 == 1
    }

    /// How many zero bits stand at the bottom.
    pub fn trailing_zeros(&self) -> u32 {
        let zeros = self.0.iter().take_while(|digit| **digit == 0).count();
        self.0.get(zeros).map_or(0, |digit| zeros as u32 * 32 + digit.trailing_zeros())
    }

    pub fn to_u64(&self) -> Option<u64> {
        (self.0.len() <= 2).then(|| u64::from(self.digit(0)) | u64::from(self.digit(1)) << 32)
    }

    pub fn compare(&self, other: &Natural) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    pub fn shift_left(&self, by: u32) -> Natural {
        let (whole, part) = ((by / 32) as usize, by % 32);
        let mut out = vec![0; whole];
        let mut carry = 0u64;
        for digit in &self.0 {
            let wide = u64::from(*digit) << part | carry;
            out.push(wide as u32);
            carry = wide >> 32;
        }
        out.push(carry as u32);
        Natural(out).trimmed()
    }

    pub fn shift_right(&self, by: u32) -> Natural {
        let (whole, part) = ((by / 32) as usize, by % 32);
        let digits = whole..self.0.len();
        let pair = |at: usize| u64::from(self.digit(at)) | u64::from(self.digit(at + 1)) << 32;
        Natural(digits.map(|at| (pair(at) >> part) as u32).collect()).trimmed()
    }

    pub fn add(&self, other: &Natural) -> Natural {
        let mut carry = 0u64;
        let mut out = Vec::with_capacity(self.0.len().max(other.0.len()) + 1);
        for at in 0..self.0.len().max(other.0.len()) {
            let sum = u64::from(self.digit(at)) + u64::from(other.digit(at)) + carry;
            out.push(sum as u32);
            carry = sum >> 32;
        }
        out.push(carry as u32);
        Natural(out).trimmed()
    }

    /// The difference; the other one must not be greater.
    pub fn subtract(&self, other: &Natural) -> Natural {
        let mut borrow = 0i64;
        let mut out = Vec::with_capacity(self.0.len());
        for at in 0..self.0.len() {
            let difference = i64::from(self.digit(at)) - i64::from(other.digit(at)) + borrow;
            out.push(difference as u32);
            borrow = difference >> 32;
        }
        Natural(out).trimmed()
    }

    pub fn multiply(&self, other: &Natural) -> Natural {
        let mut out = vec![0u32; self.0.len() + other.0.len() + 1];
        for (i, a) in self.0.iter().enumerate() {
            let mut carry = 0u64;
            for (j, cell) in out.iter_mut().skip(i).enumerate() {
                if j >= other.0.len() && carry == 0 {
                    break;
                }
                let wide = u64::from(*a) * u64::from(other.digit(j)) + u64::from(*cell) + carry;
                *cell = wide as u32;
                carry = wide >> 32;
            }
        }
        Natural(out).trimmed()
    }

    /// Quotient and remainder by one digit that is not zero.
    pub fn divide_small(&self, by: u32) -> (Natural, u32) {
        let mut rest = 0u64;
        let mut out = vec![0; self.0.len()];
        for (at, digit) in self.0.iter().enumerate().rev() {
            let wide = rest << 32 | u64::from(*digit);
            if let Some(cell) = out.get_mut(at) {
                *cell = (wide / u64::from(by.max(1))) as u32;
            }
            rest = wide % u64::from(by.max(1));
        }
        (Natural(out).trimmed(), rest as u32)
    }

    /// Quotient and remainder, digit by digit: each is guessed from the topmost ones, then put right (Knuth's D).
    pub fn divide(&self, by: &Natural) -> (Natural, Natural) {
        if by.0.len() <= 1 {
            let (quotient, rest) = self.divide_small(by.digit(0));
            return (quotient, Natural::from(u64::from(rest)));
        }
        if self.compare(by) == Ordering::Less {
            return (Natural::default(), self.clone());
        }
        let shift = by.0.last().map_or(0, |top| top.leading_zeros());
        let (by, mut rest) = (by.shift_left(shift), self.shift_left(shift));
        let size = by.0.len();
        let (top, second) = (u64::from(by.digit(size - 1)), u64::from(by.digit(size - 2)));
        rest.0.resize(self.0.len() + 1, 0);
        let mut quotient = vec![0u32; self.0.len() + 1 - size];
        for (at, cell) in quotient.iter_mut().enumerate().rev() {
            let two = u64::from(rest.digit(at + size)) << 32 | u64::from(rest.digit(at + size - 1));
            let (mut guess, mut left) = (two / top, two % top);
            while guess >> 32 != 0 || guess * second > (left << 32 | u64::from(rest.digit(at + size - 2))) {
                guess -= 1;
                left += top;
                if left >> 32 != 0 {
                    break;
                }
            }
            if rest.take_off(at, &by, guess) {
                guess -= 1;
                rest.put_back(at, &by);
            }
            *cell = guess as u32;
        }
        (Natural(quotient).trimmed(), rest.trimmed().shift_right(shift))
    }

    /// Less so many times the other one from this digit on; whether that was too much.
    fn take_off(&mut self, from: usize, other: &Natural, times: u64) -> bool {
        let (mut carry, mut borrow) = (0u64, 0i64);
        for (at, digit) in self.0.iter_mut().skip(from).take(other.0.len() + 1).enumerate() {
            carry += times * u64::from(other.digit(at));
            let difference = i64::from(*digit) - i64::from(carry as u32) + borrow;
            *digit = difference as u32;
            (carry, borrow) = (carry >> 32, difference >> 32);
        }
        borrow < 0
    }

    fn put_back(&mut self, from: usize, other: &Natural) {
        let mut carry = 0u64;
        for (at, digit) in self.0.iter_mut().skip(from).take(other.0.len() + 1).enumerate() {
            carry += u64::from(*digit) + u64::from(other.digit(at));
            *digit = carry as u32;
            carry >>= 32;
        }
    }

    pub fn power(base: u32, mut exponent: u32) -> Natural {
        let mut result = Natural::from(1);
        let mut square = Natural::from(u64::from(base));
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.multiply(&square);
            }
            exponent >>= 1;
            if exponent > 0 {
                square = square.multiply(&square);
            }
        }
        result
    }

    /// In a base up to 36; the digits only.
    pub fn parse(digits: &str, base: u32) -> Option<Natural> {
        let mut value = Natural::default();
        let mut digits = digits.chars().peekable();
        while digits.peek().is_some() {
            // As many digits at once as go into 32 bits.
            let (mut part, mut scale) = (0u64, 1u64);
            for c in digits.by_ref().take(6) {
                part = part * u64::from(base) + u64::from(c.to_digit(base)?);
                scale *= u64::from(base);
            }
            value = value.multiply(&Natural::from(scale)).add(&Natural::from(part));
        }
        Some(value)
    }

    /// The digits in a base up to 36.
    pub fn text_in(&self, base: u32) -> String {
        let mut digits = Vec::new();
        let mut rest = self.clone();
        while !rest.is_zero() {
            let (quotient, digit) = rest.divide_small(base);
            digits.push(char::from_digit(digit, base).unwrap_or('?'));
            rest = quotient;
        }
        if digits.is_empty() { "0".into() } else { digits.iter().rev().collect() }
    }

    pub fn text(&self) -> String {
        let mut groups = Vec::new();
        let mut rest = self.clone();
        while !rest.is_zero() {
            let (quotient, group) = rest.divide_small(1_000_000_000);
            groups.push(group);
            rest = quotient;
        }
        let mut out = groups.pop().unwrap_or(0).to_string();
        for group in groups.iter().rev() {
            out.push_str(&format!("{group:09}"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quotient times divisor and what is left are the number again, with digits that make guesses wrong.
    #[test]
    fn what_is_divided_can_be_put_together_again() {
        let digits = [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
        let mut chance = 1u64;
        let mut number = |most: u64| {
            let mut draw = || {
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                chance >> 33
            };
            let length = 1 + draw() % most;
            Natural((0..length).map(|_| digits[draw() as usize % digits.len()]).collect()).trimmed()
        };
        for _ in 0..20_000 {
            let (whole, by) = (number(9), number(5));
            if by.is_zero() {
                continue;
            }
            let (quotient, rest) = whole.divide(&by);
            assert_eq!(quotient.multiply(&by).add(&rest), whole, "{whole:?} by {by:?}");
            assert_eq!(rest.compare(&by), Ordering::Less, "{whole:?} by {by:?}");
        }
    }
}
