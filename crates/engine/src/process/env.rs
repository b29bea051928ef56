//! The environment of a process: variables in the order they were put there, as `env` prints them.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env(Vec<(String, String)>);

impl Env {
    pub const fn new() -> Env {
        Env(Vec::new())
    }

    pub fn get(&self, name: &str) -> Option<&String> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A name that is there already keeps its place.
    pub fn insert(&mut self, name: String, value: String) {
        match self.0.iter_mut().find(|(own, _)| *own == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    pub fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.remove(at).1)
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&String, &String)> + Clone {
        self.0.iter().map(|(name, value)| (name, value))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Extend<(String, String)> for Env {
    fn extend<I: IntoIterator<Item = (String, String)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(name, value)| self.insert(name, value));
    }
}

impl FromIterator<(String, String)> for Env {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Env {
        let mut env = Env::new();
        env.extend(pairs);
        env
    }
}

impl<const N: usize> From<[(String, String); N]> for Env {
    fn from(pairs: [(String, String); N]) -> Env {
        pairs.into_iter().collect()
    }
}

impl IntoIterator for Env {
    type Item = (String, String);
    type IntoIter = std::vec::IntoIter<(String, String)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
