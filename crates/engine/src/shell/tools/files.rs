//! ls, mkdir, rm, rmdir, cp, mv, touch, ln, chmod, find, basename, dirname, realpath.

use super::{Flags, Output, Run};
use crate::process::{FileError, Node, Sys, clean};
use crate::shell::Flavour;
use crate::shell::pattern::Pattern;

pub fn find(name: &str) -> Option<Run> {
    Some(match name {
        "ls" => ls,
        "mkdir" => |sys, flavour, out| {
            let flags = Flags::read(sys.args, "m", "pv", &[("parents", 'p')]);
            each(&flags.rest.clone(), out, |path| {
                let result = if flags.has('p') {
                    sys.files.make_directories(sys.now, sys.cwd, path)
                } else {
                    sys.files.make_directory(sys.now, sys.cwd, path)
                };
                let verb = cannot(flavour, "create directory");
                result.map_err(|error| format!("mkdir: {verb} '{path}': {}", error.text()))
            })
        },
        "rmdir" => |sys, flavour, out| {
            let paths = sys.args.get(1..).unwrap_or_default().to_vec();
            each(&paths, out, |path| {
                sys.files.remove(sys.cwd, path).map_err(|error| match flavour {
                    Flavour::Busybox => format!("rmdir: '{path}': {}", error.text()),
                    _ => format!("rmdir: failed to remove '{path}': {}", error.text()),
                })
            })
        },
        "rm" => |sys, flavour, out| {
            let flags = Flags::read(sys.args, "", "rRfivd", &[("recursive", 'r'), ("force", 'f')]);
            let recursive = flags.has('r') || flags.has('R');
            if flags.rest.is_empty() && !flags.has('f') {
                out.err("rm: missing operand\nTry 'rm --help' for more information.\n");
                return 1;
            }
            each(&flags.rest.clone(), out, |path| {
                let directory = sys.files.is_directory(sys.cwd, path);
                let result = match (directory, recursive) {
                    (true, false) => Err(FileError::IsDirectory),
                    (true, true) => sys.files.remove_all(sys.cwd, path),
                    (false, _) => sys.files.remove(sys.cwd, path),
                };
                match result {
                    Err(FileError::NotFound) if flags.has('f') => Ok(()),
                    Err(FileError::IsDirectory) if flavour == Flavour::Busybox => {
                        Err(format!("rm: '{path}' is a directory"))
                    }
                    other => {
                        let verb = cannot(flavour, "remove");
                        other.map_err(|error| format!("rm: {verb} '{path}': {}", error.text()))
                    }
                }
            })
        },
        "cp" => |sys, _, out| copy(sys, out, false),
        "mv" => |sys, _, out| copy(sys, out, true),
        "touch" => |sys, flavour, out| {
            let flags = Flags::read(sys.args, "dtr", "acm", &[]);
            each(&flags.rest.clone(), out, |path| {
                if sys.files.is_directory(sys.cwd, path) {
                    return Ok(());
                }
                sys.files.append(sys.now, sys.cwd, path, b"").map_err(|error| match flavour {
                    Flavour::Busybox => format!("touch: {path}: {}", error.text()),
                    _ => format!("touch: cannot touch '{path}': {}", error.text()),
                })
            })
        },
        "truncate" => |sys, _, out| {
            let flags = Flags::read(sys.args, "s", "c", &[]);
            let size = flags.value('s').and_then(|size| size.parse::<usize>().ok()).filter(|size| *size <= 16 << 20);
            let Some(size) = size else {
                out.err(format!("{}\n", crate::base::gap::line("truncate without -s NUMBER", "")));
                return 1;
            };
            each(&flags.rest.clone(), out, |path| {
                let mut bytes = sys.files.read(sys.cwd, path).map_or(Vec::new(), |content| content.to_vec());
                bytes.resize(size, 0);
                let written = sys.files.write(sys.now, sys.cwd, path, &bytes);
                written.map_err(|error| format!("truncate: cannot open '{path}' for writing: {}", error.text()))
            })
        },
        "ln" => |sys, flavour, out| {
            let flags = Flags::read(sys.args, "", "sfnv", &[]);
            let [to, name] = flags.rest.as_slice() else {
                out.err("ln: missing file operand\n");
                return 1;
            };
            if flags.has('f') {
                let _ = sys.files.remove(sys.cwd, name);
            }
            match sys.files.link(sys.cwd, name, to) {
                Ok(()) => 0,
                Err(error) => {
                    let start = if flavour == Flavour::Busybox { "" } else { "failed to create symbolic link " };
                    let name = if start.is_empty() { name.to_string() } else { format!("'{name}'") };
                    out.err(format!("ln: {start}{name}: {}\n", error.text()));
                    1
                }
            }
        },
        "chmod" => |sys, flavour, out| {
            let rest: Vec<String> = sys.args.iter().skip(1).filter(|arg| *arg != "-R").cloned().collect();
            let Some((mode, paths)) = rest.split_first() else { return 1 };
            each(paths, out, |path| {
                let old = match sys.files.node(sys.cwd, path) {
                    Ok(Node::File { mode, .. }) => *mode,
                    _ => 0o755,
                };
                let new = match u32::from_str_radix(mode, 8) {
                    Ok(mode) => mode,
                    Err(_) => {
                        let bits = [('r', 0o444), ('w', 0o222), ('x', 0o111)];
                        let bits = bits.iter().filter(|(c, _)| mode.contains(*c)).map(|(_, b)| b).sum::<u32>();
                        if mode.contains('-') { old & !bits } else { old | bits }
                    }
                };
                sys.files.set_mode(sys.cwd, path, new).map_err(|e| match flavour {
                    Flavour::Busybox => format!("chmod: {path}: {}", e.text()),
                    _ => format!("chmod: cannot access '{path}': {}", e.text()),
                })
            })
        },
        "chown" => |sys, flavour, out| {
            let status = sys.files.read_text("/", "/proc/self/status").unwrap_or_default();
            let own = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
            // The first capability is that of changing owners.
            let may = own.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).is_none_or(|bits| bits & 1 == 1);
            let rest: Vec<String> = sys.args.iter().skip(1).filter(|arg| !arg.starts_with('-')).cloned().collect();
            each(rest.get(1..).unwrap_or_default(), out, |path| match (may, flavour) {
                (true, _) => Ok(()),
                (false, Flavour::Busybox) => Err(format!("chown: {path}: Operation not permitted")),
                (false, _) => Err(format!("chown: changing ownership of '{path}': Operation not permitted")),
            })
        },
        "find" => find_files,
        "basename" => |sys, _, out| {
            let path = sys.args.get(1).map_or("", |path| path.trim_end_matches('/'));
            let name = path.rsplit('/').next().unwrap_or(path);
            let suffix = sys.args.get(2).map_or("", String::as_str);
            let name = if name == suffix { name } else { name.strip_suffix(suffix).unwrap_or(name) };
            out.out(format!("{}\n", if name.is_empty() { "/" } else { name }));
            0
        },
        "dirname" => |sys, _, out| {
            let path = sys.args.get(1).map_or("", |path| path.trim_end_matches('/'));
            let directory = match path.rfind('/') {
                Some(0) => "/",
                Some(at) => path.get(..at).unwrap_or("."),
                None => ".",
            };
            out.out(format!("{directory}\n"));
            0
        },
        "realpath" | "readlink" => |sys, _, out| {
            let Some(path) = sys.args.iter().skip(1).find(|arg| !arg.starts_with('-')) else { return 1 };
            let reads_link = sys.args.first().is_some_and(|name| name.ends_with("readlink"));
            if reads_link && !sys.args.iter().any(|arg| matches!(arg.as_str(), "-f" | "-e" | "-m")) {
                // The link's own text; silence for what is no link.
                let full = clean(sys.cwd, path);
                let target = sys.files.iter().find(|(own, _)| **own == full).and_then(|(_, node)| match node {
                    Node::Link { to } => Some(to.clone()),
                    _ => None,
                });
                return match target {
                    Some(to) => {
                        out.out(format!("{to}\n"));
                        0
                    }
                    None => 1,
                };
            }
            match sys.files.resolve(sys.cwd, path) {
                Ok(path) => {
                    out.out(format!("{path}\n"));
                    0
                }
                Err(error) => {
                    out.err(format!("realpath: {path}: {}\n", error.text()));
                    1
                }
            }
        },
        _ => return None,
    })
}

