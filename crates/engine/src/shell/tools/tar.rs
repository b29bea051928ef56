//! `tar`: archives to and from standard output and input, or files. Left out: compression.

use super::Output;
use crate::base::gap;
use crate::base::tar::{Entry, What, pack, unpack};
use crate::process::{FileError, Node, Program, Read, Sys, Turn, Wait, clean};

pub fn program() -> Box<dyn Program> {
    Box::new(Tar::default())
}

#[derive(Clone, Default)]
struct Tar {
    input: Vec<u8>,
    output: Output,
    code: Option<i32>,
}

#[derive(Default)]
struct Asked {
    mode: char,
    file: String,
    folder: String,
    verbose: bool,
    gzip: bool,
    paths: Vec<String>,
}

fn asked(args: &[String]) -> Asked {
    let mut out = Asked { file: "-".into(), ..Asked::default() };
    let mut words = args.iter().skip(1);
    let mut first = true;
    while let Some(word) = words.next() {
        if word.starts_with("--") {
            continue;
        }
        let letters = word.strip_prefix('-').filter(|rest| !rest.is_empty());
        let Some(letters) = letters.or(first.then_some(word.as_str())) else {
            out.paths.push(word.clone());
            continue;
        };
        first = false;
        for letter in letters.chars() {
            match letter {
                'c' | 'x' | 't' => out.mode = letter,
                'f' => out.file = words.next().cloned().unwrap_or_default(),
                'C' => out.folder = words.next().cloned().unwrap_or_default(),
                'v' => out.verbose = true,
                'z' | 'j' | 'J' => out.gzip = true,
                _ => {}
            }
        }
    }
    out
}

impl Program for Tar {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if self.code.is_none() {
            match self.run(sys) {
                Ok(code) => self.code = Some(code),
                Err(wait) => return Turn::Wait(vec![wait]),
            }
        }
        self.output.flush(sys).unwrap_or(Turn::Exit(self.code.unwrap_or_default()))
    }
}

impl Tar {
    fn run(&mut self, sys: &mut Sys<'_>) -> Result<i32, Wait> {
        let asked = asked(sys.args);
        if asked.gzip {
            self.output.err(format!("{}\n", gap::line("tar with compression", "leave z away")));
            return Ok(1);
        }
        let cwd = clean(sys.cwd, &asked.folder);
        if !sys.files.is_directory("/", &cwd) {
            let text = format!("tar: can't change directory to '{}': No such file or directory\n", asked.folder);
            self.output.err(text);
            return Ok(1);
        }
        match asked.mode {
            'c' => Ok(self.create(sys, &asked, &cwd)),
            'x' | 't' => self.extract(sys, &asked, &cwd),
            _ => {
                self.output.err("tar: must specify one of -c, -x, -t\n");
                Ok(1)
            }
        }
    }

    fn create(&mut self, sys: &mut Sys<'_>, asked: &Asked, cwd: &str) -> i32 {
        let (mut entries, mut failed, mut told) = (Vec::new(), false, false);
        for path in &asked.paths {
            let full = clean(cwd, path);
            if !sys.files.exists("/", &full) {
                self.output.err(format!("tar: {path}: No such file or directory\n"));
                failed = true;
                continue;
            }
            if path.starts_with('/') && !told {
                self.output.err("tar: removing leading '/' from member names\n");
                told = true;
            }
            let name = path.trim_start_matches('/').trim_end_matches('/').to_string();
            gather(sys, &full, if name.is_empty() { "." } else { &name }, 0, &mut entries);
        }
        if asked.verbose {
            entries.iter().for_each(|entry| self.output.err(format!("{}\n", entry.path)));
        }
        let bytes = pack(&entries);
        if asked.file == "-" {
            self.output.out(bytes);
        } else if let Err(error) = sys.files.write(sys.now, sys.cwd, &asked.file, &bytes) {
            self.output.err(format!("tar: can't open '{}': {}\n", asked.file, error.text()));
            return 1;
        }
        if failed {
            self.output.err("tar: error exit delayed from previous errors\n");
        }
        i32::from(failed)
    }

    fn extract(&mut self, sys: &mut Sys<'_>, asked: &Asked, cwd: &str) -> Result<i32, Wait> {
        if asked.file == "-" {
            loop {
                match sys.read(1 << 20) {
                    Read::Data(bytes) => self.input.extend(bytes),
                    Read::End => break,
                    Read::Empty => return Err(Wait::Input),
                }
            }
        } else {
            match sys.files.read(sys.cwd, &asked.file) {
                Ok(bytes) => self.input = bytes.as_ref().clone(),
                Err(error) => {
                    self.output.err(format!("tar: can't open '{}': {}\n", asked.file, error.text()));
                    return Ok(1);
                }
            }
        }
        let Some(entries) = unpack(&self.input) else {
            self.output.err("tar: invalid tar magic\n");
            return Ok(1);
        };
        let members: Vec<&str> = asked.paths.iter().map(|path| path.trim_end_matches('/')).collect();
        let is_of =
            |path: &str, member: &str| path == member || path.strip_prefix(member).is_some_and(|r| r.starts_with('/'));
        let missing = members.iter().find(|member| !entries.iter().any(|entry| is_of(&entry.path, member)));
        let missing = missing.map(|member| format!("tar: {member}: not found in archive\n"));
        for entry in entries {
            if !members.is_empty() && !members.iter().any(|member| is_of(&entry.path, member)) {
                continue;
            }
            if asked.verbose || asked.mode == 't' {
                self.output.out(format!("{}\n", entry.path));
            }
            if asked.mode == 't' {
                continue;
            }
            let full = clean(cwd, entry.path.trim_start_matches('/'));
            if let Err(error) = place(sys, &full, &entry) {
                self.output.err(format!("tar: can't open '{}': {}\n", entry.path, error.text()));
                return Ok(1);
            }
        }
        if let Some(text) = missing {
            self.output.err(text);
            return Ok(1);
        }
        Ok(0)
    }
}

fn place(sys: &mut Sys<'_>, full: &str, entry: &Entry) -> Result<(), FileError> {
    let now = sys.now;
    match &entry.what {
        What::Directory => return sys.files.make_directories(now, "/", full),
        What::File(content) => {
            if let Some((folder, _)) = full.rsplit_once('/').filter(|(folder, _)| !folder.is_empty()) {
                sys.files.make_directories(now, "/", folder)?;
            }
            sys.files.write(now, "/", full, content)?;
        }
        What::Link(to) => return sys.files.link("/", full, to),
    }
    sys.files.set_mode("/", full, entry.mode)
}

fn gather(sys: &Sys<'_>, full: &str, name: &str, depth: usize, out: &mut Vec<Entry>) {
    gather_files(sys.files, full, name, depth, out);
}

/// A file, or a folder with everything below it, under a name of its own.
pub fn gather_files(files: &crate::process::Files, full: &str, name: &str, depth: usize, out: &mut Vec<Entry>) {
    if depth > 100 {
        return;
    }
    let (mode, what) = match files.node("/", full) {
        Ok(Node::File { content, mode, .. }) => (*mode, What::File(content.as_ref().clone())),
        Ok(Node::Directory { .. }) => (0o755, What::Directory),
        _ => return,
    };
    let folder = what == What::Directory;
    out.push(Entry { path: name.to_string(), mode, what });
    if folder {
        let mut names = files.list("/", full).unwrap_or_default();
        names.sort();
        for child in names {
            gather_files(
                files,
                &format!("{}/{child}", full.trim_end_matches('/')),
                &format!("{name}/{child}"),
                depth + 1,
                out,
            );
        }
    }
}
