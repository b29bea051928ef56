//! Cuts the linked page into modules that arrive one after another and share one memory and one table: first what draws
//! the page, then what makes the world turn, then programs few people start.
//!
//! The linker leaves its relocations in the file (`--emit-relocs`), so it is known exactly which function and which
//! piece of data refers to which. A later module begins at its gates: everything that is reached through them alone goes
//! there. Functions keep their names and tables their places; a direct call of a gate becomes a call through the table.
//! Whoever calls a gate has to know that its module has arrived (`web::parts`).

mod bytes;
mod read;
mod write;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::run::Result;
use read::Module;

/// A module that arrives later, and the functions it is entered by.
pub struct Part {
    pub name: &'static str,
    pub gates: &'static [&'static str],
}

/// A function by its number, or a piece of data after all functions.
type Node = usize;

/// The modules, the first one first.
pub fn split(wasm: &[u8], parts: &[Part]) -> Result<Vec<Vec<u8>>> {
    let module = Module::read(wasm).ok_or("the linked page cannot be read")?;
    let tiers = module.tiers(parts)?;
    Ok(module.write(&tiers, parts.len()))
}

/// Name, bytes and module of everything: what the parts are made of.
pub fn census(wasm: &[u8], parts: &[Part]) -> Result<Vec<(String, usize, u8)>> {
    let module = Module::read(wasm).ok_or("the linked page cannot be read")?;
    let tiers = module.tiers(parts)?;
    let size = |node: Node| match node.checked_sub(module.functions.len()) {
        Some(piece) => module.pieces[piece].1.len(),
        None => node.checked_sub(module.imported).map_or(0, |at| module.bodies[at].len()),
    };
    Ok((0..module.edges.len()).map(|node| (module.name(node), size(node), tiers[node])).collect())
}

/// Why a function stands in the first part: the shortest way to it, each with the one that refers to it.
pub fn why(wasm: &[u8], parts: &[Part], name: &str) -> Result<Vec<String>> {
    let module = Module::read(wasm).ok_or("the linked page cannot be read")?;
    let gates: Vec<&str> = parts.iter().flat_map(|part| part.gates).copied().collect();
    let mut open: VecDeque<Node> = module.roots().into();
    let mut from: BTreeMap<Node, Node> = open.iter().map(|node| (*node, *node)).collect();
    while let Some(mut node) = open.pop_front() {
        if module.name(node).contains(name) {
            let mut way = vec![module.name(node)];
            while from[&node] != node {
                node = from[&node];
                way.push(module.name(node));
            }
            return Ok(way);
        }
        for to in &module.edges[node] {
            if !from.contains_key(to) && !gates.contains(&module.name(*to).as_str()) {
                from.insert(*to, node);
                open.push_back(*to);
            }
        }
    }
    Err(format!("{name} is not in the first part"))
}

impl Module<'_> {
    /// What a function is called in the source.
    fn name(&self, node: Node) -> String {
        match self.names.get(&(node as u32)) {
            Some(name) if node < self.functions.len() => plain(name),
            _ => String::new(),
        }
    }

    /// What the first module cannot be without.
    fn roots(&self) -> Vec<Node> {
        let mut roots: Vec<Node> = self.exports.iter().filter(|it| it.1 == 0).map(|it| it.2 as usize).collect();
        roots.extend(&self.loose);
        // What calls a function of the browser is read by wasm-bindgen, which sees the first module only.
        let calls_out = |node: &Node| self.edges[*node].iter().any(|to| *to < self.imported);
        roots.extend((self.imported..self.functions.len()).filter(calls_out));
        roots
    }

    /// Which module everything belongs to: 0 is the first.
    fn tiers(&self, parts: &[Part]) -> Result<Vec<u8>> {
        let mut gates: Vec<Vec<Node>> = vec![Vec::new(); parts.len() + 1];
        for (index, part) in parts.iter().enumerate() {
            for gate in part.gates {
                let named = self.names.iter().filter(|(_, name)| plain(name) == *gate);
                let found: Vec<Node> = named.map(|(index, _)| *index as usize).collect();
                gates[index + 1].extend(found);
            }
            // A program may do without some of them: what plays the transcripts completes nothing.
            if gates[index + 1].is_empty() {
                return Err(format!("no function is called {}: nothing to cut {} off at", part.gates[0], part.name));
            }
        }
        let mut roots = self.roots();
        let mut tiers = vec![u8::MAX; self.edges.len()];
        for tier in 0..=parts.len() {
            let later: BTreeSet<Node> = gates[tier + 1..].iter().flatten().copied().collect();
            let mut open = if tier == 0 { std::mem::take(&mut roots) } else { gates[tier].clone() };
            while let Some(node) = open.pop() {
                if tiers[node] == u8::MAX && !later.contains(&node) {
                    tiers[node] = tier as u8;
                    open.extend(&self.edges[node]);
                }
            }
        }
        for (index, part) in parts.iter().enumerate() {
            if let Some(gate) = gates[index + 1].iter().find(|gate| usize::from(tiers[**gate]) != index + 1) {
                return Err(format!("{} is reached past the gates of {}", self.name(*gate), part.name));
            }
        }
        // What nobody refers to stays where it is found first.
        tiers.iter_mut().filter(|tier| **tier == u8::MAX).for_each(|tier| *tier = 0);
        Ok(tiers)
    }
}

/// The identifiers of a mangled name (v0) in their order, generic arguments among them: `engine::lab::Lab::with`.
fn plain(name: &str) -> String {
    let Some(mut rest) = name.strip_prefix("_R") else { return name.to_string() };
    let mut words: Vec<&str> = Vec::new();
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let length = rest[..digits].parse().unwrap_or(0);
            rest = rest[digits..].strip_prefix('_').unwrap_or(&rest[digits..]);
            words.extend(rest.get(..length));
            rest = rest.get(length..).unwrap_or_default();
        } else if matches!(first, 's' | 'B' | 'K') {
            // What tells namesakes apart, what stood before, a constant.
            rest = rest.split_once('_').map_or("", |(_, rest)| rest);
        } else {
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    words.join("::")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_are_read_as_they_stand_in_the_source() {
        for (mangled, name) in [
            ("_RNvNtCs8NHApx329UM_6engine7kubectl7program", "engine::kubectl::program"),
            ("_RNvMs_NtCs8NHApx329UM_6engine3labNtB4_3Lab4with", "engine::lab::Lab::with"),
            ("_RNvMNtNtCsaZ_3std2io5ErrorNtB2_5Error3new", "std::io::Error::Error::new"),
            ("_RINvCs8_1a1bKj10_NtB2_1cE", "a::b::c"),
            ("memcpy", "memcpy"),
        ] {
            assert_eq!(plain(mangled), name, "{mangled}");
        }
    }
}