fn each(paths: &[String], out: &mut Output, mut act: impl FnMut(&str) -> Result<(), String>) -> i32 {
    let mut code = 0;
    for path in paths {
        if let Err(text) = act(path) {
            out.err(format!("{text}\n"));
            code = 1;
        }
    }
    code
}

/// Every path below, the start included, in the order `find` shows them.
pub fn walk(sys: &Sys<'_>, root: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut waiting = vec![root.to_string()];
    while let Some(path) = waiting.pop() {
        if out.len() > 20_000 {
            break;
        }
        if let Ok(names) = sys.files.list(sys.cwd, &path) {
            waiting.extend(names.iter().rev().map(|name| format!("{}/{name}", path.trim_end_matches('/'))));
        }
        out.push(path);
    }
    out
}

fn find_files(sys: &mut Sys<'_>, _: Flavour, out: &mut Output) -> i32 {
    let (mut roots, mut tests) = (Vec::new(), sys.args.iter().skip(1).peekable());
    while let Some(root) = tests.next_if(|arg| !arg.starts_with('-')) {
        roots.push(root.clone());
    }
    let (mut name, mut kind, mut deepest) = (None, None, usize::MAX);
    while let Some(test) = tests.next() {
        match test.as_str() {
            "-name" | "-iname" => name = tests.next().map(|text| Pattern::new(text)),
            "-type" => kind = tests.next().cloned(),
            "-maxdepth" => deepest = tests.next().and_then(|n| n.parse().ok()).unwrap_or(usize::MAX),
            "-print" => {}
            other => {
                out.err(format!("{}\n", crate::base::gap::line(&format!("find {other}"), "")));
                return 1;
            }
        }
    }
    if roots.is_empty() {
        roots.push(".".into());
    }
    let mut code = 0;
    for root in roots {
        if !sys.files.exists(sys.cwd, &root) {
            out.err(format!("find: '{root}': No such file or directory\n"));
            code = 1;
            continue;
        }
        for path in walk(sys, &root) {
            let depth = path.matches('/').count() - root.trim_end_matches('/').matches('/').count();
            let last = path.rsplit('/').next().unwrap_or(&path);
            let directory = sys.files.is_directory(sys.cwd, &path);
            let fits = name.as_ref().is_none_or(|name| name.matches(last))
                && kind.as_deref().is_none_or(|kind| (kind == "d") == directory)
                && depth <= deepest;
            if fits {
                out.out(format!("{path}\n"));
            }
        }
    }
    code
}

