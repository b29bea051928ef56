//! A session as a text that the tab keeps until the page is loaded again: the inputs with their instants, and what the
//! page knew besides. Whatever else stands there is refused. A file that is written again is kept as what changed in it.

use engine::base::{BTreeMap, BTreeSet, Map, Time, Value, json};
use engine::lab::Input;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    pub scenario: String,
    pub until: Time,
    pub paused: bool,
    pub speed: u32,
    /// Steps of the scenario that were done, and how many lines had been entered when others opened.
    pub done: BTreeSet<usize>,
    pub open_since: BTreeMap<usize, usize>,
    /// After the scenario's own files.
    pub inputs: Vec<(Time, Input)>,
    /// What the editor showed.
    pub files: Vec<(String, String)>,
}

const VERSION: i64 = 1;
/// Bytes of a text that is kept: browsers give a tab some five million characters.
const MOST: usize = 1 << 20;
/// Inputs that are played again.
const MOST_INPUTS: usize = 10_000;

/// Texts of files as they were written last.
type Texts = BTreeMap<String, String>;

/// Nothing when it is too much to be kept.
pub fn encode(kept: &Kept, given: &[(&str, &str)]) -> Option<String> {
    if kept.inputs.len() >= MOST_INPUTS {
        return None;
    }
    let mut texts = texts(given);
    let mut size = 0;
    let mut inputs = Vec::new();
    for (at, input) in &kept.inputs {
        let mut words = vec![Value::Int(at.0)];
        words.extend(words_of(input, &mut texts));
        size += words.iter().map(|word| word.str().len() + 12).sum::<usize>();
        if size > MOST {
            return None;
        }
        inputs.push(Value::list(words));
    }
    let open = kept.open_since.iter().map(|(step, since)| Value::list(vec![(*step).into(), (*since).into()]));
    let files = kept.files.iter().map(|(path, text)| Value::list(vec![path.into(), text.into()]));
    let mut all = Map::new();
    all.insert("version", VERSION);
    all.insert("scenario", &kept.scenario);
    all.insert("given", weight(given));
    all.insert("until", kept.until.0);
    all.insert("paused", kept.paused);
    all.insert("speed", kept.speed);
    all.insert("done", kept.done.iter().map(|step| Value::from(*step)).collect::<Vec<_>>());
    all.insert("open", open.collect::<Vec<_>>());
    all.insert("inputs", inputs);
    all.insert("files", files.collect::<Vec<_>>());
    Some(json::compact(&all.into())).filter(|text| text.len() <= MOST)
}

/// `given` are the files of a scenario, by its name.
pub fn decode(text: &str, given: impl Fn(&str) -> Option<Vec<(&'static str, &'static str)>>) -> Option<Kept> {
    if text.len() > MOST {
        return None;
    }
    let all = json::parse(text).ok()?;
    let scenario = all["scenario"].as_str()?.to_string();
    let given = given(&scenario)?;
    if all["version"].as_int() != Some(VERSION) || all["given"].as_int() != Some(weight(&given)) {
        return None;
    }
    let number = |value: &Value| usize::try_from(value.as_int()?).ok();
    let mut kept = Kept {
        scenario,
        until: Time(all["until"].as_int()?),
        paused: all["paused"].as_bool()?,
        speed: u32::try_from(all["speed"].as_int()?).ok()?,
        ..Kept::default()
    };
    for step in all["done"].items() {
        kept.done.insert(number(step)?);
    }
    for open in all["open"].items() {
        kept.open_since.insert(number(&open[0])?, number(&open[1])?);
    }
    for file in all["files"].items() {
        kept.files.push((file[0].as_str()?.into(), file[1].as_str()?.into()));
    }
    let mut texts = texts(&given);
    let mut last = Time(i64::MIN);
    for words in all["inputs"].items().iter().take(MOST_INPUTS) {
        let at = Time(words[0].as_int()?);
        // Time does not run backwards.
        if at < last || at > kept.until {
            return None;
        }
        last = at;
        kept.inputs.push((at, input_of(words.items().get(1..)?, &mut texts)?));
    }
    Some(kept)
}

fn texts(given: &[(&str, &str)]) -> Texts {
    given.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
}

/// Tells the files of a scenario from those of another version of it.
fn weight(given: &[(&str, &str)]) -> i64 {
    let bytes = given.iter().flat_map(|(path, text)| path.bytes().chain(text.bytes()));
    bytes.fold(0, |sum: i64, byte| (sum * 31 + i64::from(byte)) % 1_000_000_007)
}

fn words_of(input: &Input, texts: &mut Texts) -> Vec<Value> {
    match input {
        Input::Line(line) => vec!["line".into(), line.into()],
        Input::Bytes(bytes) => vec!["bytes".into(), bytes.into()],
        Input::Job(line) => vec!["job".into(), line.into()],
        Input::Kill(target) => vec!["kill".into(), target.into()],
        Input::Interrupt => vec!["interrupt".into()],
        Input::EndOfInput => vec!["end".into()],
        Input::RemoveFile { path } => vec!["remove".into(), path.into()],
        Input::Resize { columns, rows } => vec!["resize".into(), (*columns).into(), (*rows).into()],
        Input::WriteFile { path, text } => {
            let old = texts.insert(path.clone(), text.clone()).unwrap_or_default();
            let same = |pair: &((usize, char), char)| pair.0.1 == pair.1;
            let head = text.char_indices().zip(old.chars()).take_while(same).last();
            let head = head.map_or(0, |((at, letter), _)| at + letter.len_utf8());
            let (new_rest, old_rest) = (text.get(head..).unwrap_or_default(), old.get(head..).unwrap_or_default());
            let pairs = new_rest.chars().rev().zip(old_rest.chars().rev());
            let tail: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
            let middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
            vec!["write".into(), path.into(), head.into(), tail.into(), middle.into()]
        }
    }
}

