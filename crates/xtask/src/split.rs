//! Cuts the linked page into modules that arrive one after another and share one memory and one table: first what draws
//! the page, then what makes the world turn, then programs few people start.
//!
//! The linker leaves its relocations in the file (`--emit-relocs`), so it is known exactly which function and which
//! piece of data refers to which. A later module begins at its gates: everything that is reached through them alone goes
//! there. Functions keep their names and tables their places; a direct call of a gate becomes a call through the table.
//! Whoever calls a gate has to know that its module has arrived (`web::parts`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use crate::run::Result;

/// A module that arrives later, and the functions it is entered by.
pub struct Part {
    pub name: &'static str,
    pub gates: &'static [&'static str],
}

/// How the first module names what others need of it.
const TABLE: &str = "t";
const GLOBAL: &str = "g";
/// Where imports come from.
const FROM: &str = "m";
/// A run of bytes that belongs to another module costs more as a segment of its own than as zeros, below this.
const SHORT: usize = 12;

const FUNCTION: u8 = 0;
const DATA: u8 = 1;
const UNDEFINED: u32 = 0x10;
const NAMED: u32 = 0x40;

type Node = usize;

struct Symbol {
    node: Option<Node>,
}

#[derive(Clone, Copy, PartialEq)]
enum Patch {
    Function,
    Global,
}

struct Module<'a> {
    /// Sections by number; custom ones by name.
    sections: BTreeMap<u8, &'a [u8]>,
    custom: Vec<(&'a str, &'a [u8])>,
    /// How many values each type takes.
    types: Vec<usize>,
    /// Type of each function, the imported ones first.
    functions: Vec<u32>,
    imported: usize,
    globals: Vec<[u8; 2]>,
    exports: Vec<(&'a str, u8, u32)>,
    table_size: u32,
    slots: BTreeMap<u32, u32>,
    /// Where each function's body stands in the code section.
    bodies: Vec<Range<usize>>,
    /// Address and bytes.
    segments: Vec<(u32, &'a [u8])>,
    names: BTreeMap<u32, &'a str>,
    /// Pieces of data: segment and place in it.
    pieces: Vec<(usize, Range<usize>)>,
    /// What refers to what.
    edges: Vec<Vec<Node>>,
    /// Pieces of code that name a function or a global by its number: place in the code section.
    patches: Vec<(usize, Patch, u32)>,
    /// What is referred to from nowhere known.
    loose: Vec<Node>,
}

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

#[derive(Clone)]
struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(data: &'a [u8]) -> Reader<'a> {
        Reader { data, at: 0 }
    }

    fn byte(&mut self) -> Option<u8> {
        self.at += 1;
        self.data.get(self.at - 1).copied()
    }

    fn number(&mut self) -> Option<u32> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 || shift > 56 {
                return Some(value as u32);
            }
        }
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        self.at += length;
        self.data.get(self.at - length..self.at)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// `i32.const N end`.
    fn place(&mut self) -> Option<u32> {
        (self.byte()? == 0x41).then_some(())?;
        let (mut value, mut shift) = (0i64, 0);
        loop {
            let byte = self.byte()?;
            value |= i64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                if byte & 0x40 != 0 && shift < 63 {
                    value |= -1 << shift;
                }
                break;
            }
        }
        (self.byte()? == 0x0b).then_some(value as u32)
    }

    fn is_done(&self) -> bool {
        self.at >= self.data.len()
    }
}

