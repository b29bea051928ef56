//! Every script of tests/transcripts shows what the text beside it says, twice alike. `UPDATE=1 cargo test -p
//! drydock-transcripts` writes the texts; the difference is to be reviewed.

use std::fs;
use std::path::{Path, PathBuf};

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