fn input_of(words: &[Value], texts: &mut Texts) -> Option<Input> {
    let text = |index: usize| words.get(index).and_then(Value::as_str).map(str::to_string);
    let number = |index: usize| words.get(index).and_then(Value::as_int);
    Some(match words.first()?.str() {
        "line" => Input::Line(text(1)?),
        "bytes" => Input::Bytes(text(1)?),
        "job" => Input::Job(text(1)?),
        "kill" => Input::Kill(text(1)?),
        "interrupt" => Input::Interrupt,
        "end" => Input::EndOfInput,
        "remove" => Input::RemoveFile { path: text(1)? },
        "resize" => Input::Resize { columns: u16::try_from(number(1)?).ok()?, rows: u16::try_from(number(2)?).ok()? },
        "write" => {
            let path = text(1)?;
            let old = texts.get(&path).map(String::as_str).unwrap_or_default();
            let (head, tail) = (usize::try_from(number(2)?).ok()?, usize::try_from(number(3)?).ok()?);
            let (start, rest) = (old.get(..head)?, old.get(head..)?);
            let end = rest.get(rest.len().checked_sub(tail)?..)?;
            let whole = format!("{start}{}{end}", text(4)?);
            // Small changes of a large file could add up to more than memory holds.
            if whole.len() > MOST {
                return None;
            }
            texts.insert(path.clone(), whole.clone());
            Input::WriteFile { path, text: whole }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: [(&str, &str); 1] = [("web.yaml", "kind: Pod\nmetadata: {}\n")];

    fn write(text: &str) -> Input {
        Input::WriteFile { path: "web.yaml".into(), text: text.into() }
    }

    fn sample() -> Kept {
        let inputs = [
            Input::Line("kubectl get pods".into()),
            write("kind: Pod\nmetadata: {name: a}\n"),
            write("kind: Pod\nmetadata: {name: añ}\n"),
            write("kind: Pod\nmetadata: {name: añn}\n"),
            write(""),
            write("サーバー\u{1e}\"\\"),
            write("サーバ\u{1e}\"\\"),
            Input::Bytes("yes\n".into()),
            Input::Job("terraform apply".into()),
            Input::Kill("pod/default/web".into()),
            Input::Interrupt,
            Input::EndOfInput,
            Input::RemoveFile { path: "web.yaml".into() },
            Input::Resize { columns: 120, rows: 40 },
        ];
        Kept {
            scenario: "first".into(),
            until: Time(99_000_000),
            paused: true,
            speed: 60,
            done: [0, 2].into_iter().collect(),
            open_since: [(1, 3)].into_iter().collect(),
            inputs: inputs.into_iter().enumerate().map(|(at, input)| (Time(at as i64 / 2), input)).collect(),
            files: vec![("web.yaml".into(), "kind: Pod\n".into())],
        }
    }

    fn read(text: &str) -> Option<Kept> {
        decode(text, |name| (name == "first").then(|| GIVEN.to_vec()))
    }

    #[test]
    fn what_is_kept_comes_back() {
        let kept = sample();
        assert_eq!(read(&encode(&kept, &GIVEN).unwrap()), Some(kept));
    }

    #[test]
    fn typing_in_a_large_file_does_not_keep_it_again_and_again() {
        let mut kept = sample();
        let mut text = "# line\n".repeat(5_000);
        for _ in 0..1_000 {
            text.insert(20_000, 'x');
            kept.inputs.push((Time(9), write(&text)));
        }
        let encoded = encode(&kept, &GIVEN).unwrap();
        assert!(encoded.len() < 100_000, "{}", encoded.len());
        assert_eq!(read(&encoded), Some(kept));
    }

    #[test]
    fn too_much_is_not_kept() {
        let mut kept = sample();
        kept.inputs.push((Time(9), write(&"x".repeat(MOST))));
        assert_eq!(encode(&kept, &GIVEN), None);
        kept.inputs = vec![(Time(9), Input::Interrupt); MOST_INPUTS];
        assert_eq!(encode(&kept, &GIVEN), None);
    }

    #[test]
    fn broken_and_foreign_texts_are_refused_or_read_but_never_a_fault() {
        let good = encode(&sample(), &GIVEN).unwrap();
        for (from, to) in [
            ("\"version\":1", "\"version\":2"),
            ("\"scenario\":\"first\"", "\"scenario\":\"other\""),
            ("\"given\":", "\"given\":1"),
            ("\"until\":99000000", "\"until\":3"),
            ("\"paused\":true", "\"paused\":7"),
            ("[0,\"line\"", "[9,\"line\""),
            ("\"kill\"", "\"fire\""),
            ("\"resize\",120", "\"resize\",-1"),
        ] {
            assert!(good.contains(from), "{from} in {good}");
            assert_eq!(read(&good.replacen(from, to, 1)), None, "{to}");
        }
        for foreign in ["", "null", "[]", "{}", "kept", "{\"version\":1,\"scenario\":\"first\"}"] {
            assert_eq!(read(foreign), None, "{foreign}");
        }
        let letters: Vec<char> = good.chars().collect();
        for at in 0..letters.len() {
            read(&letters[..at].iter().collect::<String>());
            for other in ['9', '"', 'é', '['] {
                let mut changed = letters.clone();
                changed[at] = other;
                read(&changed.iter().collect::<String>());
            }
        }
    }
}
