//! Regular expressions (POSIX basic and extended, with the usual GNU additions), matched by a small machine that visits
//! each pair of place and instruction once: time grows with pattern × text, never worse.

const PROGRAM_LIMIT: usize = 8000;
const VISITS_LIMIT: usize = 64 << 20;
const DEPTH_LIMIT: u32 = 40;

#[derive(Clone, Debug)]
enum Step {
    Char(char),
    Any,
    Set(bool, Vec<(char, char)>),
    Start,
    End,
    WordEdge(bool),
    WordStart,
    WordEnd,
    Save(usize),
    Split(usize, usize),
    Jump(usize),
    Match,
}

#[derive(Clone, Debug)]
enum Tree {
    Empty,
    Step(Step),
    Join(Vec<Tree>),
    Or(Vec<Tree>),
    Group(usize, Box<Tree>),
    Repeat(Box<Tree>, u32, Option<u32>),
}

#[derive(Clone, Debug)]
pub struct Regex {
    program: Vec<Step>,
    groups: usize,
    fold: bool,
}

pub type Groups = Vec<Option<(usize, usize)>>;

struct Reader {
    chars: Vec<char>,
    at: usize,
    extended: bool,
    groups: usize,
    depth: u32,
}

impl Regex {
    pub fn new(pattern: &str, extended: bool, fold: bool) -> Result<Regex, String> {
        let mut reader = Reader { chars: pattern.chars().collect(), at: 0, extended, groups: 0, depth: 0 };
        let tree = reader.either()?;
        if reader.at < reader.chars.len() {
            return Err(if extended { "Unmatched ) or \\)" } else { "Unmatched ) or \\)" }.into());
        }
        let mut program = vec![Step::Save(0)];
        compile(&tree, &mut program)?;
        program.extend([Step::Save(1), Step::Match]);
        Ok(Regex { program, groups: reader.groups + 1, fold })
    }

    /// The text itself, with nothing special.
    pub fn literal(text: &str, fold: bool) -> Regex {
        let mut program = vec![Step::Save(0)];
        program.extend(text.chars().map(Step::Char));
        program.extend([Step::Save(1), Step::Match]);
        Regex { program, groups: 1, fold }
    }

    pub fn is_match(&self, text: &[u8]) -> bool {
        self.find(text, 0).is_some()
    }

    /// The first match at or after a byte position, with its groups.
    pub fn find(&self, text: &[u8], from: usize) -> Option<Groups> {
        let string = String::from_utf8_lossy(text);
        let mut places: Vec<(usize, char)> = string.char_indices().collect();
        if string.len() != text.len() {
            // Not UTF-8: bytes stand for characters, so that positions stay right.
            places = text.iter().enumerate().map(|(at, byte)| (at, char::from(*byte))).collect();
        }
        let first = places.partition_point(|(at, _)| *at < from);
        let width = places.len() + 1;
        let size = width.checked_mul(self.program.len()).filter(|size| *size <= VISITS_LIMIT)?;
        let mut seen = vec![0u64; size / 64 + 1];
        for start in first..width {
            // Places seen from an earlier start cannot lead to a match either.
            if let Some(slots) = self.run(&places, start, text.len(), &mut seen) {
                let groups = slots.chunks(2).map(|pair| match pair {
                    [Some(a), Some(b)] => Some((*a, *b)),
                    _ => None,
                });
                return Some(groups.collect());
            }
        }
        None
    }

    fn run(&self, places: &[(usize, char)], start: usize, len: usize, seen: &mut [u64]) -> Option<Vec<Option<usize>>> {
        let byte = |at: usize| places.get(at).map_or(len, |(byte, _)| *byte);
        let word = |at: usize| places.get(at).is_some_and(|(_, c)| c.is_alphanumeric() || *c == '_');
        let before = |at: usize| at > 0 && word(at - 1);
        enum Job {
            Run(usize, usize),
            Restore(usize, Option<usize>),
        }
        let mut slots = vec![None; self.groups * 2];
        let mut stack = vec![Job::Run(0, start)];
        while let Some(job) = stack.pop() {
            let (mut pc, mut at) = match job {
                Job::Run(pc, at) => (pc, at),
                Job::Restore(slot, old) => {
                    if let Some(place) = slots.get_mut(slot) {
                        *place = old;
                    }
                    continue;
                }
            };
            loop {
                let mark = at * self.program.len() + pc;
                let cell = seen.get_mut(mark / 64)?;
                if *cell & (1 << (mark % 64)) != 0 {
                    break;
                }
                *cell |= 1 << (mark % 64);
                let goes = match self.program.get(pc)? {
                    Step::Match => return Some(slots),
                    Step::Jump(to) => {
                        pc = *to;
                        continue;
                    }
                    Step::Split(a, b) => {
                        stack.push(Job::Run(*b, at));
                        pc = *a;
                        continue;
                    }
                    Step::Save(slot) => {
                        if let Some(place) = slots.get_mut(*slot) {
                            stack.push(Job::Restore(*slot, *place));
                            *place = Some(byte(at));
                        }
                        true
                    }
                    Step::Start => at == 0,
                    Step::End => at == places.len(),
                    Step::WordEdge(edge) => (before(at) != word(at)) == *edge,
                    Step::WordStart => !before(at) && word(at),
                    Step::WordEnd => before(at) && !word(at),
                    step => match places.get(at) {
                        Some((_, c)) if self.takes(step, *c) => {
                            at += 1;
                            true
                        }
                        _ => false,
                    },
                };
                if !goes {
                    break;
                }
                pc += 1;
            }
        }
        None
    }

