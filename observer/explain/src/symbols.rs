// SPDX-License-Identifier: MIT
//! Finds the function that contains an address. Uses the symbol table or, for an image without
//! symbols, the targets of calls.

use cpp_demangle::DemangleOptions;
use object::elf::SHF_ALLOC;
use object::read::elf::{ElfFile32, ElfSection32};
use object::{
    Architecture, Endianness, Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind,
    SymbolKind,
};
use std::collections::BTreeSet;
use std::ops::Range;
use ticklab_replay::Error;

#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: String,
    pub address: u32,
    /// The end of the section that contains the function. A function ends here or where the next
    /// one begins. The size of the symbol is not used, because in assembly code it may cover only a
    /// part of the function.
    end: u32,
}

/// Functions in ascending order of their addresses, and the sections of the image in memory.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    functions: Vec<Symbol>,
    sections: Vec<(Range<u32>, String)>,
}

struct Candidate {
    address: u32,
    size: u32,
    /// If an address has several names, the one with the least rank is used: a symbol with a size,
    /// then a global, a weak and a local symbol.
    rank: u8,
    name: String,
}

impl Symbols {
    /// # Errors
    /// The symbol table is damaged.
    pub fn read(elf: &ElfFile32<Endianness>) -> Result<Symbols, Error> {
        let mut candidates = Vec::new();
        for symbol in elf.symbols() {
            let bytes = symbol.name_bytes().map_err(|e| {
                Error::new(format!(
                    "image: cannot read its symbols ({e}); link it again"
                ))
            })?;
            let name = String::from_utf8_lossy(bytes);
            if is_function(elf, &symbol) && !name.is_empty() && !name.starts_with('$') {
                candidates.push(candidate(&symbol, &name));
            }
        }
        candidates.sort_by(|a, b| (a.address, a.rank, &a.name).cmp(&(b.address, b.rank, &b.name)));
        candidates.dedup_by_key(|candidate| candidate.address);
        let mut symbols = Symbols {
            functions: Vec::new(),
            sections: sections(elf),
        };
        symbols.fold(candidates);
        Ok(symbols)
    }

    /// Adds the candidates, except labels: symbols inside a function whose size is known.
    fn fold(&mut self, candidates: Vec<Candidate>) {
        let mut end = 0;
        for candidate in candidates {
            if candidate.address >= end {
                end = candidate.address.saturating_add(candidate.size);
                self.functions.push(Symbol {
                    name: candidate.name,
                    address: candidate.address,
                    end: self.section_end(candidate.address),
                });
            }
        }
    }

    /// Replaces all functions by functions without names, which begin at the targets of calls.
    pub fn set_calls(&mut self, starts: &BTreeSet<u32>) {
        let functions = starts.iter().map(|&address| Symbol {
            name: format!("{address:#x}"),
            address,
            end: self.section_end(address),
        });
        self.functions = functions.collect();
    }

    /// Reads a list of functions, one a line: the address in hexadecimal, a blank and the name.
    ///
    /// # Errors
    /// A line has another form.
    pub fn parse(text: &str) -> Result<Symbols, Error> {
        let read = |line: &str| {
            let (address, name) = line.split_once(' ')?;
            let address = u32::from_str_radix(address, 16).ok()?;
            Some(Symbol {
                name: name.to_owned(),
                address,
                end: u32::MAX,
            })
        };
        let functions = text.lines().enumerate().map(|(number, line)| {
            read(line).ok_or_else(|| {
                let number = number + 1;
                Error::new(format!(
                    "functions of the system: line {number} is no address and name; \
                     remove the file"
                ))
            })
        });
        let mut functions = functions.collect::<Result<Vec<_>, _>>()?;
        functions.sort_by_key(|function| function.address);
        functions.dedup_by_key(|function| function.address);
        Ok(Symbols {
            functions,
            sections: Vec::new(),
        })
    }

