//! `read`: a line, or a piece of one, into variables.

use super::{done, missing};
use crate::base::{Span, Time, float};
use crate::process::{Read, Sys, Wait};
use crate::shell::machine::Flow;
use crate::shell::state::{Frame, Shell, Variable};

/// What one `read` takes in.
const MOST_READ: usize = 1 << 20;
/// Single bytes read in one step.
const PIECES: usize = 4096;

/// A `read` that waits for its line.
#[derive(Clone, Debug)]
pub struct Reading {
    names: Vec<String>,
    raw: bool,
    until: Option<Time>,
    /// Fields go into an array of this name.
    array: Option<String>,
    /// What ends the input instead of a line end.
    end: u8,
    /// So many more characters are enough.
    most: Option<usize>,
    got: Vec<u8>,
}

/// How far a reading has come.
enum Come {
    /// To its end, or to that of the input (false).
    End(bool),
    Waits,
    NotYet,
}

impl Reading {
    fn go_on(&mut self, sys: &mut Sys<'_>) -> Come {
        if self.end == b'\n' && self.most.is_none() {
            return match sys.read_line() {
                Read::Data(mut bytes) => {
                    let ended = bytes.pop_if(|byte| *byte == b'\n').is_some();
                    self.got.append(&mut bytes);
                    Come::End(ended)
                }
                Read::End => Come::End(false),
                Read::Empty => Come::Waits,
            };
        }
        for _ in 0..PIECES {
            if self.most == Some(0) || self.got.len() >= MOST_READ {
                return Come::End(true);
            }
            match sys.read(1) {
                Read::Data(bytes) if bytes.contains(&self.end) => return Come::End(true),
                Read::Data(bytes) => self.got.extend(bytes),
                Read::End => return Come::End(false),
                Read::Empty => return Come::Waits,
            }
            if ends_whole(&self.got) {
                self.most = self.most.map(|most| most.saturating_sub(1));
            }
        }
        Come::NotYet
    }
}

/// Whether the last character of a text has all its bytes.
fn ends_whole(text: &[u8]) -> bool {
    let start = text.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or(0);
    let wants = match text.get(start) {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..) => 4,
        _ => 1,
    };
    text.len() - start >= wants
}

pub fn read(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let mut reading =
        Reading { names: Vec::new(), raw: false, until: None, array: None, end: b'\n', most: None, got: Vec::new() };
    let mut rest = args.get(1..).unwrap_or_default().iter();
    while let Some(arg) = rest.next() {
        match arg.strip_prefix('-').filter(|_| reading.names.is_empty()) {
            Some(flags) => {
                for (at, flag) in flags.char_indices() {
                    let mut value = || {
                        let inline = flags.get(at + 1..).unwrap_or_default();
                        if inline.is_empty() { rest.next().cloned().unwrap_or_default() } else { inline.to_string() }
                    };
                    match flag {
                        'r' => reading.raw = true,
                        'p' => {
                            let prompt = value();
                            if sys.is_owner_input() {
                                shell.err(prompt);
                            }
                            break;
                        }
                        't' => {
                            let seconds = float::parse(&value()).unwrap_or(0.0);
                            reading.until = Some(sys.now + Span::seconds_f64(seconds));
                            break;
                        }
                        'd' => {
                            reading.end = value().bytes().next().unwrap_or(0);
                            break;
                        }
                        'n' | 'N' => {
                            reading.most = value().parse().ok();
                            break;
                        }
                        'a' => {
                            reading.array = Some(value());
                            break;
                        }
                        'u' => {
                            value();
                            return missing(shell, "read -u", "redirect standard input");
                        }
                        's' | 'e' => {}
                        other => {
                            let usage = "usage: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";
                            shell.complain(&format!("read: -{other}: invalid option"));
                            shell.err(format!("read: {usage}\n"));
                            return done(shell, 2);
                        }
                    }
                }
            }
            None => reading.names.push(arg.clone()),
        }
    }
    shell.frames.push(Frame::Read(reading));
    Flow::Go
}

pub fn read_step(shell: &mut Shell, sys: &mut Sys<'_>, mut reading: Reading) -> Flow {
    let complete = match reading.go_on(sys) {
        Come::End(complete) => complete,
        Come::Waits if reading.until.is_some_and(|until| until <= sys.now) => return done(shell, 142),
        Come::Waits => {
            let mut waits = vec![Wait::Input];
            waits.extend(reading.until.map(Wait::Until));
            shell.frames.push(Frame::Read(reading));
            return Flow::Wait(waits);
        }
        Come::NotYet => {
            shell.frames.push(Frame::Read(reading));
            return Flow::Go;
        }
    };
    if complete && !reading.raw && reading.got.pop_if(|byte| *byte == b'\\').is_some() {
        shell.frames.push(Frame::Read(reading));
        return Flow::Go;
    }
    let ifs = shell.get("IFS").unwrap_or(" \t\n").to_string();
    let mut line = String::from_utf8_lossy(&reading.got).into_owned();
    if !reading.raw {
        line = line.replace("\\\\", "\u{0}").replace('\\', "").replace('\u{0}', "\\");
    }
    if let Some(name) = reading.array {
        let fields: Vec<&str> = line.split(|c| ifs.contains(c)).filter(|field| !field.is_empty()).collect();
        let array = fields.iter().enumerate().map(|(at, field)| (at as i64, field.to_string())).collect();
        shell.variables.insert(name, Variable { array: Some(array), ..Variable::default() });
        return done(shell, i32::from(!complete));
    }
    let whole = reading.names.is_empty();
    let names = if whole { vec!["REPLY".to_string()] } else { reading.names };
    let space = |c: char| ifs.contains(c) && c.is_whitespace();
    let mut rest = if whole { line.as_str() } else { line.trim_matches(space) };
    for (at, name) in names.iter().enumerate() {
        let value = if at + 1 == names.len() {
            std::mem::take(&mut rest)
        } else {
            match rest.find(|c| ifs.contains(c)) {
                Some(end) => {
                    let value = rest.get(..end).unwrap_or_default();
                    let after = rest.get(end..).unwrap_or_default().trim_start_matches(space);
                    let mut chars = after.chars();
                    rest = match chars.next() {
                        Some(c) if ifs.contains(c) && !c.is_whitespace() => chars.as_str().trim_start_matches(space),
                        _ => after,
                    };
                    value
                }
                None => std::mem::take(&mut rest),
            }
        };
        if let Err(reason) = shell.set(name, value.to_string()) {
            shell.complain(&reason);
        }
    }
    done(shell, i32::from(!complete))
}
