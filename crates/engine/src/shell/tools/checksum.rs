//! md5sum, sha1sum, sha256sum, sha512sum (GNU coreutils, busybox), with `-c`.

use super::{Filter, Filtering, Flags, Next, Output, Place};
use crate::base::digest;
use crate::process::{Program, Sys};

type Digest = fn(&[u8]) -> Vec<u8>;

pub fn program(name: &str, args: &[String]) -> Option<Box<dyn Program>> {
    let (name, digest): (&'static str, Digest) = match name {
        "md5sum" => ("md5sum", digest::md5_of),
        "sha1sum" => ("sha1sum", digest::sha1_of),
        "sha256sum" => ("sha256sum", digest::sha256_of),
        "sha512sum" => ("sha512sum", digest::sha512_of),
        _ => return None,
    };
    let flags = Flags::read(args, "", "bctqsw", &[("check", 'c'), ("quiet", 'q'), ("status", 's')]);
    let checks = flags.has('c').then_some(Checks { quiet: flags.has('q') || flags.has('s'), silent: flags.has('s') });
    Some(Filtering::new(name, Sums { name, digest, checks, bytes: Vec::new(), lists: Vec::new() }, flags.rest))
}

#[derive(Clone, Copy)]
struct Checks {
    quiet: bool,
    silent: bool,
}

#[derive(Clone)]
struct Sums {
    name: &'static str,
    digest: Digest,
    checks: Option<Checks>,
    bytes: Vec<u8>,
    /// With `-c`: the lists read, each with the name of its file.
    lists: Vec<(String, Vec<u8>)>,
}

impl Filter for Sums {
    fn line(&mut self, _: &Place<'_>, piece: &[u8], _: bool, _: &mut Output) -> Next {
        self.bytes.extend_from_slice(piece);
        Next::More
    }

    fn file_end(&mut self, place: &Place<'_>, out: &mut Output) -> Next {
        let bytes = std::mem::take(&mut self.bytes);
        let name = if place.name == "(standard input)" { "-" } else { place.name };
        if self.checks.is_some() {
            self.lists.push((if name == "-" { "'standard input'" } else { name }.to_string(), bytes));
        } else {
            out.out(format!("{}  {name}\n", digest::hex(&(self.digest)(&bytes))));
        }
        Next::More
    }

    fn end(&mut self, sys: &mut Sys<'_>, out: &mut Output) -> i32 {
        let Some(checks) = self.checks else { return 0 };
        let mut code = 0;
        for (list, content) in &self.lists {
            let (mut read, mut wrong, mut missing) = (0, 0, 0);
            let text = String::from_utf8_lossy(content);
            for (sum, path) in text.lines().filter_map(|line| line.split_once(' ')) {
                if sum.is_empty() || !sum.chars().all(|digit| digit.is_ascii_hexdigit()) {
                    continue;
                }
                read += 1;
                let path = path.strip_prefix([' ', '*']).unwrap_or(path);
                match sys.files.read(sys.cwd, path) {
                    Ok(bytes) if digest::hex(&(self.digest)(&bytes)).eq_ignore_ascii_case(sum) => {
                        if !checks.quiet {
                            out.out(format!("{path}: OK\n"));
                        }
                    }
                    Ok(_) => {
                        wrong += 1;
                        if !checks.silent {
                            out.out(format!("{path}: FAILED\n"));
                        }
                    }
                    Err(error) => {
                        missing += 1;
                        out.err(format!("{}: {path}: {}\n", self.name, error.text()));
                        if !checks.silent {
                            out.out(format!("{path}: FAILED open or read\n"));
                        }
                    }
                }
            }
            if read == 0 {
                out.err(format!("{}: {list}: no properly formatted checksum lines found\n", self.name));
                code = 1;
            }
            let mut warn = |count: usize, one: &str, many: &str| {
                if count > 0 {
                    code = 1;
                    if !checks.silent {
                        let text = if count == 1 { one } else { many };
                        out.err(format!("{}: WARNING: {count} {text}\n", self.name));
                    }
                }
            };
            warn(missing, "listed file could not be read", "listed files could not be read");
            warn(wrong, "computed checksum did NOT match", "computed checksums did NOT match");
        }
        code
    }

    fn by_line(&self) -> bool {
        false
    }
}
