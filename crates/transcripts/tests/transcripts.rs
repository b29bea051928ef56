//! Every script of tests/transcripts shows what the text beside it says, twice alike. `UPDATE=1 cargo test -p
//! drydock-transcripts` writes the texts; the difference is to be reviewed.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use engine::base::Span;
use engine::cluster::{Preset, Setup};
use engine::lab::{Input, Lab};
use engine::process::{Late, Program, Silence, Start};
use engine::workstation::Installed;

#[test]
fn scripts_show_what_stands_beside_them() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for file in scripts() {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let script = fs::read_to_string(&file).unwrap();
        let played = transcripts::play(&script).unwrap();
        let again = transcripts::play(&script).unwrap();
        assert_eq!(played.text, again.text, "{name}: two runs show the same");
        assert_eq!(played.hash, again.hash, "{name}: two runs leave the same trace");
        let shown = transcripts::shown(&played);
        let beside = file.with_extension("txt");
        if update {
            fs::write(&beside, shown).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        if shown != expected {
            wrong.push(format!("{name}: {}", first_difference(&expected, &shown)));
        }
    }
    assert!(wrong.is_empty(), "{}\n(UPDATE=1 rewrites the texts)", wrong.join("\n"));
}

thread_local! {
    /// How often it is still to be said that a program is not there yet.
    static DELAY: Cell<u32> = const { Cell::new(0) };
}

fn arrived() -> Result<(), Silence> {
    match DELAY.get() {
        0 => Ok(()),
        left => {
            DELAY.set(left - 1);
            Err(Silence::Coming)
        }
    }
}

/// The programs as the page has them: in parts that come later.
fn late() -> Vec<Installed> {
    fn kubectl(args: &[String]) -> Box<dyn Program> {
        Late::program(args, engine::kubectl::program, arrived)
    }
    fn docker(args: &[String]) -> Box<dyn Program> {
        Late::program(args, engine::docker::cli::program, arrived)
    }
    fn terraform(args: &[String]) -> Box<dyn Program> {
        Late::program(args, engine::terraform::program, arrived)
    }
    let programs = [("kubectl", kubectl as Start), ("docker", docker), ("terraform", terraform)];
    programs.map(|(name, start)| Installed { name, start, complete: None }).into()
}

#[test]
fn programs_that_come_late_do_the_same() {
    for file in scripts() {
        let script = fs::read_to_string(&file).unwrap();
        let here = transcripts::play(&script).unwrap();
        DELAY.set(5);
        let lab = Lab::with(transcripts::setup(&script).unwrap(), late());
        let there = transcripts::play_on(lab, &script, u64::MAX);
        assert_eq!(here, there, "{} after some times not there", file.display());
    }
}

/// A copy of a Lab in the middle of an apply goes on as the Lab does, whoever goes first.
#[test]
fn copies_of_a_program_go_their_own_ways() {
    let mut lab = Lab::with(Setup::new(Preset::Bare), late());
    let text = "variable \"a\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.a\n}\n";
    lab.input(Input::WriteFile { path: "main.tf".into(), text: text.into() });
    lab.input(Input::Line("terraform apply -no-color".into()));
    let answer = |mut lab: Lab, words: &[&str]| {
        for word in words {
            let next = lab.now() + Span::seconds(1);
            lab.advance(next, u64::MAX);
            lab.input(Input::Line((*word).into()));
        }
        let next = lab.now() + Span::seconds(3);
        lab.advance(next, u64::MAX);
        let text = lab.take_output().into_iter().flat_map(|output| output.bytes).collect::<Vec<u8>>();
        (String::from_utf8(text).unwrap(), lab.trace().hash())
    };
    let copies = [lab.clone(), lab.clone(), lab];
    let [no, yes, again] = copies;
    let no = answer(no, &["x", "no"]);
    let yes = answer(yes, &["x", "yes"]);
    assert!(no.0.contains("Apply cancelled."), "{}", no.0);
    assert!(yes.0.contains("Apply complete! Resources: 1 added"), "{}", yes.0);
    assert_eq!(yes, answer(again, &["x", "yes"]));
}

fn first_difference(expected: &str, shown: &str) -> String {
    let (mut left, mut right) = (expected.lines(), shown.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (left.next(), right.next()) {
            (None, None) => return "the last newline differs".into(),
            (a, b) if a == b => {}
            (a, b) => {
                let line = |line: Option<&str>| line.unwrap_or("(the end)").to_string();
                return format!("line {number}\n  expected {}\n  shown    {}", line(a), line(b));
            }
        }
    }
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/transcripts");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut scripts: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "sh")).collect();
    scripts.sort();
    scripts
}