fn copy(sys: &mut Sys<'_>, out: &mut Output, moves: bool) -> i32 {
    let name = if moves { "mv" } else { "cp" };
    let flags = Flags::read(sys.args, "t", "rRafivpLnu", &[("recursive", 'r')]);
    let recursive = moves || flags.has('r') || flags.has('R') || flags.has('a');
    let Some((target, sources)) = flags.rest.split_last().filter(|(_, sources)| !sources.is_empty()) else {
        let text = match flags.rest.first() {
            Some(one) => format!("{name}: missing destination file operand after '{one}'"),
            None => format!("{name}: missing file operand"),
        };
        out.err(format!("{text}\nTry '{name} --help' for more information.\n"));
        return 1;
    };
    let into = sys.files.is_directory(sys.cwd, target);
    if sources.len() > 1 && !into {
        out.err(format!("{name}: target '{target}' is not a directory\n"));
        return 1;
    }
    let sources = sources.to_vec();
    let target = target.clone();
    each(&sources, out, |source| {
        let from = clean(sys.cwd, source);
        let last = from.rsplit('/').next().unwrap_or_default().to_string();
        let to = clean(sys.cwd, &if into { format!("{target}/{last}") } else { target.clone() });
        let verb = if moves { "cannot stat" } else { "cannot stat" };
        let node = sys.files.node("/", &from).map_err(|e| format!("{name}: {verb} '{source}': {}", e.text()))?.clone();
        if from == to {
            return Err(format!("{name}: '{source}' and '{target}' are the same file"));
        }
        let write = |sys: &mut Sys<'_>, from: &str, to: &str| -> Result<(), FileError> {
            if let Node::File { content, mode, .. } = sys.files.node("/", from)?.clone() {
                sys.files.write(sys.now, "/", to, &content)?;
                sys.files.set_mode("/", to, mode)?;
            }
            Ok(())
        };
        let failed = |error: FileError| format!("{name}: cannot create regular file '{target}': {}", error.text());
        match node {
            Node::Directory { .. } if !recursive => {
                return Err(format!("cp: -r not specified; omitting directory '{source}'"));
            }
            Node::Directory { .. } => {
                if to.starts_with(&format!("{from}/")) {
                    return Err(format!("{name}: cannot copy a directory, '{source}', into itself, '{target}'"));
                }
                for path in walk(sys, &from) {
                    let new = format!("{to}{}", path.strip_prefix(&from).unwrap_or_default());
                    if sys.files.is_directory("/", &path) {
                        let _ = sys.files.make_directory(sys.now, "/", &new);
                    } else {
                        write(sys, &path, &new).map_err(failed)?;
                    }
                }
            }
            _ => write(sys, &from, &to).map_err(failed)?,
        }
        if moves {
            sys.files.remove_all("/", &from).map_err(|e| format!("mv: cannot remove '{source}': {}", e.text()))?;
        }
        Ok(())
    })
}

