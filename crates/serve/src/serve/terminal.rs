//! What lies between a client's raw terminal and a program that reads lines: the line discipline of a container's
//! pseudo-terminal. Keys become lines, lines are echoed, output ends its lines with a carriage return.
//!
//! Left out: programs that switch echo and lines off themselves.

const INTERRUPT: u8 = 3;
const END: u8 = 4;

/// The line that is being typed.
#[derive(Default)]
pub struct Terminal {
    line: Vec<u8>,
    /// Inside of an escape sequence, which is dropped.
    escape: bool,
}

impl Terminal {
    /// Keys to what the program gets, and what is echoed.
    pub fn typed(&mut self, keys: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let (mut input, mut echo) = (Vec::new(), Vec::new());
        for key in keys.iter().copied() {
            match key {
                _ if self.escape => self.escape = !(key.is_ascii_alphabetic() || key == b'~'),
                0x1b => self.escape = true,
                b'\r' | b'\n' => {
                    input.append(&mut self.line);
                    input.push(b'\n');
                    echo.extend_from_slice(b"\r\n");
                }
                INTERRUPT => {
                    self.line.clear();
                    input.push(INTERRUPT);
                    echo.extend_from_slice(b"^C\r\n");
                }
                END => {
                    input.append(&mut self.line);
                    input.push(END);
                }
                0x7f | 8 => {
                    // A whole character goes.
                    while self.line.pop_if(|byte| *byte & 0xc0 == 0x80).is_some() {}
                    if self.line.pop().is_some() {
                        echo.extend_from_slice(b"\x08 \x08");
                    }
                }
                0x15 => {
                    let count = String::from_utf8_lossy(&self.line).chars().count();
                    self.line.clear();
                    echo.extend(b"\x08 \x08".repeat(count));
                }
                key if key < 0x20 && key != b'\t' => {}
                key => {
                    self.line.push(key);
                    echo.push(key);
                }
            }
        }
        (input, echo)
    }
}

/// Output as a terminal shows it.
pub fn shown(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut last = 0;
    for byte in bytes.iter().copied() {
        if byte == b'\n' && last != b'\r' {
            out.push(b'\r');
        }
        out.push(byte);
        last = byte;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_lines() {
        let typed = |keys: &[&[u8]]| {
            let mut terminal = Terminal::default();
            let (mut input, mut echo) = (Vec::new(), Vec::new());
            for keys in keys {
                let (more, shown) = terminal.typed(keys);
                input.extend(more);
                echo.extend(shown);
            }
            (String::from_utf8(input).unwrap(), String::from_utf8(echo).unwrap())
        };
        let both = |input: &str, echo: &str| (input.to_string(), echo.to_string());
        assert_eq!(typed(&[b"ls", b" -l\r"]), both("ls -l\n", "ls -l\r\n"));
        assert_eq!(typed(&[b"lx\x7fs\r"]), both("ls\n", "lx\x08 \x08s\r\n"));
        assert_eq!(typed(&["ü\x7f\r".as_bytes()]), both("\n", "ü\x08 \x08\r\n"));
        assert_eq!(typed(&[b"abc\x15\x7fd\n"]), both("d\n", "abc\x08 \x08\x08 \x08\x08 \x08d\r\n"));
        assert_eq!(typed(&[b"half\x03"]), both("\x03", "half^C\r\n"));
        assert_eq!(typed(&[b"half\x04\x04"]), both("half\x04\x04", "half"));
        assert_eq!(typed(&[b"\x1b[", b"A\x1b[3~x\r"]), both("x\n", "x\r\n"));
        assert_eq!(shown(b"a\nb\r\n\n"), b"a\r\nb\r\n\r\n");
    }
}
