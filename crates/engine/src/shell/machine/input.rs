//! Where the shell reads from: scripts, lines typed, prompts, and what it says of syntax errors.

use super::*;

impl Shell {
    pub fn syntax_error(&mut self, error: &SyntaxError, name: Option<&str>, lines: u32) {
        let line = error.line.max(1);
        match self.flavour {
            Flavour::Bash => {
                let place = |line: u32| match name {
                    None => "bash: ".to_string(),
                    Some("-c") => format!("{}: -c: line {line}: ", self.name),
                    Some("eval") => format!("{}: eval: line {line}: ", self.name),
                    Some(name) => format!("{name}: line {line}: "),
                };
                let text = match &error.kind {
                    ErrorKind::Token { token, text, .. } => {
                        let mut all = format!("{}syntax error near unexpected token `{token}'\n", place(line));
                        if name.is_some() {
                            all.push_str(&format!("{}`{text}'\n", place(line)));
                        }
                        all
                    }
                    ErrorKind::End(_) => format!("{}syntax error: unexpected end of file\n", place(lines + 1)),
                    ErrorKind::Quote(c) => format!("{}unexpected EOF while looking for matching `{c}'\n", place(line)),
                    ErrorKind::TooDeep => format!("{}nesting too deep\n", place(line)),
                };
                self.err(text);
            }
            Flavour::Busybox => {
                let place = if name == Some("-c") || name.is_none() { String::new() } else { format!("line {line}: ") };
                let text = match &error.kind {
                    ErrorKind::Token { token, expected, .. } => {
                        let token = if token == "newline" { token.clone() } else { format!("\"{token}\"") };
                        let tail =
                            if expected.is_empty() { String::new() } else { format!(" (expecting \"{expected}\")") };
                        format!("unexpected {token}{tail}")
                    }
                    ErrorKind::End(expected) if expected.is_empty() => "unexpected end of file".into(),
                    ErrorKind::End(expected) => format!("unexpected end of file (expecting \"{expected}\")"),
                    ErrorKind::Quote(_) => "unterminated quoted string".into(),
                    ErrorKind::TooDeep => "nesting too deep".into(),
                };
                let text = format!("{}: {place}syntax error: {text}\n", self.name);
                self.err(text);
            }
            Flavour::Coreutils => {
                let text = match &error.kind {
                    ErrorKind::Token { token, .. } if token == "newline" => "newline unexpected".into(),
                    ErrorKind::Token { token, .. } => format!("\"{token}\" unexpected"),
                    ErrorKind::End(expected) if expected.is_empty() => "end of file unexpected".into(),
                    ErrorKind::End(expected) => format!("end of file unexpected (expecting \"{expected}\")"),
                    ErrorKind::Quote(_) => "Unterminated quoted string".into(),
                    ErrorKind::TooDeep => "nesting too deep".into(),
                };
                let text = format!("{}: {line}: Syntax error: {text}\n", self.name);
                self.err(text);
            }
        }
    }

    /// What is said of here-documents that ended with the text.
    fn warn_of_ends(&mut self, parser: &Parser, name: Option<&str>) {
        if !self.is_bash() {
            return;
        }
        for (line, start, end) in &parser.unended {
            let place = match name {
                None => "bash: ".to_string(),
                Some("-c") => format!("{}: line {line}: ", self.name),
                Some(name) => format!("{name}: line {line}: "),
            };
            self.err(format!(
                "{place}warning: here-document at line {start} delimited by end-of-file (wanted `{end}')\n"
            ));
        }
    }

