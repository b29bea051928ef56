//! Short text that many hold: names, keys and values of objects. A clone is a pointer copy.
//!
//! It has the interface of the crate of this name but no text inside: half its size: texts and the values with them are
//! moved everywhere, and in wasm each word of a move is an instruction of the page. Words that nearly every object has
//! take no memory at all.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use super::words;

#[derive(Clone)]
pub struct SmolStr(Repr);

#[derive(Clone)]
enum Repr {
    Static(&'static &'static str),
    Shared(Arc<str>),
}

impl SmolStr {
    pub fn new(text: impl AsRef<str>) -> SmolStr {
        SmolStr::from(text.as_ref())
    }

    /// A text of the program itself: it needs no memory. (A pointer to it is one word; so all of this is two.)
    pub const fn new_static(text: &'static &'static str) -> SmolStr {
        SmolStr(Repr::Static(text))
    }

    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Static(text) => text,
            Repr::Shared(text) => text,
        }
    }
}

impl Default for SmolStr {
    fn default() -> SmolStr {
        SmolStr::new_static(&"")
    }
}

impl PartialEq for SmolStr {
    fn eq(&self, other: &SmolStr) -> bool {
        let (a, b) = (self.as_str(), other.as_str());
        // Most equal texts are one.
        std::ptr::eq(a, b) || a == b
    }
}

impl Eq for SmolStr {}

impl PartialOrd for SmolStr {
    fn partial_cmp(&self, other: &SmolStr) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SmolStr {
    fn cmp(&self, other: &SmolStr) -> Ordering {
        let (a, b) = (self.as_str(), other.as_str());
        if std::ptr::eq(a, b) { Ordering::Equal } else { a.cmp(b) }
    }
}

impl Hash for SmolStr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Deref for SmolStr {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for SmolStr {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for SmolStr {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for SmolStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl fmt::Debug for SmolStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl From<&str> for SmolStr {
    #[inline(never)]
    fn from(text: &str) -> SmolStr {
        match words::known(text) {
            _ if text.is_empty() => SmolStr::default(),
            Some(word) => SmolStr::new_static(word),
            None => SmolStr(Repr::Shared(Arc::from(text))),
        }
    }
}

impl From<&String> for SmolStr {
    fn from(text: &String) -> SmolStr {
        SmolStr::from(text.as_str())
    }
}

impl From<String> for SmolStr {
    fn from(text: String) -> SmolStr {
        SmolStr::from(text.as_str())
    }
}

impl From<Cow<'_, str>> for SmolStr {
    fn from(text: Cow<'_, str>) -> SmolStr {
        SmolStr::from(&*text)
    }
}

impl FromIterator<char> for SmolStr {
    fn from_iter<I: IntoIterator<Item = char>>(characters: I) -> SmolStr {
        SmolStr::from(String::from_iter(characters))
    }
}

impl From<&SmolStr> for SmolStr {
    fn from(text: &SmolStr) -> SmolStr {
        text.clone()
    }
}

impl From<SmolStr> for String {
    fn from(text: SmolStr) -> String {
        text.to_string()
    }
}

macro_rules! equals {
    ($($type:ty),*) => {
        $(
            impl PartialEq<$type> for SmolStr {
                fn eq(&self, other: &$type) -> bool {
                    let other: &str = other;
                    self.as_str() == other
                }
            }
            impl PartialEq<SmolStr> for $type {
                fn eq(&self, other: &SmolStr) -> bool {
                    other == self
                }
            }
        )*
    };
}
equals!(str, &str, String);

/// `format!` into a `SmolStr`.
#[macro_export]
macro_rules! format_smolstr {
    ($($arguments:tt)*) => { $crate::base::SmolStr::from(format!($($arguments)*)) };
}
pub use format_smolstr;
