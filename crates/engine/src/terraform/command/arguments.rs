//! Arguments as Go's flag package reads them: one dash or two, `-name=value` or `-name value`.

/// Flags that take a value.
const VALUED: [&str; 15] = [
    "var",
    "var-file",
    "target",
    "replace",
    "out",
    "state",
    "state-out",
    "parallelism",
    "lock-timeout",
    "backup",
    "backend-config",
    "plugin-dir",
    "generate-config-out",
    "test-directory",
    "from-module",
];

#[derive(Clone, Debug)]
pub struct Arguments {
    pub command: String,
    /// In order, without dashes; flags without a value have "true".
    pub flags: Vec<(String, String)>,
    pub words: Vec<String>,
    /// A valued flag at the end without its value.
    pub wanting: Option<String>,
}

impl Arguments {
    pub fn new(command: &str, args: &[String]) -> Arguments {
        let mut all = Arguments { command: command.to_string(), flags: Vec::new(), words: Vec::new(), wanting: None };
        let mut args = args.iter();
        let mut plain = false;
        while let Some(arg) = args.next() {
            let name =
                arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')).filter(|name| !name.is_empty() && !plain);
            let Some(name) = name else {
                plain |= arg == "--";
                if arg != "--" {
                    all.words.push(arg.clone());
                }
                continue;
            };
            match name.split_once('=') {
                Some((name, value)) => all.flags.push((name.to_string(), value.to_string())),
                None if VALUED.contains(&name) => match args.next() {
                    Some(value) => all.flags.push((name.to_string(), value.clone())),
                    None => all.wanting = Some(name.to_string()),
                },
                None => all.flags.push((name.to_string(), "true".into())),
            }
        }
        all
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.flags.iter().rev().find(|(flag, _)| flag == name).map(|(_, value)| value.as_str())
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "false" && value != "0")
    }

    /// The first flag that is not among these.
    pub fn unknown(&self, known: &[&str]) -> Option<&str> {
        self.flags.iter().map(|(name, _)| name.as_str()).find(|name| !known.contains(name) && *name != "no-color")
    }
}
