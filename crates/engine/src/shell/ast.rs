//! What a script means, before anything is expanded.

use std::sync::{Arc, OnceLock};

/// Commands in sequence.
pub type List = Arc<Vec<Item>>;

#[derive(Clone, Debug)]
pub struct Item {
    pub chain: Arc<Chain>,
    pub background: bool,
    /// As it was written, for job lists and for the echo of scripts.
    pub text: Arc<str>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug)]
pub struct Chain {
    pub first: Arc<Pipeline>,
    pub rest: Vec<(Join, Arc<Pipeline>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    And,
    Or,
}

#[derive(Clone, Debug)]
pub struct Pipeline {
    pub negate: bool,
    /// `time`, with `-p` or without.
    pub timed: Option<bool>,
    pub commands: Vec<Arc<Command>>,
}

#[derive(Clone, Debug)]
pub struct Command {
    pub kind: Kind,
    pub redirects: Vec<Redirect>,
    pub line: u32,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Simple {
        assigns: Vec<Assign>,
        words: Vec<Word>,
    },
    /// Conditions with their bodies; the last may have no condition (`else`).
    If(Vec<(Option<List>, List)>),
    While {
        until: bool,
        condition: List,
        body: List,
    },
    For {
        name: String,
        words: Option<Vec<Word>>,
        body: List,
    },
    ForArithmetic {
        parts: [Word; 3],
        body: List,
    },
    Case {
        word: Word,
        arms: Vec<Arm>,
    },
    Group(List),
    Subshell(List),
    Function {
        name: String,
        body: Arc<Command>,
    },
    Test(Arc<Condition>),
    Arithmetic(Word),
}

#[derive(Clone, Debug)]
pub struct Arm {
    pub patterns: Vec<Word>,
    pub body: List,
    /// `;&`: run the next body too.
    pub falls: bool,
}

/// `name=word`, `name+=word`, `name[index]=word`, `name=(words)`.
#[derive(Clone, Debug)]
pub struct Assign {
    pub name: String,
    pub index: Option<Word>,
    pub append: bool,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub enum Value {
    Word(Word),
    Array(Vec<Word>),
}

#[derive(Clone, Debug)]
pub struct Redirect {
    pub descriptor: u32,
    pub kind: RedirectKind,
}

#[derive(Clone, Debug)]
pub enum RedirectKind {
    Read(Word),
    Write(Word),
    Append(Word),
    /// `&>` and `&>>`.
    Both(Word, bool),
    /// `2>&1`, `>&-`.
    Copy(Word),
    HereText(Arc<OnceLock<Word>>),
    HereWord(Word),
}

pub type Word = Vec<Part>;

#[derive(Clone, Debug)]
pub enum Part {
    /// Unquoted: split no more, but a pattern.
    Text(String),
    Quoted(String),
    Double(Word),
    Tilde(String),
    Parameter(Arc<Parameter>),
    Command(List),
    Arithmetic(Word),
    /// `<(…)`: a file that holds what the commands write.
    Process(List),
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub index: Option<Word>,
    /// `${!name}`
    pub indirect: bool,
    pub operation: Operation,
}

#[derive(Clone, Debug)]
pub enum Operation {
    Value,
    Length,
    /// `-`, `=`, `?`, `+`; with a colon an empty value counts as unset.
    Default {
        kind: char,
        colon: bool,
        word: Word,
    },
    Strip {
        suffix: bool,
        longest: bool,
        pattern: Word,
    },
    Replace {
        all: bool,
        anchor: Option<char>,
        pattern: Word,
        with: Word,
    },
    Slice {
        offset: Word,
        length: Option<Word>,
    },
    Case {
        upper: bool,
        all: bool,
    },
    /// `${!a[@]}`
    Keys,
    Bad(String),
}

/// `[[ … ]]`
#[derive(Clone, Debug)]
pub enum Condition {
    Not(Arc<Condition>),
    And(Arc<Condition>, Arc<Condition>),
    Or(Arc<Condition>, Arc<Condition>),
    Word(Word),
    Unary(String, Word),
    Binary(Word, String, Word),
}