    /// Adds the functions of another program, which has other addresses.
    pub fn add(&mut self, others: &Symbols) {
        self.functions.extend_from_slice(&others.functions);
        self.functions.sort_by_key(|function| function.address);
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// Returns whether a function begins at `address`.
    pub fn begins_at(&self, address: u32) -> bool {
        self.find(address).is_some_and(|f| f.address == address)
    }

    /// Returns the function that contains `address`.
    pub fn find(&self, address: u32) -> Option<&Symbol> {
        let end = self.functions.partition_point(|f| f.address <= address);
        self.functions[..end].last().filter(|f| address < f.end)
    }

    /// Returns a name for the code at `address`, which no function contains.
    pub fn unnamed(&self, address: u32) -> String {
        match self.section(address) {
            Some((_, section)) => format!("{address:#x} ({section}, no symbol)"),
            None => format!("{address:#x} (outside the image)"),
        }
    }

    fn section(&self, address: u32) -> Option<&(Range<u32>, String)> {
        let mut sections = self.sections.iter();
        sections.find(|(range, _)| range.contains(&address))
    }

    /// Returns the end of the section at `address`, or of memory if there is none.
    fn section_end(&self, address: u32) -> u32 {
        self.section(address)
            .map_or(u32::MAX, |(range, _)| range.end)
    }
}

/// Returns the sections that are loaded into memory, with their address ranges and names.
fn sections(elf: &ElfFile32<Endianness>) -> Vec<(Range<u32>, String)> {
    let is_loaded = |flags| match flags {
        SectionFlags::Elf { sh_flags } => sh_flags & u64::from(SHF_ALLOC) != 0,
        _ => false,
    };
    let loaded = elf.sections().filter(|each| is_loaded(each.flags()));
    let place = |section: ElfSection32<'_, '_, Endianness>| {
        let begin = section.address() as u32;
        let name = String::from_utf8_lossy(section.name_bytes().unwrap_or(b"?"));
        let end = begin.saturating_add(section.size() as u32);
        (begin..end, shown(&name))
    };
    loaded.map(place).collect()
}

/// Returns whether the symbol names a function. In assembly code, functions often have a symbol
/// without a size, and on RISC-V without a type, because calls work without it. So a global symbol
/// in code without a type counts as a function on RISC-V.
fn is_function<'data>(
    elf: &ElfFile32<'data, Endianness>,
    symbol: &impl ObjectSymbol<'data>,
) -> bool {
    let is_in_code = || {
        let section = symbol.section_index();
        let section = section.and_then(|index| elf.section_by_index(index).ok());
        section.is_some_and(|section| section.kind() == SectionKind::Text)
    };
    match symbol.kind() {
        SymbolKind::Text => symbol.is_definition(),
        SymbolKind::Unknown => {
            elf.architecture() == Architecture::Riscv32 && symbol.is_global() && is_in_code()
        }
        _ => false,
    }
}

/// Returns the name of a symbol as it is in the source code, safe to print.
pub fn of_source(name: &str) -> String {
    shown(&demangle(name))
}

/// Returns a text that an image chose, with an escape such as `\x1b` for every character that a
/// terminal may obey, for example of control or of direction. Views print such texts, and traces,
/// pages and flame graphs contain them (lab/src/ticklab/plain_text.py does the same).
pub fn shown(text: &str) -> String {
    text.chars().map(shown_character).collect()
}

fn shown_character(c: char) -> String {
    let is_quoted = matches!(c, '"' | '\'' | '\\');
    match u32::from(c) {
        _ if is_quoted || c.escape_debug().len() == 1 => c.to_string(),
        code @ ..0x100 => format!("\\x{code:02x}"),
        code => format!("\\u{code:04x}"),
    }
}

/// Decodes a name, because compilers of C++ and Rust encode names. A C function's name that looks
/// like the code of a C++ type is not decoded: `f` stays `f`, although it is the code of `float`.
fn demangle(name: &str) -> String {
    if !name.starts_with("_R") && !name.starts_with("_Z") {
        return name.to_owned();
    }
    if let Ok(found) = rustc_demangle::try_demangle(name) {
        return format!("{found:#}"); // without the hash
    }
    let options = DemangleOptions::new().no_params();
    let found = cpp_demangle::Symbol::new(name).ok();
    let found = found.and_then(|symbol| symbol.demangle_with_options(&options).ok());
    found.unwrap_or_else(|| name.to_owned())
}

