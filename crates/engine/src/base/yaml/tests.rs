//! Text against text; the answers are the real reader's.

use super::*;
use crate::base::json;

fn check(text: &str, want: &str) {
    let stream = read(text);
    let mut lines: Vec<String> = stream.documents.iter().map(|document| json::compact(&document.value)).collect();
    lines.extend(stream.error.map(|error| format!("error: {}", error.text)));
    assert_eq!(lines.join("\n"), want, "for {text:?}");
}

#[test]
fn scalars() {
    check("a: 1.0\ny: 0x1F\nn: .5\n'y': z", r#"{"a":1,"false":0.5,"true":31,"y":"z"}"#);
}