    fn takes(&self, step: &Step, c: char) -> bool {
        let plain = |c: char| match step {
            Step::Any => c != '\n',
            Step::Char(own) => *own == c,
            Step::Set(negated, ranges) => ranges.iter().any(|(a, b)| (*a..=*b).contains(&c)) != *negated,
            _ => false,
        };
        plain(c) || (self.fold && (plain(c.to_ascii_lowercase()) || plain(c.to_ascii_uppercase())))
    }
}

fn compile(tree: &Tree, out: &mut Vec<Step>) -> Result<(), String> {
    if out.len() > PROGRAM_LIMIT {
        return Err("Regular expression too big".into());
    }
    match tree {
        Tree::Empty => {}
        Tree::Step(step) => out.push(step.clone()),
        Tree::Join(parts) => parts.iter().try_for_each(|part| compile(part, out))?,
        Tree::Group(number, inner) => {
            out.push(Step::Save(number * 2));
            compile(inner, out)?;
            out.push(Step::Save(number * 2 + 1));
        }
        Tree::Or(parts) => {
            let mut jumps = Vec::new();
            for (at, part) in parts.iter().enumerate() {
                let split = out.len();
                let last = at + 1 == parts.len();
                if !last {
                    out.push(Step::Split(split + 1, 0));
                }
                compile(part, out)?;
                if !last {
                    jumps.push(out.len());
                    out.push(Step::Jump(0));
                    let next = out.len();
                    set(out, split, Step::Split(split + 1, next));
                }
            }
            let end = out.len();
            for jump in jumps {
                set(out, jump, Step::Jump(end));
            }
        }
        Tree::Repeat(inner, least, most) => {
            for _ in 0..*least {
                compile(inner, out)?;
            }
            match most {
                None => {
                    let split = out.len();
                    out.push(Step::Split(split + 1, 0));
                    compile(inner, out)?;
                    out.push(Step::Jump(split));
                    let end = out.len();
                    set(out, split, Step::Split(split + 1, end));
                }
                Some(most) => {
                    let mut splits = Vec::new();
                    for _ in *least..*most {
                        splits.push(out.len());
                        out.push(Step::Split(out.len() + 1, 0));
                        compile(inner, out)?;
                    }
                    let end = out.len();
                    for split in splits {
                        set(out, split, Step::Split(split + 1, end));
                    }
                }
            }
        }
    }
    Ok(())
}