fn candidate<'data>(symbol: &impl ObjectSymbol<'data>, name: &str) -> Candidate {
    let rank = match (symbol.size() > 0, symbol.is_global(), symbol.is_weak()) {
        (true, true, false) => 0,
        (_, true, false) => 1,
        (_, _, true) => 2,
        (true, _, _) => 1,
        (false, false, false) => 3,
    };
    Candidate {
        address: symbol.address() as u32 & !1,
        size: symbol.size() as u32,
        rank,
        name: of_source(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::{STB_GLOBAL, STB_LOCAL, STT_FUNC, STT_NOTYPE};
    use object::write::{Object, StandardSection, Symbol, SymbolSection};
    use object::{BinaryFormat, SymbolFlags, SymbolScope};

    #[test]
    fn names_are_as_in_the_source() {
        assert_eq!(
            demangle("_RNvCs35CFrAcmkDn_8readings6filter"),
            "readings::filter"
        );
        assert_eq!(demangle("_ZN8readings6filterEi"), "readings::filter");
        assert_eq!(
            demangle("_ZN8readings6filter17h0123456789abcdefE"),
            "readings::filter"
        );
        assert_eq!(demangle("_Zone"), "_Zone");
        assert_eq!(demangle("filter"), "filter");
        assert_eq!(demangle("f"), "f");
    }

    #[test]
    fn names_are_safe_to_print() {
        let name = "\u{1b}[31m\n\t\u{202e}é\"'\\<b>";
        let shown = "\\x1b[31m\\x0a\\x09\\u202eé\"'\\<b>";
        assert_eq!(of_source(name), shown);
    }

    /// Returns an image with symbols of one type and without a size, 8 bytes apart.
    fn image(architecture: Architecture, kind: u8, binds: &[u8]) -> Vec<u8> {
        let mut elf = Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
        let text = elf.section_id(StandardSection::Text);
        elf.append_section_data(text, &[0; 64], 4);
        for (index, bind) in (0..).zip(binds) {
            elf.add_symbol(Symbol {
                name: format!("f{index}").into_bytes(),
                value: 8 * index,
                size: 0,
                kind: SymbolKind::Text,
                scope: SymbolScope::Linkage,
                weak: false,
                section: SymbolSection::Section(text),
                flags: SymbolFlags::Elf {
                    st_info: bind << 4 | kind,
                    st_other: 0,
                },
            });
        }
        elf.write().unwrap()
    }

    fn names(image: &[u8]) -> Vec<String> {
        let symbols = Symbols::read(&ElfFile32::parse(image).unwrap()).unwrap();
        symbols.functions.into_iter().map(|f| f.name).collect()
    }

    #[test]
    fn a_global_symbol_in_code_is_a_function_on_riscv() {
        let binds = [STB_GLOBAL, STB_LOCAL, STB_GLOBAL];
        let image = |architecture| image(architecture, STT_NOTYPE, &binds);
        assert_eq!(names(&image(Architecture::Riscv32)), ["f0", "f2"]);
        assert!(names(&image(Architecture::Arm)).is_empty());
    }

    #[test]
    fn functions_of_a_system_are_beside_those_of_the_image() {
        let binds = [STB_GLOBAL];
        let image = image(Architecture::Arm, STT_FUNC, &binds);
        let mut symbols = Symbols::read(&ElfFile32::parse(&*image).unwrap()).unwrap();
        symbols.add(&Symbols::parse("c0100008 b\nc0100000 a\nc0100008 alias\n").unwrap());
        let name = |address| symbols.find(address).unwrap().name.clone();
        assert_eq!(
            [name(4), name(0xc010_0004), name(0xc010_0008)],
            ["f0", "a", "b"]
        );
    }

    #[test]
    fn code_outside_every_function_has_its_address() {
        let image = image(Architecture::Arm, STT_FUNC, &[STB_GLOBAL, STB_GLOBAL]);
        let symbols = Symbols::read(&ElfFile32::parse(&*image).unwrap()).unwrap();
        let name = |address| symbols.find(address).map(|f| f.name.as_str());
        assert_eq!(
            [name(7), name(8), name(63)],
            [Some("f0"), Some("f1"), Some("f1")]
        );
        assert_eq!([name(64), name(0x2000_1000)], [None, None]);
        assert_eq!(symbols.unnamed(32), "0x20 (.text, no symbol)");
        assert_eq!(
            symbols.unnamed(0x2000_1000),
            "0x20001000 (outside the image)"
        );
    }

    #[test]
    fn a_damaged_list_of_functions_is_refused_with_its_line() {
        for text in ["c0100000 a\nx", "c0100000", "1c0100000 a", " a"] {
            let error = Symbols::parse(text).unwrap_err().to_string();
            assert!(
                error.contains("line ") && error.lines().count() == 1,
                "{error}"
            );
        }
    }

    /// A kernel that is linked before the scenario has only local symbols.
    #[test]
    fn a_function_of_assembly_code_may_be_local_and_without_a_size() {
        let image = image(Architecture::Arm, STT_FUNC, &[STB_GLOBAL, STB_LOCAL]);
        assert_eq!(names(&image), ["f0", "f1"]);
    }
}