/// busybox says "can't" where the GNU tools say "cannot".
fn cannot(flavour: Flavour, what: &str) -> String {
    if flavour == Flavour::Busybox { format!("can't {what}") } else { format!("cannot {what}") }
}

fn ls(sys: &mut Sys<'_>, flavour: Flavour, out: &mut Output) -> i32 {
    let flags = Flags::read(sys.args, "", "laA1RhtrdFnLS", &[("all", 'a'), ("almost-all", 'A')]);
    let mut paths = flags.rest.clone();
    if paths.is_empty() {
        paths.push(".".into());
    }
    paths.sort();
    let mut code = 0;
    let (mut plain, mut directories) = (Vec::new(), Vec::new());
    for path in paths {
        // A link that is named is shown itself in the long form.
        let is_link = flags.has('l') && !path.ends_with('/') && sys.files.is_link(sys.cwd, &path);
        match sys.files.node(sys.cwd, &path) {
            _ if is_link => plain.push(path),
            Err(error) if flavour == Flavour::Busybox => {
                out.err(format!("ls: {path}: {}\n", error.text()));
                code = 1;
            }
            Err(error) => {
                out.err(format!("ls: cannot access '{path}': {}\n", error.text()));
                code = 2;
            }
            Ok(Node::Directory { .. }) if !flags.has('d') => directories.push(path),
            Ok(_) => plain.push(path),
        }
    }
    let many = plain.len() + directories.len() > 1;
    show(sys, flavour, &flags, "", &plain, out);
    for (at, path) in directories.iter().enumerate() {
        if many {
            out.out(format!("{}{path}:\n", if at > 0 || !plain.is_empty() { "\n" } else { "" }));
        }
        let mut names = sys.files.list(sys.cwd, path).unwrap_or_default();
        names.retain(|name| flags.has('a') || flags.has('A') || !name.starts_with('.'));
        if flags.has('a') {
            names.splice(0..0, [".".to_string(), "..".into()]);
        }
        if flags.has('l') || flags.has('n') {
            let blocks = |name: &String| match sys.files.raw(sys.cwd, &format!("{path}/{name}")) {
                Some(Node::Directory { .. }) => 4,
                Some(Node::File { content, .. }) => content.len().div_ceil(4096) * 4,
                _ => 0,
            };
            out.out(format!("total {}\n", names.iter().map(blocks).sum::<usize>()));
        }
        show(sys, flavour, &flags, path, &names, out);
    }
    code
}

