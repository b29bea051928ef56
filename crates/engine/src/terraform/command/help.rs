//! What `-help` says, command by command, as the real program prints it.

const TEXTS: &str = include_str!("help.txt");

/// The help of a command such as `state list`; of the program itself for an empty name.
pub fn help(name: &str) -> Option<&'static str> {
    let mut rest = TEXTS;
    while let Some(after) = rest.strip_prefix("==== ") {
        let (title, body) = after.split_once('\n')?;
        let end = body.find("\n==== ").map_or(body.len(), |at| at + 1);
        let (text, tail) = body.split_at(end);
        if title.trim_end() == name {
            return Some(text);
        }
        rest = tail;
    }
    None
}

/// Names of all commands, those under others (`state list`) too.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.lines().filter_map(|line| line.strip_prefix("==== ")).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_its_help() {
        assert!(help("").is_some_and(|text| text.starts_with("Usage: terraform [global options] <subcommand>")));
        assert!(
            help("state list").is_some_and(|text| text.starts_with("Usage: terraform [global options] state list"))
        );
        assert!(names().all(|name| help(name).is_some()));
        assert_eq!(help("nothing"), None);
    }
}
