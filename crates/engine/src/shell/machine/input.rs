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
            Read::End if typed.trim().is_empty() => {
                if self.options.interactive && !self.options.marks {
                    self.err(if self.is_bash() { "exit\n" } else { "" });
                }
                return self.finish(self.status);
            }
            Read::End => Vec::new(),
            Read::Data(bytes) => bytes,
        };
        let ended = bytes.is_empty();
        typed.push_str(&String::from_utf8_lossy(&bytes));
        let mut parser = Parser::new(&typed, if self.options.interactive { 1 } else { line }, self.is_bash());
        parser.more = !ended;
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
                if self.options.interactive && !ended {
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
        match parser.next() {
            Ok(Some(list)) => {
                text.at = parser.at;
                if self.options.echo && text.top {
                    for item in list.iter() {
                        let mark = String::from_utf8_lossy(crate::shell::ECHO_MARK);
                        self.out(format!("{mark}$ {}\n{mark}", item.text));
                    }
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
