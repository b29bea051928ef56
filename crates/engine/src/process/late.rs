//! A program whose code is not here yet: the page fetches parts of itself one after another (crates/xtask, `split`).
//! Until the part has arrived the process holds its machine; from then on it is the program itself.

use super::{Program, Sys, Turn};

/// Why it cannot be had yet, or at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It is being loaded.
    Coming,
    Broken(String),
}

/// Starts a program, given its arguments.
pub type Start = fn(&[String]) -> Box<dyn Program>;
/// Whether the code has arrived; asking for it begins to fetch it.
pub type Arrived = fn() -> Result<(), Silence>;

#[derive(Clone)]
pub enum Late {
    Away(Vec<String>, Start, Arrived),
    Here(Box<dyn Program>),
}

impl Late {
    pub fn program(args: &[String], start: Start, arrived: Arrived) -> Box<dyn Program> {
        Box::new(Late::Away(args.to_vec(), start, arrived))
    }
}

impl Program for Late {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if let Late::Away(args, start, arrived) = self {
            match arrived() {
                Ok(()) => *self = Late::Here(start(args)),
                Err(Silence::Coming) => return Turn::Hold,
                Err(Silence::Broken(why)) => {
                    let name = args.first().map_or("", String::as_str);
                    sys.err(format!("{name}: {why}\n"));
                    return Turn::Exit(1);
                }
            }
        }
        match self {
            Late::Here(program) => program.resume(sys),
            Late::Away(..) => Turn::Hold,
        }
    }
}