impl<'a> Module<'a> {
    fn read(wasm: &'a [u8]) -> Option<Module<'a>> {
        let mut module = Module {
            sections: BTreeMap::new(),
            custom: Vec::new(),
            types: Vec::new(),
            functions: Vec::new(),
            imported: 0,
            globals: Vec::new(),
            exports: Vec::new(),
            table_size: 0,
            slots: BTreeMap::new(),
            bodies: Vec::new(),
            segments: Vec::new(),
            names: BTreeMap::new(),
            pieces: Vec::new(),
            edges: Vec::new(),
            patches: Vec::new(),
            loose: Vec::new(),
        };
        let mut from = Reader { data: wasm, at: 8 };
        // Relocations name sections by their place in the file.
        let mut order = Vec::new();
        while !from.is_done() {
            let id = from.byte()?;
            let content = from.bytes()?;
            order.push(id);
            if id == 0 {
                let mut inner = Reader::new(content);
                let name = inner.text()?;
                module.custom.push((name, content.get(inner.at..)?));
            } else {
                module.sections.insert(id, content);
            }
        }
        module.read_types()?;
        module.read_functions()?;
        module.read_bodies()?;
        let symbols = module.read_symbols()?;
        module.read_relocations(&order, &symbols)?;
        module.read_names()?;
        Some(module)
    }

    fn section(&self, id: u8) -> Reader<'a> {
        Reader::new(self.sections.get(&id).copied().unwrap_or(&[0]))
    }

