//! The modules as files. The first keeps its numbers, with stubs and nothing in the place of what comes later; the others
//! have numbers of their own, so that calls in their bodies are written anew.

use std::collections::{BTreeMap, BTreeSet};

use super::bytes::{export_section, import, list, number, section, signed, sized, text};
use super::read::{Module, Patch};

/// How the first module names what others need of it.
const TABLE: &str = "t";
const GLOBAL: &str = "g";
/// Where imports come from.
const FROM: &str = "m";
/// A run of bytes that belongs to another module costs more as a segment of its own than as zeros, below this.
const SHORT: usize = 12;

impl Module<'_> {
    pub fn write(&self, tiers: &[u8], parts: usize) -> Vec<Vec<u8>> {
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
        let mut slots: BTreeMap<usize, u32> =
            self.slots.iter().map(|(slot, function)| (*function as usize, *slot)).collect();
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
            import(FROM, memory, &[2, 0, 0]),
            import(FROM, TABLE, &[1, 0x70, 0, 0]),
            import(FROM, GLOBAL, &[3, module.globals[0][0], module.globals[0][1]]),
        ];
        imports.extend(wanted.iter().map(|function| {
            let mut kind = vec![0];
            number(&mut kind, module.functions[*function]);
            import(FROM, &self.names[function], &kind)
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