    /// `!!`, `!$`, `!n`, `!-n`, `!text` at a prompt: the line they stand for, or the event that is not there.
    fn recalled(&self, line: &str) -> Result<Option<String>, String> {
        let chars: Vec<char> = line.chars().collect();
        let (mut out, mut at, mut single, mut double, mut changed) = (String::new(), 0, false, false, false);
        while let Some(c) = chars.get(at).copied() {
            at += 1;
            match c {
                '\\' if !single => {
                    out.push(c);
                    out.extend(chars.get(at));
                    at += 1;
                    continue;
                }
                '\'' if !double => single = !single,
                '"' if !single => double = !double,
                '!' if !single => {
                    let next = chars.get(at).copied().unwrap_or('\n');
                    if next.is_whitespace() || "=(;".contains(next) || (double && next == '"') {
                        out.push(c);
                        continue;
                    }
                    let (found, size) = match next {
                        '!' => (self.history.last().cloned(), 1),
                        '$' => (self.history.last().and_then(|l| l.split_whitespace().last()).map(str::to_string), 1),
                        _ => {
                            let word: String = chars
                                .iter()
                                .skip(at)
                                .take_while(|c| !c.is_whitespace() && !";|&\"'".contains(**c))
                                .collect();
                            let found = match word.parse::<i64>() {
                                Ok(number) if number > 0 => self.history.get(number as usize - 1),
                                Ok(number) => {
                                    let back = number.unsigned_abs() as usize;
                                    self.history.len().checked_sub(back).and_then(|at| self.history.get(at))
                                }
                                Err(_) => self.history.iter().rev().find(|line| line.starts_with(&word)),
                            };
                            (found.cloned(), word.chars().count())
                        }
                    };
                    let event: String = chars.iter().skip(at - 1).take(size + 1).collect();
                    out.push_str(&found.ok_or(event)?);
                    at += size;
                    changed = true;
                    continue;
                }
                _ => {}
            }
            out.push(c);
        }
        Ok(changed.then_some(out))
    }