    fn custom(&self, name: &str) -> Option<Reader<'a>> {
        self.custom.iter().find(|(known, _)| *known == name).map(|(_, content)| Reader::new(content))
    }

    fn read_types(&mut self) -> Option<()> {
        let mut from = self.section(1);
        for _ in 0..from.number()? {
            (from.byte()? == 0x60).then_some(())?;
            self.types.push(from.bytes()?.len());
            from.bytes()?;
        }
        Some(())
    }

    fn read_functions(&mut self) -> Option<()> {
        let mut from = self.section(2);
        for _ in 0..from.number()? {
            (from.text()?, from.text()?);
            // Nothing but functions comes from outside.
            (from.byte()? == 0).then_some(())?;
            self.functions.push(from.number()?);
        }
        self.imported = self.functions.len();
        let mut from = self.section(3);
        for _ in 0..from.number()? {
            self.functions.push(from.number()?);
        }
        let mut from = self.section(4);
        (from.number()? == 1).then_some(())?;
        from.byte()?;
        from.byte()?;
        self.table_size = from.number()?;
        let mut from = self.section(6);
        for _ in 0..from.number()? {
            self.globals.push([from.byte()?, from.byte()?]);
            from.place()?;
        }
        let mut from = self.section(7);
        for _ in 0..from.number()? {
            self.exports.push((from.text()?, from.byte()?, from.number()?));
        }
        let mut from = self.section(9);
        for _ in 0..from.number()? {
            (from.number()? == 0).then_some(())?;
            let start = from.place()?;
            for index in 0..from.number()? {
                self.slots.insert(start + index, from.number()?);
            }
        }
        Some(())
    }

    fn read_bodies(&mut self) -> Option<()> {
        let mut from = self.section(10);
        for _ in 0..from.number()? {
            let length = from.number()? as usize;
            self.bodies.push(from.at..from.at + length);
            from.at += length;
        }
        let mut from = self.section(11);
        for _ in 0..from.number()? {
            (from.number()? == 0).then_some(())?;
            self.segments.push((from.place()?, from.bytes()?));
        }
        Some(())
    }

    /// The linker's symbols; pieces of data are found by them.
    fn read_symbols(&mut self) -> Option<Vec<Symbol>> {
        let mut from = self.custom("linking")?;
        from.number()?;
        let mut symbols = Vec::new();
        let mut known: BTreeMap<(usize, usize, usize), Node> = BTreeMap::new();
        while !from.is_done() {
            let kind = from.byte()?;
            let content = from.bytes()?;
            if kind != 8 {
                continue;
            }
            let mut from = Reader::new(content);
            for _ in 0..from.number()? {
                let (kind, flags) = (from.byte()?, from.number()?);
                let is_defined = flags & UNDEFINED == 0;
                let mut node = None;
                if kind == DATA {
                    from.bytes()?;
                    if is_defined {
                        let (segment, start, size) =
                            (from.number()? as usize, from.number()? as usize, from.number()? as usize);
                        if flags & 0x200 == 0 && segment < self.segments.len() {
                            let next = self.functions.len() + self.pieces.len();
                            node = Some(*known.entry((segment, start, size)).or_insert(next));
                            if node == Some(next) {
                                self.pieces.push((segment, start..start + size));
                            }
                        }
                    }
                } else {
                    let index = from.number()?;
                    if kind != 3 && (is_defined || flags & NAMED != 0) {
                        from.bytes()?;
                    }
                    node = (kind == FUNCTION).then_some(index as usize);
                }
                symbols.push(Symbol { node });
            }
        }
        self.edges = vec![Vec::new(); self.functions.len() + self.pieces.len()];
        Some(symbols)
    }

    fn read_relocations(&mut self, order: &[u8], symbols: &[Symbol]) -> Option<()> {
        // Where pieces stand, by segment: start, end, the furthest end so far, which.
        let mut places: Vec<Vec<(usize, usize, usize, Node)>> = vec![Vec::new(); self.segments.len()];
        for (index, (segment, range)) in self.pieces.iter().enumerate() {
            places[*segment].push((range.start, range.end, 0, self.functions.len() + index));
        }
        for places in &mut places {
            places.sort_unstable();
            let mut furthest = 0;
            for place in places {
                furthest = furthest.max(place.1);
                place.2 = furthest;
            }
        }
        let base = self.sections.get(&11)?.as_ptr() as usize;
        let starts: Vec<usize> = self.segments.iter().map(|(_, bytes)| bytes.as_ptr() as usize - base).collect();
        for name in ["reloc.CODE", "reloc.DATA"] {
            let mut from = self.custom(name)?;
            let section = *order.get(from.number()? as usize)?;
            for _ in 0..from.number()? {
                let (kind, at, index) = (from.byte()?, from.number()? as usize, from.number()?);
                if matches!(kind, 3 | 4 | 5 | 8 | 9 | 11) {
                    from.number()?;
                }
                if kind == 6 {
                    continue;
                }
                let to = symbols.get(index as usize)?.node;
                if section == 10 && kind == 0 {
                    self.patches.push((at, Patch::Function, to? as u32));
                }
                if section == 10 && kind == 7 {
                    let value = Reader { data: self.sections.get(&10)?, at }.number()?;
                    self.patches.push((at, Patch::Global, value));
                }
                let Some(to) = to else { continue };
                let before = self.loose.len();
                if section == 10 {
                    let function = self.bodies.partition_point(|body| body.end <= at);
                    self.edges[self.imported + function].push(to);
                } else {
                    let segment = starts.partition_point(|start| *start <= at) - 1;
                    let at = at - starts[segment];
                    let places = &places[segment];
                    let mut index = places.partition_point(|place| place.0 <= at);
                    let mut is_found = false;
                    while index > 0 && places[index - 1].2 > at {
                        index -= 1;
                        if places[index].1 > at {
                            self.edges[places[index].3].push(to);
                            is_found = true;
                        }
                    }
                    if !is_found {
                        self.loose.push(to);
                    }
                }
                debug_assert!(self.loose.len() >= before);
            }
        }
        self.patches.sort_unstable_by_key(|(at, ..)| *at);
        Some(())
    }

    fn read_names(&mut self) -> Option<()> {
        let mut from = self.custom("name")?;
        while !from.is_done() {
            let (kind, content) = (from.byte()?, from.bytes()?);
            let mut inner = Reader::new(content);
            if kind == 1 {
                for _ in 0..inner.number()? {
                    self.names.insert(inner.number()?, inner.text()?);
                }
            }
        }
        Some(())
    }

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
                if found.is_empty() {
                    return Err(format!("no function is called {gate}: nothing to cut {} off at", part.name));
                }
                gates[index + 1].extend(found);
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

    fn write(&self, tiers: &[u8], parts: usize) -> Vec<Vec<u8>> {
        let functions = self.imported..self.functions.len();
        // What each module calls of others: earlier ones export it, later ones are reached through the table.
        let mut exported: BTreeSet<usize> = BTreeSet::new();
        let mut wanted: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); parts + 1];
        let mut later: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); parts + 1];
        for (at, patch, to) in &self.patches {
            if *patch != Patch::Function {
                continue;
            }
            let (from, to) = (self.imported + self.bodies.partition_point(|body| body.end <= *at), *to as usize);
            let tier = usize::from(tiers[from]);
            if tiers[to] < tiers[from] {
                exported.insert(to);
                wanted[tier].insert(to);
            } else if tiers[to] > tiers[from] {
                later[tier].insert(to);
            }
        }
        // The slots of the table the others write, and those for gates that had none.
        let slots: BTreeMap<usize, u32> =
            self.slots.iter().map(|(slot, function)| (*function as usize, *slot)).collect();
        for function in functions.clone().filter(|it| slots.contains_key(it)) {
            debug_assert!(function < tiers.len());
        }
        let mut slots = slots;
        let mut size = self.table_size;
        for function in later.iter().flatten() {
            slots.entry(*function).or_insert_with(|| {
                size += 1;
                size - 1
            });
        }
        let names: BTreeMap<usize, String> =
            exported.iter().enumerate().map(|(index, function)| (*function, short(index))).collect();
        let painted = self.paint(tiers);
        let all: BTreeMap<u32, usize> = {
            let mut all: BTreeMap<u32, usize> =
                self.slots.iter().map(|(slot, function)| (*slot, *function as usize)).collect();
            all.extend(slots.iter().map(|(function, slot)| (*slot, *function)));
            all
        };
        let cut = Cut { module: self, tiers, slots, all, size, names, painted };
        let first = cut.first(&later[0]);
        let mut modules = vec![first];
        modules.extend((1..=parts).map(|tier| cut.later(tier as u8, &wanted[tier], &later[tier])));
        modules
    }

    /// The module of every byte of data.
    fn paint(&self, tiers: &[u8]) -> Vec<Vec<u8>> {
        let mut painted: Vec<Vec<u8>> = self.segments.iter().map(|(_, bytes)| vec![u8::MAX; bytes.len()]).collect();
        for (index, (segment, range)) in self.pieces.iter().enumerate() {
            let tier = tiers[self.functions.len() + index];
            for byte in painted[*segment].get_mut(range.clone()).into_iter().flatten() {
                *byte = tier.min(*byte);
            }
        }
        // Padding.
        painted.iter_mut().flatten().filter(|tier| **tier == u8::MAX).for_each(|tier| *tier = 0);
        painted
    }
}

