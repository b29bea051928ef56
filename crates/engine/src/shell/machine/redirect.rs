//! Redirections: where the streams of a command go.

use super::*;

pub(super) enum Redirected {
    Halt(Halt),
    Failed(String),
}

impl From<Halt> for Redirected {
    fn from(halt: Halt) -> Redirected {
        Redirected::Halt(halt)
    }
}

impl Shell {
    pub(super) fn push_redirected(&mut self, sys: &Sys<'_>, redirected: Option<(Streams, Vec<u32>)>) {
        if let Some((streams, pipes)) = redirected {
            let before = self.streams(sys);
            self.frames.push(Frame::Restore { streams: before, pipes });
            self.streams = Some(streams);
        }
    }

    /// The streams after redirections, with the pipes made for them; nothing if there are none.
    pub(super) fn redirect(
        &mut self,
        sys: &mut Sys<'_>,
        redirects: &[Redirect],
    ) -> Result<Option<(Streams, Vec<u32>)>, Redirected> {
        if redirects.is_empty() {
            return Ok(None);
        }
        // All words first, so that a stop leaves no half-opened pipe.
        let mut targets = Vec::new();
        for redirect in redirects {
            let target = match &redirect.kind {
                RedirectKind::HereText(body) => match body.get() {
                    Some(word) => self.text(sys, &word.clone())?,
                    None => String::new(),
                },
                RedirectKind::HereWord(word) => self.text(sys, word)? + "\n",
                RedirectKind::Copy(word) => self.text(sys, word)?,
                RedirectKind::Read(word)
                | RedirectKind::Write(word)
                | RedirectKind::Append(word)
                | RedirectKind::Both(word, _) => {
                    let fields = self.fields(sys, std::slice::from_ref(word))?;
                    match fields.as_slice() {
                        [one] => one.clone(),
                        _ => {
                            let Some(Part::Parameter(p)) = word.first() else {
                                return Err(Redirected::Failed(": ambiguous redirect".into()));
                            };
                            return Err(Redirected::Failed(format!("${}: ambiguous redirect", p.name)));
                        }
                    }
                }
            };
            targets.push(target);
        }
        let mut streams = self.streams(sys);
        let mut pipes = Vec::new();
        for (redirect, target) in redirects.iter().zip(targets) {
            if let Err(reason) = self.one_redirect(sys, redirect, &target, &mut streams, &mut pipes) {
                pipes.iter().for_each(|pipe| sys.release(*pipe));
                return Err(Redirected::Failed(reason));
            }
        }
        Ok(Some((streams, pipes)))
    }

    pub(super) fn one_redirect(
        &mut self,
        sys: &mut Sys<'_>,
        redirect: &Redirect,
        target: &str,
        streams: &mut Streams,
        pipes: &mut Vec<u32>,
    ) -> Result<(), String> {
        let can = |verb: &str, text: &str| match self.flavour {
            Flavour::Bash => format!("{target}: {text}"),
            _ if text == "Is a directory" || text == "Read-only file system" => {
                format!("can't {verb} {target}: {text}")
            }
            _ => format!(
                "can't {verb} {target}: {}",
                if verb == "create" && text.starts_with("No such") {
                    "nonexistent directory"
                } else if text.starts_with("No such") {
                    "no such file"
                } else {
                    text
                }
            ),
        };
        let open = |sys: &mut Sys<'_>, append: bool| -> Result<Sink, String> {
            match target {
                "/dev/null" => return Ok(Sink::Null),
                "/dev/stdout" | "/dev/fd/1" | "/dev/tty" => return Ok(streams.stdout.clone()),
                "/dev/stderr" | "/dev/fd/2" => return Ok(streams.stderr.clone()),
                _ => {}
            }
            if target.is_empty() {
                return Err(can("create", "No such file or directory"));
            }
            let result = if append {
                sys.files.append(sys.now, sys.cwd, target, b"")
            } else {
                sys.files.write(sys.now, sys.cwd, target, b"")
            };
            result.map_err(|error| can("create", error.text()))?;
            let path = sys.files.resolve(sys.cwd, target).map_err(|error| can("create", error.text()))?;
            Ok(Sink::File(path))
        };
        let put = |streams: &mut Streams, descriptor: u32, sink: Sink| match descriptor {
            1 => streams.stdout = sink,
            2 => streams.stderr = sink,
            other => {
                streams.more.insert(other, sink);
            }
        };
        let mut text = |sys: &mut Sys<'_>, bytes: Vec<u8>| {
            let pipe = sys.text(bytes);
            pipes.push(pipe);
            Source::Pipe(pipe)
        };
        match &redirect.kind {
            RedirectKind::Read(_) => {
                streams.stdin = match target {
                    "/dev/null" => Source::Null,
                    "/dev/stdin" | "/dev/tty" => return Ok(()),
                    "/dev/zero" | "/dev/urandom" | "/dev/random" => {
                        let bytes = (0..1 << 16)
                            .map(|_| if target == "/dev/zero" { 0 } else { sys.chance.below("shell", 256) as u8 });
                        let bytes = bytes.collect();
                        text(sys, bytes)
                    }
                    _ => match sys.files.read(sys.cwd, target) {
                        Ok(bytes) => text(sys, bytes.to_vec()),
                        Err(error) => return Err(can("open", error.text())),
                    },
                };
            }
            RedirectKind::HereText(_) | RedirectKind::HereWord(_) => {
                streams.stdin = text(sys, target.as_bytes().to_vec())
            }
            RedirectKind::Write(_) => {
                let sink = open(sys, false)?;
                put(streams, redirect.descriptor, sink);
            }
            RedirectKind::Append(_) => {
                let sink = open(sys, true)?;
                put(streams, redirect.descriptor, sink);
            }
            RedirectKind::Both(_, append) => {
                let sink = open(sys, *append)?;
                put(streams, 1, sink.clone());
                put(streams, 2, sink);
            }
            RedirectKind::Copy(_) => {
                let sink = match target.trim_end_matches('-') {
                    "" => Sink::Null,
                    "0" => return Ok(()),
                    "1" => streams.stdout.clone(),
                    "2" => streams.stderr.clone(),
                    other => match other.parse::<u32>().ok().and_then(|number| streams.more.get(&number).cloned()) {
                        Some(sink) => sink,
                        None => return Err(format!("{target}: Bad file descriptor")),
                    },
                };
                if redirect.descriptor == 0 {
                    if target == "-" {
                        streams.stdin = Source::Null;
                    }
                } else {
                    put(streams, redirect.descriptor, sink);
                }
            }
        }
        Ok(())
    }
}
