//! The linked program: its sections, and by the linker's symbols and relocations what refers to what.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Node;

const FUNCTION: u8 = 0;
const DATA: u8 = 1;
const UNDEFINED: u32 = 0x10;
const NAMED: u32 = 0x40;

#[derive(Clone, Copy, PartialEq)]
pub enum Patch {
    Function,
    Global,
}

pub struct Module<'a> {
    /// Sections by number; custom ones by name.
    pub sections: BTreeMap<u8, &'a [u8]>,
    pub custom: Vec<(&'a str, &'a [u8])>,
    /// How many values each type takes.
    pub types: Vec<usize>,
    /// Type of each function, the imported ones first.
    pub functions: Vec<u32>,
    pub imported: usize,
    pub globals: Vec<[u8; 2]>,
    pub exports: Vec<(&'a str, u8, u32)>,
    pub table_size: u32,
    pub slots: BTreeMap<u32, u32>,
    /// Where each function's body stands in the code section.
    pub bodies: Vec<Range<usize>>,
    /// Address and bytes.
    pub segments: Vec<(u32, &'a [u8])>,
    pub names: BTreeMap<u32, &'a str>,
    /// Pieces of data: segment and place in it.
    pub pieces: Vec<(usize, Range<usize>)>,
    /// What refers to what.
    pub edges: Vec<Vec<Node>>,
    /// Pieces of code that name a function or a global by its number: place in the code section.
    pub patches: Vec<(usize, Patch, u32)>,
    /// What is referred to from nowhere known.
    pub loose: Vec<Node>,
}

impl<'a> Module<'a> {
    pub fn read(wasm: &'a [u8]) -> Option<Module<'a>> {
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
            from.text()?;
            from.text()?;
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
    fn read_symbols(&mut self) -> Option<Vec<Option<Node>>> {
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
                symbols.push(node);
            }
        }
        self.edges = vec![Vec::new(); self.functions.len() + self.pieces.len()];
        Some(symbols)
    }

    fn read_relocations(&mut self, order: &[u8], symbols: &[Option<Node>]) -> Option<()> {
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
                let to = *symbols.get(index as usize)?;
                if section == 10 && kind == 0 {
                    self.patches.push((at, Patch::Function, to? as u32));
                }
                if section == 10 && kind == 7 {
                    let value = Reader { data: self.sections.get(&10)?, at }.number()?;
                    self.patches.push((at, Patch::Global, value));
                }
                let Some(to) = to else { continue };
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