    pub fn prompt(&mut self, sys: &Sys<'_>, more: bool) {
        if !self.options.interactive || self.is_child {
            return;
        }
        let template = self.get(if more { "PS2" } else { "PS1" }).map(str::to_string);
        let home = self.get("HOME").unwrap_or("/root").to_string();
        let place = match sys.cwd.strip_prefix(&home) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
            _ => sys.cwd.clone(),
        };
        let text = match (template, more, self.flavour) {
            (Some(template), ..) => template
                .replace("\\u", "root")
                .replace("\\h", sys.hostname)
                .replace("\\w", &place)
                .replace("\\W", place.rsplit('/').next().unwrap_or("/"))
                .replace("\\$", "#")
                .replace("\\[", "")
                .replace("\\]", "")
                .replace("\\n", "\n"),
            (None, true, _) => "> ".into(),
            (None, false, Flavour::Bash) => format!("root@{}:{place}# ", sys.hostname),
            (None, false, Flavour::Busybox) => format!("{place} # "),
            (None, false, Flavour::Coreutils) => "# ".into(),
        };
        // As terminals know it: the status of the command before, then where the prompt begins and ends.
        let text = if self.options.marks {
            format!("\x1b]133;D;{}\x07\x1b]133;A\x07{text}\x1b]133;B\x07", self.status)
        } else {
            text
        };
        self.err(text);
    }

    pub(super) fn next_input(&mut self, sys: &mut Sys<'_>, mut typed: String, line: u32) -> Flow {
        self.reap_jobs(sys);
        let bytes = match sys.read_line() {
            Read::Empty => {
                self.frames.push(Frame::Input { typed, line });
                return Flow::Wait(vec![Wait::Input]);
            }
            // The shell of the learner's machine stays.
            Read::End if typed.trim().is_empty() && self.options.marks => {
                self.frames.push(Frame::Input { typed: String::new(), line });
                self.prompt(sys, false);
                return Flow::Go;
            }
            Read::End if typed.trim().is_empty() => {
                if self.options.interactive {
                    self.err(if self.is_bash() { "exit\n" } else { "" });
                }
                return self.finish(self.status);
            }
            Read::End => Vec::new(),
            Read::Data(bytes) => bytes,
        };
        if let Some((columns, rows)) = sys.terminal.filter(|_| self.options.marks) {
            let _ = self.set("COLUMNS", columns.to_string());
            let _ = self.set("LINES", rows.to_string());
        }
        let ended = bytes.is_empty();
        let mut read = String::from_utf8_lossy(&bytes).into_owned();
        if self.options.interactive && self.is_bash() && typed.is_empty() && read.contains('!') {
            match self.recalled(&read) {
                Ok(None) => {}
                Ok(Some(line)) => {
                    self.err(&line);
                    read = line;
                }
                Err(event) => {
                    self.complain(&format!("{event}: event not found"));
                    self.frames.push(Frame::Input { typed, line });
                    self.prompt(sys, false);
                    return Flow::Go;
                }
            }
        }
        typed.push_str(&read);
        let mut parser = Parser::new(&typed, if self.options.interactive { 1 } else { line }, self.is_bash());
        parser.more = !ended;
        if self.options.interactive || !self.is_bash() {
            parser.aliases = self.aliases.clone();
        }
        let count = typed.matches('\n').count() as u32;
        let joined = typed.ends_with("\\\n") && !ended;
        match parser.next() {
            _ if joined => {
                self.frames.push(Frame::Input { typed, line });
                self.prompt(sys, true);
            }
            Ok(None) => {
                self.frames.push(Frame::Input { typed: String::new(), line: line + count });
                self.prompt(sys, false);
            }
            Ok(Some(list)) => {
                let name = self.name.clone();
                self.warn_of_ends(&parser, if self.options.interactive { None } else { Some(name.as_str()) });
                if self.options.interactive {
                    self.history.push(typed.trim_end().to_string());
                    if self.history.len() > 500 {
                        self.history.remove(0);
                    }
                }
                self.frames.push(Frame::Input { typed: String::new(), line: line + count });
                self.frames.push(Frame::Status(-1));
                self.frames.push(Frame::List { list, at: 0, top: true });
            }
            Err(error) if error.is_incomplete() && !ended => {
                self.frames.push(Frame::Input { typed, line });
                self.prompt(sys, true);
            }
            Err(error) => {
                let name = self.name.clone();
                let name = if self.options.interactive { None } else { Some(name.as_str()) };
                self.syntax_error(&error, name, count);
                self.status = 2;
                if self.options.interactive && (!ended || self.options.marks) {
                    self.frames.push(Frame::Input { typed: String::new(), line: line + count });
                    self.prompt(sys, false);
                }
            }
        }
        Flow::Go
    }

    pub(super) fn next_text(&mut self, sys: &mut Sys<'_>, mut text: Text) -> Flow {
        let mut parser = Parser::new(&text.text, text.line, self.is_bash());
        parser.at = text.at;
        if !self.is_bash() {
            parser.aliases = self.aliases.clone();
        }
        let size = parser.chars.len();
        match parser.next() {
            Ok(Some(list)) => {
                // Aliases put in make the text longer or shorter; what is left of it is the same.
                text.at = (parser.at + size).saturating_sub(parser.chars.len());
                self.warn_of_ends(&parser, text.name.as_deref());
                if self.options.echo && text.top {
                    // The line as it stands, once: what a terminal shows of it before its output.
                    let mut line = String::new();
                    for (at, item) in list.iter().enumerate() {
                        let last = at + 1 == list.len();
                        line.push_str(&item.text);
                        line.push_str(match (item.background, last) {
                            (true, true) => " &",
                            (true, false) => " & ",
                            (false, false) => "; ",
                            (false, true) => "",
                        });
                    }
                    let mark = String::from_utf8_lossy(crate::shell::ECHO_MARK);
                    self.out(format!("{mark}$ {line}\n{mark}"));
                }
                let rest: bool = parser.chars.iter().skip(parser.at).any(|c| !c.is_whitespace());
                let top = text.top;
                if rest || !text.top {
                    self.frames.push(Frame::Text(text));
                }
                self.frames.push(Frame::List { list, at: 0, top });
                Flow::Go
            }
            Ok(None) => Flow::Go,
            Err(error) => {
                let source: Vec<&str> = text.text.lines().collect();
                self.syntax_error(&error, text.name.as_deref(), source.len() as u32);
                self.unwind_all_or_eval(sys, text.top);
                self.status = 2;
                Flow::Go
            }
        }
    }

    pub(super) fn unwind_all_or_eval(&mut self, sys: &mut Sys<'_>, top: bool) {
        if top {
            self.unwind_all(sys);
        }
    }
}