/// Names in as many columns as fit, sorted downwards.
fn in_columns(names: &[String], width: usize, out: &mut Output) {
    let length = |name: &String| name.chars().count();
    let widths = |rows: usize| -> Vec<usize> {
        names.chunks(rows).map(|column| column.iter().map(length).max().unwrap_or(0) + 2).collect()
    };
    let fits = |rows: &usize| widths(*rows).iter().sum::<usize>() < width + 2;
    let all: usize = names.iter().map(|name| length(name) + 2).sum();
    let rows = ((all / (width + 2)).max(1)..names.len()).find(fits).unwrap_or(names.len().max(1));
    let widths = widths(rows);
    for row in 0..rows.min(names.len()) {
        let mut line = String::new();
        for (column, wide) in names.chunks(rows).zip(&widths) {
            let Some(name) = column.get(row) else { break };
            line.push_str(name);
            line.extend(std::iter::repeat_n(' ', wide.saturating_sub(length(name))));
        }
        out.out(format!("{}\n", line.trim_end()));
    }
}

fn show(sys: &Sys<'_>, flavour: Flavour, flags: &Flags, base: &str, names: &[String], out: &mut Output) {
    let path =
        |name: &str| if base.is_empty() { name.to_string() } else { format!("{}/{name}", base.trim_end_matches('/')) };
    if !(flags.has('l') || flags.has('n')) {
        match sys.terminal.filter(|_| !flags.has('1')) {
            Some((width, _)) => in_columns(names, width.into(), out),
            None => names.iter().for_each(|name| out.out(format!("{name}\n"))),
        }
        return;
    }
    let busybox = flavour == Flavour::Busybox;
    let owner = if flags.has('n') { "0" } else { "root" };
    let user = match (busybox, flags.has('n')) {
        (true, _) => format!("{owner:<8} {owner:<8}"),
        (false, true) => "0    0   ".into(),
        (false, false) => "root root".into(),
    };
    let rows: Vec<(String, usize, usize, crate::base::Time, String)> = names
        .iter()
        .filter_map(|name| {
            let full = path(name);
            let node = sys.files.raw(sys.cwd, &full)?;
            let inside = sys.files.list(sys.cwd, &full).unwrap_or_default();
            let below =
                inside.iter().filter(|inner| sys.files.is_directory(sys.cwd, &format!("{full}/{inner}"))).count();
            Some(match node {
                Node::Directory { modified, .. } => {
                    ("drwxr-xr-x".to_string(), below + 2, 4096, *modified, name.clone())
                }
                Node::File { content, modified, mode, .. } => {
                    let bits = |shift: u32| {
                        let m = mode >> shift & 7;
                        [(4, 'r'), (2, 'w'), (1, 'x')]
                            .map(|(bit, c)| if m & bit != 0 { c } else { '-' })
                            .iter()
                            .collect::<String>()
                    };
                    (format!("-{}{}{}", bits(6), bits(3), bits(0)), 1, content.len(), *modified, name.clone())
                }
                Node::Link { to } => ("lrwxrwxrwx".into(), 1, to.len(), sys.now, format!("{name} -> {to}")),
            })
        })
        .collect();
    let width = if busybox { 9 } else { rows.iter().map(|(_, _, size, ..)| size.to_string().len()).max().unwrap_or(1) };
    let links_width = if busybox { 4 } else { 1 };
    for (mode, links, size, time, name) in rows {
        let (_, _, day, hour, minute, _) = time.civil();
        let month = time.month_name();
        out.out(format!(
            "{mode} {links:>links_width$} {user} {size:>width$} {month} {day:>2} {hour:02}:{minute:02} {name}\n"
        ));
    }
}
