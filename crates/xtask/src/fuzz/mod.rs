//! `cargo xtask fuzz`: texts that are almost right, made from recorded ones, given to what people and clients write:
//! YAML, API requests, shell scripts, output templates. A panic, a lost answer or a step that takes too long is a
//! finding; its input is kept and can be run alone. The seed decides every input.

mod corpus;
mod mutate;
mod targets;

use std::collections::BTreeSet;
use std::os::unix::fs::FileExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::run::{Result, root, say};
use mutate::Mutator;
use targets::TARGETS;

/// One execution may take this long before it counts as endless.
const ENDLESS: Duration = Duration::from_secs(20);
/// Inputs kept because they led somewhere new.
const MOST_KEPT: usize = 5_000;

pub fn run(args: &[String]) -> Result<()> {
    let (mut names, mut seconds, mut seed, mut input) = (Vec::new(), 30, 1, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        match arg.as_str() {
            "--seconds" => seconds = value()?.parse().map_err(|_| "--seconds wants a number")?,
            "--seed" => seed = value()?.parse().map_err(|_| "--seed wants a number")?,
            "--input" => input = Some(PathBuf::from(value()?)),
            name if TARGETS.iter().any(|target| target.name == name) => names.push(name.to_string()),
            other => {
                let all: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                return Err(format!("no such target: {other} (there are {})", all.join(", ")));
            }
        }
    }
    let chosen = TARGETS.iter().filter(|target| names.is_empty() || names.iter().any(|name| name == target.name));
    let mut findings = 0;
    for target in chosen {
        findings += match &input {
            Some(file) => alone(target, file)?,
            None => fuzz(target, Duration::from_secs(seconds), seed)?,
        };
    }
    if findings == 0 { Ok(()) } else { Err(format!("{findings} findings in {}", folder().display())) }
}

fn folder() -> PathBuf {
    root().join("target/fuzz")
}

/// Runs one kept input, with its panic shown.
fn alone(target: &targets::Target, file: &Path) -> Result<usize> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let start = Instant::now();
    let sign = (target.start)()(&bytes);
    say(&format!("{}: an answer after {} ms (sign {sign:x})", target.name, start.elapsed().as_millis()));
    Ok(0)
}

fn fuzz(target: &targets::Target, time: Duration, seed: u64) -> Result<usize> {
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Written before each execution, so that it is there when the stack runs over or the loop has no end.
    let current = folder.join(format!("{}.current", target.name));
    let file = std::fs::File::create(&current).map_err(|error| format!("{}: {error}", current.display()))?;
    let mut corpus = (target.corpus)();
    let words = corpus::words(&corpus);
    let mut mutator = Mutator::new(seed, words);
    let mut execute = (target.start)();
    let panics = catch_panics();
    let began = Arc::new(AtomicU64::new(0));
    watch(target.name, Arc::clone(&began), current.clone());
    let (mut seen, mut places) = (BTreeSet::new(), BTreeSet::new());
    let (mut executions, mut longest) = (0_u64, Duration::ZERO);
    let (start, first) = (Instant::now(), corpus.len());
    say(&format!("{}: {first} texts, {} s, seed {seed}", target.name, time.as_secs()));
    while start.elapsed() < time {
        // First the texts as they are.
        let index = executions as usize;
        let bytes = if index < first { corpus[index].clone() } else { mutator.mutate(&corpus) };
        file.write_all_at(&bytes, 0)
            .and_then(|()| file.set_len(bytes.len() as u64))
            .map_err(|error| format!("{}: {error}", current.display()))?;
        let at = Instant::now();
        began.store(start_of_execution(), Ordering::Relaxed);
        let result = catch_unwind(AssertUnwindSafe(|| execute(&bytes)));
        began.store(0, Ordering::Relaxed);
        executions += 1;
        if at.elapsed() > longest {
            longest = at.elapsed();
            let _ = std::fs::copy(&current, folder.join(format!("{}.slowest", target.name)));
        }
        match result {
            Ok(sign) => {
                if seen.insert(sign) && index >= first && corpus.len() < MOST_KEPT {
                    corpus.push(bytes);
                }
            }
            Err(_) => {
                let place = panics.lock().map(|mut place| std::mem::take(&mut *place)).unwrap_or_default();
                if places.insert(place.clone()) {
                    let file = folder.join(format!("{}.{}", target.name, places.len()));
                    let _ = std::fs::copy(&current, &file);
                    say(&format!("{}: PANIC {place}\n  input: {}", target.name, file.display()));
                }
                // What unwound may be left half done.
                execute = (target.start)();
            }
        }
    }
    let _ = std::panic::take_hook();
    say(&format!(
        "{}: {executions} executions, {} kinds of answers, the longest took {} ms, {} findings",
        target.name,
        seen.len(),
        longest.as_millis(),
        places.len()
    ));
    Ok(places.len())
}

/// Keeps the text of a panic instead of printing it.
fn catch_panics() -> Arc<Mutex<String>> {
    let place = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut kept) = kept.lock() {
            *kept = info.to_string().replace('\n', " ");
        }
    }));
    place
}

fn start_of_execution() -> u64 {
    std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_millis() as u64)
}

/// Ends the program when one execution takes too long.
fn watch(name: &'static str, began: Arc<AtomicU64>, current: PathBuf) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let start = began.load(Ordering::Relaxed);
            if start != 0 && start_of_execution().saturating_sub(start) > ENDLESS.as_millis() as u64 {
                let file = current.with_extension("endless");
                let _ = std::fs::copy(&current, &file);
                say(&format!("{name}: no answer within {} s\n  input: {}", ENDLESS.as_secs(), file.display()));
                std::process::exit(1);
            }
        }
    });
}