struct Cut<'a> {
    module: &'a Module<'a>,
    tiers: &'a [u8],
    /// The place of a function in the table, and who has each place.
    slots: BTreeMap<usize, u32>,
    all: BTreeMap<u32, usize>,
    size: u32,
    /// Under which name a function is exported.
    names: BTreeMap<usize, String>,
    painted: Vec<Vec<u8>>,
}

impl Cut<'_> {
    fn first(&self, later: &BTreeSet<usize>) -> Vec<u8> {
        let module = self.module;
        let code = module.sections[&10];
        let bodies = (module.imported..).zip(&module.bodies).map(|(function, body)| match self.tiers[function] {
            0 => code[body.clone()].to_vec(),
            _ if later.contains(&function) => self.stub(function),
            _ => vec![0, 0x00, 0x0b],
        });
        let mut exports: Vec<(String, u8, u32)> =
            module.exports.iter().map(|(name, kind, index)| (name.to_string(), *kind, *index)).collect();
        exports.push((TABLE.into(), 1, 0));
        exports.push((GLOBAL.into(), 3, 0));
        let own = self.names.iter().filter(|(function, _)| self.tiers[**function] == 0);
        exports.extend(own.map(|(function, name)| (name.clone(), 0, *function as u32)));
        let mut file = b"\0asm\x01\0\0\0".to_vec();
        for id in [1, 2, 3, 4, 5, 6, 7, 9, 10, 11] {
            let content = match id {
                4 => {
                    let mut to = vec![1, 0x70, 1];
                    number(&mut to, self.size);
                    number(&mut to, self.size);
                    to
                }
                7 => export_section(&exports),
                9 => self.elements(0, &|function| function as u32),
                10 => list(bodies.clone().map(sized)),
                11 => self.data(0),
                _ => module.sections.get(&id).map(|content| content.to_vec()).unwrap_or_default(),
            };
            section(&mut file, id, &content);
        }
        for (name, content) in &module.custom {
            if *name != "linking" && !name.starts_with("reloc.") {
                let mut to = Vec::new();
                text(&mut to, name);
                to.extend_from_slice(content);
                section(&mut file, 0, &to);
            }
        }
        file
    }

    fn later(&self, tier: u8, wanted: &BTreeSet<usize>, later: &BTreeSet<usize>) -> Vec<u8> {
        let module = self.module;
        let own: Vec<usize> =
            (module.imported..module.functions.len()).filter(|function| self.tiers[*function] == tier).collect();
        // Numbers of functions here: what is wanted of earlier modules, its own, gates of later ones.
        let order: BTreeMap<usize, u32> = wanted.iter().chain(&own).chain(later).copied().zip(0..).collect();
        let memory = module.exports.iter().find(|(_, kind, _)| *kind == 2).map_or("memory", |(name, ..)| name);
        let mut imports = vec![
            import(memory, &[2, 0, 0]),
            import(TABLE, &[1, 0x70, 0, 0]),
            import(GLOBAL, &[3, module.globals[0][0], module.globals[0][1]]),
        ];
        imports.extend(wanted.iter().map(|function| {
            let mut kind = vec![0];
            number(&mut kind, module.functions[*function]);
            import(&self.names[function], &kind)
        }));
        let types = own.iter().chain(later).map(|function| {
            let mut to = Vec::new();
            number(&mut to, module.functions[*function]);
            to
        });
        let exports: Vec<(String, u8, u32)> = own
            .iter()
            .filter_map(|function| Some((self.names.get(function)?.clone(), 0, *order.get(function)?)))
            .collect();
        let bodies = own.iter().map(|function| self.body(*function, &order));
        let bodies = bodies.chain(later.iter().map(|function| self.stub(*function)));
        let mut file = b"\0asm\x01\0\0\0".to_vec();
        section(&mut file, 1, module.sections[&1]);
        section(&mut file, 2, &list(imports.into_iter()));
        section(&mut file, 3, &list(types));
        section(&mut file, 7, &export_section(&exports));
        section(&mut file, 9, &self.elements(tier, &|function| order.get(&function).copied().unwrap_or_default()));
        section(&mut file, 10, &list(bodies.map(sized)));
        section(&mut file, 11, &self.data(tier));
        section(&mut file, 0, &self.names_section(&order));
        file
    }

    /// A function's body, with the numbers that others have here.
    fn body(&self, function: usize, order: &BTreeMap<usize, u32>) -> Vec<u8> {
        let module = self.module;
        let range = module.bodies[function - module.imported].clone();
        let mut body = module.sections[&10][range.clone()].to_vec();
        let from = module.patches.partition_point(|(at, ..)| *at < range.start);
        for (at, patch, to) in module.patches[from..].iter().take_while(|(at, ..)| *at < range.end) {
            let value = match patch {
                Patch::Function => order[&(*to as usize)],
                Patch::Global => 0,
            };
            if *patch == Patch::Global {
                assert_eq!(*to, 0, "only the stack's pointer is shared");
            }
            for index in 0..5 {
                let more = if index < 4 { 0x80 } else { 0 };
                body[at - range.start + index] = (value >> (7 * index)) as u8 & 0x7f | more;
            }
        }
        body
    }

    /// Calls a function of a later module.
    fn stub(&self, function: usize) -> Vec<u8> {
        let kind = self.module.functions[function];
        let mut to = vec![0];
        for index in 0..self.module.types[kind as usize] {
            to.push(0x20);
            number(&mut to, index as u32);
        }
        to.push(0x41);
        signed(&mut to, self.slots[&function]);
        to.push(0x11);
        number(&mut to, kind);
        to.extend([0, 0x0b]);
        to
    }

    fn elements(&self, tier: u8, index: &dyn Fn(usize) -> u32) -> Vec<u8> {
        let mut runs: Vec<(u32, Vec<usize>)> = Vec::new();
        for (slot, function) in &self.all {
            if self.tiers[*function] != tier {
                continue;
            }
            match runs.last_mut() {
                Some((start, run)) if *start + run.len() as u32 == *slot => run.push(*function),
                _ => runs.push((*slot, vec![*function])),
            }
        }
        list(runs.into_iter().map(|(start, run)| {
            let mut to = vec![0, 0x41];
            signed(&mut to, start);
            to.push(0x0b);
            to.extend(list(run.into_iter().map(|function| {
                let mut to = Vec::new();
                number(&mut to, index(function));
                to
            })));
            to
        }))
    }

    fn data(&self, tier: u8) -> Vec<u8> {
        let mut segments = Vec::new();
        for ((address, bytes), painted) in self.module.segments.iter().zip(&self.painted) {
            let mut at = 0;
            while at < bytes.len() {
                if painted[at] != tier {
                    at += 1;
                    continue;
                }
                let start = at;
                let mut end = at;
                while at < bytes.len() && (painted[at] == tier || (tier == 0 && at - end < SHORT)) {
                    at += 1;
                    if painted[at - 1] == tier {
                        end = at;
                    }
                }
                let run: Vec<u8> = (start..end).map(|at| if painted[at] == tier { bytes[at] } else { 0 }).collect();
                if run.iter().all(|byte| *byte == 0) {
                    continue;
                }
                let mut to = vec![0, 0x41];
                signed(&mut to, address + start as u32);
                to.push(0x0b);
                to.extend(sized(run));
                segments.push(to);
            }
        }
        list(segments.into_iter())
    }

    /// Names of functions, by which the optimiser orders them.
    fn names_section(&self, order: &BTreeMap<usize, u32>) -> Vec<u8> {
        let mut by_number: Vec<(u32, usize)> = order.iter().map(|(function, number)| (*number, *function)).collect();
        by_number.sort_unstable();
        let names = list(by_number.into_iter().map(|(index, function)| {
            let mut to = Vec::new();
            number(&mut to, index);
            text(&mut to, self.module.names.get(&(function as u32)).copied().unwrap_or_default());
            to
        }));
        let mut to = Vec::new();
        text(&mut to, "name");
        to.push(1);
        number(&mut to, names.len() as u32);
        to.extend(names);
        to
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

/// The shortest names first.
fn short(mut index: usize) -> String {
    const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";
    let mut name = String::from("_");
    loop {
        name.push(char::from(LETTERS[index % 26]));
        index /= 26;
        if index == 0 {
            return name;
        }
    }
}

fn number(to: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn signed(to: &mut Vec<u8>, value: u32) {
    let mut value = i64::from(value as i32);
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        if (value == 0 && byte & 0x40 == 0) || (value == -1 && byte & 0x40 != 0) {
            return to.push(byte);
        }
        to.push(byte | 0x80);
    }
}

fn text(to: &mut Vec<u8>, value: &str) {
    number(to, value.len() as u32);
    to.extend_from_slice(value.as_bytes());
}

fn sized(bytes: Vec<u8>) -> Vec<u8> {
    let mut to = Vec::new();
    number(&mut to, bytes.len() as u32);
    to.extend(bytes);
    to
}

fn list(items: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let items: Vec<Vec<u8>> = items.collect();
    let mut to = Vec::new();
    number(&mut to, items.len() as u32);
    to.extend(items.into_iter().flatten());
    to
}

fn section(file: &mut Vec<u8>, id: u8, content: &[u8]) {
    if !content.is_empty() {
        file.push(id);
        file.extend(sized(content.to_vec()));
    }
}

fn import(name: &str, kind: &[u8]) -> Vec<u8> {
    let mut to = Vec::new();
    text(&mut to, FROM);
    text(&mut to, name);
    to.extend_from_slice(kind);
    to
}

fn export_section(exports: &[(String, u8, u32)]) -> Vec<u8> {
    list(exports.iter().map(|(name, kind, index)| {
        let mut to = Vec::new();
        text(&mut to, name);
        to.push(*kind);
        number(&mut to, *index);
        to
    }))
}