fn set(out: &mut [Step], at: usize, step: Step) {
    if let Some(place) = out.get_mut(at) {
        *place = step;
    }
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Whether an operator stands here: `(` in extended, `\(` in basic expressions.
    fn operator(&self, c: char) -> Option<usize> {
        match (self.extended, self.peek(0), self.peek(1)) {
            (true, Some(first), _) if first == c => Some(1),
            (false, Some('\\'), Some(second)) if second == c => Some(2),
            _ => None,
        }
    }

    fn either(&mut self) -> Result<Tree, String> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err("Regular expression too big".into());
        }
        let mut parts = vec![self.join()?];
        while let Some(size) = self.operator('|') {
            self.at += size;
            parts.push(self.join()?);
        }
        self.depth -= 1;
        Ok(if parts.len() == 1 { parts.pop().unwrap_or(Tree::Empty) } else { Tree::Or(parts) })
    }

    fn join(&mut self) -> Result<Tree, String> {
        let mut parts = Vec::new();
        while self.at < self.chars.len() && self.operator('|').is_none() {
            if self.operator(')').is_some() && (self.depth > 1 || !self.extended) {
                if self.depth <= 1 {
                    return Err("Unmatched ) or \\)".into());
                }
                break;
            }
            let atom = self.atom(parts.is_empty())?;
            let atom = self.repeats(atom)?;
            parts.push(atom);
        }
        Ok(if parts.is_empty() { Tree::Empty } else { Tree::Join(parts) })
    }

    fn repeats(&mut self, mut atom: Tree) -> Result<Tree, String> {
        for _ in 0..3 {
            let (least, most) = if self.peek(0) == Some('*') {
                self.at += 1;
                (0, None)
            } else if let Some(size) = self.operator('+') {
                self.at += size;
                (1, None)
            } else if let Some(size) = self.operator('?') {
                self.at += size;
                (0, Some(1))
            } else if let Some(size) =
                self.operator('{').filter(|size| self.peek(*size).is_some_and(|c| c.is_ascii_digit() || c == ','))
            {
                self.at += size;
                let text: String =
                    self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_digit() || **c == ',').collect();
                self.at += text.len();
                let Some(size) = self.operator('}') else { return Err("Unmatched { or \\{".into()) };
                self.at += size;
                let (low, high) = text.split_once(',').map_or((text.as_str(), None), |(low, high)| (low, Some(high)));
                let least: u32 = low.parse().unwrap_or(0);
                let most = match high {
                    None => Some(least),
                    Some("") => None,
                    Some(high) => high.parse().ok(),
                };
                if least > 255 || most.is_some_and(|most| most > 255 || most < least) {
                    return Err("Invalid content of \\{\\}".into());
                }
                (least, most)
            } else {
                break;
            };
            atom = Tree::Repeat(Box::new(atom), least, most);
        }
        Ok(atom)
    }

    fn atom(&mut self, first: bool) -> Result<Tree, String> {
        if let Some(size) = self.operator('(') {
            self.at += size;
            self.groups += 1;
            let number = self.groups;
            let inner = self.either()?;
            let Some(size) = self.operator(')') else { return Err("Unmatched ( or \\(".into()) };
            self.at += size;
            return Ok(Tree::Group(number, Box::new(inner)));
        }
        let c = self.peek(0).unwrap_or('\\');
        self.at += 1;
        let step = match c {
            '.' => Step::Any,
            '^' if self.extended || first => Step::Start,
            '$' if self.extended
                || self.at == self.chars.len()
                || (self.peek(0) == Some('\\') && matches!(self.peek(1), Some(')' | '|'))) =>
            {
                Step::End
            }
            '[' => return self.set(),
            '\\' => {
                let Some(next) = self.peek(0) else { return Err("Trailing backslash".into()) };
                self.at += 1;
                let words = || vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
                let spaces = || vec![(' ', ' '), ('\t', '\r')];
                match next {
                    'w' => Step::Set(false, words()),
                    'W' => Step::Set(true, words()),
                    's' => Step::Set(false, spaces()),
                    'S' => Step::Set(true, spaces()),
                    'd' => Step::Set(false, vec![('0', '9')]),
                    'b' => Step::WordEdge(true),
                    'B' => Step::WordEdge(false),
                    '<' => Step::WordStart,
                    '>' => Step::WordEnd,
                    'n' => Step::Char('\n'),
                    't' => Step::Char('\t'),
                    '1'..='9' => return Err("back-references are not simulated here".into()),
                    other => Step::Char(other),
                }
            }
            c => Step::Char(c),
        };
        Ok(Tree::Step(step))
    }

    fn set(&mut self) -> Result<Tree, String> {
        const UNMATCHED: &str = "Unmatched [, [^, [:, [., or [=";
        let negated = self.peek(0) == Some('^');
        self.at += usize::from(negated);
        let first = self.at;
        let mut ranges = Vec::new();
        loop {
            let Some(c) = self.peek(0) else { return Err(UNMATCHED.into()) };
            if c == ']' && self.at > first {
                self.at += 1;
                return Ok(Tree::Step(Step::Set(negated, ranges)));
            }
            if c == '[' && self.peek(1) == Some(':') {
                let rest: String = self.chars.iter().skip(self.at + 2).take(9).collect();
                let Some((name, _)) = rest.split_once(":]") else { return Err(UNMATCHED.into()) };
                let Some(members) = class(name) else { return Err("Invalid character class name".into()) };
                ranges.extend(members);
                self.at += name.len() + 4;
                continue;
            }
            self.at += 1;
            // sed reads these two in brackets as well.
            let c = match (c, self.peek(0)) {
                ('\\', Some('n')) => {
                    self.at += 1;
                    '\n'
                }
                ('\\', Some('t')) => {
                    self.at += 1;
                    '\t'
                }
                ('\\', Some(']')) if false => ']',
                _ => c,
            };
            match (self.peek(0), self.peek(1)) {
                (Some('-'), Some(high)) if high != ']' => {
                    if high < c {
                        return Err("Invalid range end".into());
                    }
                    ranges.push((c, high));
                    self.at += 2;
                }
                _ => ranges.push((c, c)),
            }
        }
    }
}

/// The members of a named class.
pub fn class(name: &str) -> Option<Vec<(char, char)>> {
    Some(match name {
        "alpha" => vec![('a', 'z'), ('A', 'Z')],
        "digit" => vec![('0', '9')],
        "alnum" => vec![('a', 'z'), ('A', 'Z'), ('0', '9')],
        "upper" => vec![('A', 'Z')],
        "lower" => vec![('a', 'z')],
        "space" => vec![(' ', ' '), ('\t', '\r')],
        "blank" => vec![(' ', ' '), ('\t', '\t')],
        "punct" => vec![('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "print" => vec![(' ', '~')],
        "graph" => vec![('!', '~')],
        "cntrl" => vec![('\0', '\x1f'), ('\x7f', '\x7f')],
        "xdigit" => vec![('0', '9'), ('a', 'f'), ('A', 'F')],
        _ => return None,
    })
}
