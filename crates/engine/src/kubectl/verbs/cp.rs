//! `cp`: files to and from containers, by `tar` on the other side.

use super::logs;
use crate::base::Value;
use crate::base::tar::{Entry, What, pack, unpack};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Io, Outcome, Stop, fail};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select;
use crate::process::clean;
use crate::shell::gather_files;

/// `[[namespace/]pod:]path`
#[derive(Clone, Default)]
struct Place {
    namespace: String,
    pod: String,
    file: String,
}

fn place(text: &str) -> Outcome<Place> {
    const FORM: &str = "filespec must match the canonical format: [[namespace/]pod:]file/path";
    let Some((pod, file)) = text.split_once(':') else {
        return Ok(Place { file: text.into(), ..Place::default() });
    };
    if pod.is_empty() {
        return fail(FORM);
    }
    match pod.split('/').collect::<Vec<_>>().as_slice() {
        [pod] => Ok(Place { pod: (*pod).into(), file: file.into(), ..Place::default() }),
        [namespace, pod] => Ok(Place { namespace: (*namespace).into(), pod: (*pod).into(), file: file.into() }),
        _ => fail(FORM),
    }
}

pub fn cp(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let [from, to] = args.words.as_slice() else { return fail("source and destination are required") };
    let (from, to) = (place(from)?, place(to)?);
    if !from.pod.is_empty() && !to.pod.is_empty() {
        return fail("one of src or dest must be a local file specification");
    }
    if from.file.is_empty() || to.file.is_empty() {
        return fail("filepath can not be empty");
    }
    match (from.pod.is_empty(), to.pod.is_empty()) {
        (false, _) => download(args, io, &from, &to),
        (_, false) => upload(args, io, &from, &to),
        _ => fail("one of src or dest must be a remote file specification"),
    }
}

fn pod(io: &mut Io<'_, '_>, of: &Place) -> Outcome<Value> {
    if !of.namespace.is_empty() {
        io.namespace = of.namespace.clone();
    }
    let mapper = Mapper::discover(io)?;
    select::one(&format!("pods/{}", of.pod), io, &mapper).map(|item| item.object)
}

fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

fn upload(args: &Args, io: &mut Io<'_, '_>, from: &Place, to: &Place) -> Outcome {
    let full = clean(io.sys.cwd, &from.file);
    if !io.sys.files.exists("/", &full) {
        return fail(format!("{} doesn't exist in local filesystem", from.file));
    }
    let pod = pod(io, to)?;
    let quiet = logs::container(io, &pod, args.get("container"), true)?;
    let target = clean("/", &to.file);
    let target = if to.file.starts_with('/') { target } else { target.trim_start_matches('/').to_string() };
    let into = to.file.ends_with('/') || logs::run_in(io, &pod, &quiet, &["test", "-d", &target], None)?.0 == 0;
    let target = if into { format!("{}/{}", target.trim_end_matches('/'), base_name(&full)) } else { target };
    let container = logs::container(io, &pod, args.get("container"), false)?;
    let (folder, name) = target.rsplit_once('/').unwrap_or(("", &target));
    let folder = if folder.is_empty() && target.starts_with('/') { "/" } else { folder };
    let mut entries = Vec::new();
    gather_files(io.sys.files, &full, name, 0, &mut entries);
    // A folder's own entry is only told when nothing is in it.
    let filled: Vec<String> = entries.iter().filter_map(|e| Some(e.path.rsplit_once('/')?.0.to_string())).collect();
    entries.retain(|entry| entry.what != What::Directory || !filled.contains(&entry.path));
    let archive = pack(&entries);
    let mut command = vec!["tar"];
    if args.is("no-preserve") {
        command.extend(["--no-same-permissions", "--no-same-owner"]);
    }
    command.extend(["-xmf", "-"]);
    if !folder.is_empty() {
        command.extend(["-C", folder]);
    }
    let (code, out, err) = logs::run_in(io, &pod, &container, &command, Some(&archive))?;
    io.out(out);
    io.err(err);
    ended(io, code)
}

fn ended(io: &mut Io<'_, '_>, code: i32) -> Outcome {
    if code == 0 {
        return Ok(());
    }
    io.err(format!("command terminated with exit code {code}\n"));
    Err(Stop::Exit(code))
}

fn download(args: &Args, io: &mut Io<'_, '_>, from: &Place, to: &Place) -> Outcome {
    let pod = pod(io, from)?;
    let container = logs::container(io, &pod, args.get("container"), true)?;
    let lists = ["containers", "initContainers", "ephemeralContainers"];
    if args.get("container").is_empty() && lists.iter().map(|list| pod["spec"][*list].items().len()).sum::<usize>() > 1
    {
        // What the other side says on the way is cp's own output.
        let annotated = pod.at(&["metadata", "annotations", "kubectl.kubernetes.io/default-container"]).str();
        if annotated != container {
            io.out(logs::defaulted(&pod));
        }
    }
    let (_, out, err) = logs::run_in(io, &pod, &container, &["tar", "cf", "-", &from.file], None)?;
    io.out(err);
    let prefix = clean("/", &from.file);
    let prefix = prefix.trim_start_matches('/');
    let target = clean(io.sys.cwd, &to.file);
    for Entry { path, mode, what } in unpack(&out).unwrap_or_default() {
        let path = path.trim_start_matches("./");
        let Some(rest) = path.strip_prefix(prefix) else { return fail("tar contents corrupted") };
        let place = clean(&target, rest.trim_start_matches('/'));
        let (now, shown) = (io.now(), to.file.clone());
        let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
        let _ = io.sys.files.make_directories(now, "/", if folder.is_empty() { "/" } else { folder });
        let result = match what {
            What::Directory => io.sys.files.make_directories(now, "/", &place),
            What::File(content) => {
                io.sys.files.write(now, "/", &place, &content).and_then(|()| io.sys.files.set_mode("/", &place, mode))
            }
            What::Link(link) => {
                let meta = &pod["metadata"];
                io.err(format!(
                    "warning: skipping symlink: \"{place}\" -> \"{link}\" (consider using \"kubectl exec -n \\\"{}\\\" \
                     \\\"{}\\\" -- tar cf - \\\"{}\\\" | tar xf -\")\n",
                    meta["namespace"].str(),
                    meta["name"].str(),
                    from.file
                ));
                Ok(())
            }
        };
        if let Err(error) = result {
            return fail(format!("open {shown}: {}", error.text().to_lowercase()));
        }
    }
    Ok(())
}
