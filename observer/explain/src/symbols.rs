// SPDX-License-Identifier: MIT
//! Which function an address belongs to, from the symbol table, or without one from the calls.

use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeSet;
use ticklab_replay::Error;

#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: String,
    pub address: u32,
}

/// Functions in the order of their addresses.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    functions: Vec<Symbol>,
}

struct Candidate {
    address: u32,
    size: u32,
    /// The best name of several first: sized, then global, then weak, then local.
    rank: u8,
    name: String,
}

impl Symbols {
    /// # Errors
    /// The symbol table is damaged.
    pub fn read(elf: &ElfFile32<Endianness>) -> Result<Symbols, Error> {
        let mut candidates = Vec::new();
        for symbol in elf.symbols() {
            let name = symbol.name().map_err(|e| {
                Error::new(format!("its symbols cannot be read ({e}); link it again"))
            })?;
            let is_function = symbol.kind() == SymbolKind::Text && symbol.is_definition();
            if is_function && !name.is_empty() && !name.starts_with('$') {
                candidates.push(candidate(&symbol, name));
            }
        }
        candidates.sort_by(|a, b| (a.address, a.rank, &a.name).cmp(&(b.address, b.rank, &b.name)));
        candidates.dedup_by_key(|candidate| candidate.address);
        Ok(Symbols::fold(candidates))
    }

    /// Leaves out labels: what lies inside a function of known size, and local names without one.
    fn fold(candidates: Vec<Candidate>) -> Symbols {
        let mut functions = Vec::new();
        let mut end = 0;
        for candidate in candidates {
            let is_label = candidate.address < end || candidate.rank == LOCAL;
            if !is_label {
                end = candidate.address + candidate.size;
                functions.push(Symbol {
                    name: candidate.name,
                    address: candidate.address,
                });
            }
        }
        Symbols { functions }
    }

    /// Functions without names: code begins wherever it was called.
    pub fn of_calls(starts: &BTreeSet<u32>) -> Symbols {
        let functions = starts.iter().map(|&address| Symbol {
            name: format!("{address:#x}"),
            address,
        });
        Symbols {
            functions: functions.collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The function that contains `address`.
    pub fn find(&self, address: u32) -> Option<&Symbol> {
        let behind = self.functions.partition_point(|f| f.address <= address);
        self.functions[..behind].last()
    }
}

const LOCAL: u8 = 3;

fn candidate<'data>(symbol: &impl ObjectSymbol<'data>, name: &str) -> Candidate {
    let rank = match (symbol.size() > 0, symbol.is_global(), symbol.is_weak()) {
        (true, true, false) => 0,
        (_, true, false) => 1,
        (_, _, true) => 2,
        (true, _, _) => 1,
        (false, false, false) => LOCAL,
    };
    Candidate {
        address: symbol.address() as u32 & !1,
        size: symbol.size() as u32,
        rank,
        name: name.to_owned(),
    }
}
