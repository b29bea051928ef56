//! `seq`: decimal steps exactly, `-w`, `-s`, `-f`.

use crate::process::{Program, Sys, Turn, Wait, Written};
use crate::shell::print;

/// Decimals beyond this are cut.
const MOST_DECIMALS: usize = 15;

#[derive(Clone)]
pub struct Seq {
    /// In units of the last decimal.
    at: i128,
    step: i128,
    last: i128,
    decimals: usize,
    width: usize,
    format: Option<String>,
    separator: String,
    begun: bool,
    ended: bool,
}

impl Seq {
    /// The program, or what GNU `seq` says of these arguments.
    pub fn read(args: &[String]) -> Result<Seq, String> {
        let (mut equal, mut separator, mut format) = (false, "\n".to_string(), None);
        let mut numbers: Vec<&str> = Vec::new();
        let mut rest = args.iter().map(String::as_str);
        let usage = |text: String| Err(format!("seq: {text}\nTry 'seq --help' for more information.\n"));
        while let Some(arg) = rest.next() {
            let negative =
                arg.strip_prefix('-').is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
            match arg {
                "--" => {}
                _ if !numbers.is_empty() || negative || !arg.starts_with('-') => numbers.push(arg),
                "-w" | "--equal-width" => equal = true,
                "-s" | "-f" | "--separator" | "--format" => {
                    let Some(value) = rest.next() else {
                        return usage(format!("option requires an argument -- '{}'", arg.trim_start_matches('-')));
                    };
                    if arg.contains('s') { separator = value.into() } else { format = Some(value.to_string()) }
                }
                _ if arg.starts_with("--separator=") => separator = arg.split_once('=').map_or("", |a| a.1).into(),
                _ if arg.starts_with("--format=") => format = arg.split_once('=').map(|a| a.1.to_string()),
                _ if arg.starts_with("-s") => separator = arg.get(2..).unwrap_or_default().into(),
                _ if arg.starts_with("-f") => format = arg.get(2..).map(str::to_string),
                _ => {
                    let letter: String = arg.chars().skip(1).take(1).collect();
                    return usage(format!("invalid option -- '{letter}'"));
                }
            }
        }
        if numbers.is_empty() {
            return usage("missing operand".into());
        }
        if let Some(extra) = numbers.get(3) {
            return usage(format!("extra operand ‘{extra}’"));
        }
        let mut read = Vec::new();
        for text in &numbers {
            match decimal(text) {
                Some(number) => read.push(number),
                None => return usage(format!("invalid floating point argument: ‘{text}’")),
            }
        }
        let one = (1, 0);
        let (first, step, last) = match read.as_slice() {
            [last] => (one, one, *last),
            [first, last] => (*first, one, *last),
            [first, step, last] => (*first, *step, *last),
            _ => (one, one, one),
        };
        if step.0 == 0 {
            return usage(format!("invalid Zero increment value: ‘{}’", numbers.get(1).unwrap_or(&"")));
        }
        // The last number's own decimals count for the steps, not for what is shown.
        let decimals = first.1.max(step.1);
        let unit = decimals.max(last.1);
        let scaled = |(digits, own): (i128, usize)| digits.saturating_mul(10_i128.saturating_pow((unit - own) as u32));
        let shift = 10_i128.saturating_pow((unit - decimals) as u32);
        let mut seq = Seq {
            at: scaled(first) / shift,
            step: scaled(step) / shift,
            last: scaled(last).div_euclid(shift),
            decimals,
            width: 0,
            format,
            separator,
            begun: false,
            ended: false,
        };
        if seq.step < 0 {
            seq.last = -((-scaled(last)).div_euclid(shift));
        }
        if equal {
            let end = seq.at + (seq.last - seq.at) / seq.step * seq.step;
            seq.width = seq.shown(seq.at).len().max(seq.shown(end).len());
        }
        Ok(seq)
    }

    fn shown(&self, value: i128) -> String {
        let sign = if value < 0 { "-" } else { "" };
        let digits = value.unsigned_abs().to_string();
        let text = if self.decimals == 0 {
            digits
        } else {
            let digits = format!("{digits:0>width$}", width = self.decimals + 1);
            let (whole, part) = digits.split_at(digits.len() - self.decimals);
            format!("{whole}.{part}")
        };
        format!("{sign}{text:0>width$}", width = self.width.saturating_sub(sign.len()))
    }

    fn text(&self, value: i128) -> Vec<u8> {
        match &self.format {
            Some(format) => print::printf(&[format.clone(), self.shown(value)]).out,
            None => self.shown(value).into_bytes(),
        }
    }
}

/// Digits and how many of them are decimals: `1.50`, `-3`, `1e2`.
fn decimal(text: &str) -> Option<(i128, usize)> {
    let (mantissa, power) = match text.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok().filter(|power| power.abs() < 30)?),
        None => (text, 0),
    };
    let (sign, digits) = match mantissa.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + part.len() == 0
        || whole.len() > 20
        || !whole.chars().chain(part.chars()).all(|c| c.is_ascii_digit())
    {
        return None;
    }
    let part = part.get(..MOST_DECIMALS).unwrap_or(part);
    let digits: i128 = format!("{whole}{part}").parse().ok()?;
    let decimals = part.len() as i32 - power;
    if decimals >= 0 {
        return (decimals <= MOST_DECIMALS as i32).then_some((sign * digits, decimals as usize));
    }
    digits.checked_mul(10_i128.checked_pow(decimals.unsigned_abs())?).map(|digits| (sign * digits, 0))
}

impl Program for Seq {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let (mut text, mut at, mut begun, mut ended) = (Vec::new(), self.at, self.begun, self.ended);
        while text.len() < 4096 && !ended {
            if (self.step > 0 && at > self.last) || (self.step < 0 && at < self.last) {
                if begun {
                    text.push(b'\n');
                }
                ended = true;
                break;
            }
            if begun {
                text.extend(self.separator.bytes());
            }
            text.extend(self.text(at));
            (at, begun) = (at.saturating_add(self.step), true);
        }
        if text.is_empty() {
            return Turn::Exit(0);
        }
        match sys.out(&text) {
            Written::All => {
                (self.at, self.begun, self.ended) = (at, begun, ended);
                Turn::Again
            }
            Written::Full => Turn::Wait(vec![Wait::Room]),
            Written::Broken | Written::NoSpace => Turn::Exit(141),
        }
    }
}
