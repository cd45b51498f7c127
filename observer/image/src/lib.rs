// SPDX-License-Identifier: MIT
//! Reads an image: its marks, functions and code.
#![forbid(unsafe_code)]

mod error;

pub use error::Error;

use object::read::elf::ElfFile32;
use object::read::elf::FileHeader;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::borrow::Cow;
use std::path::Path;

/// A point in the code of a scenario whose passes are recorded (bench/include/bench/mark.h).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub name: String,
    pub address: u32,
}

#[derive(Clone, Debug)]
struct Symbol {
    name: String,
    address: u32,
    size: u32,
    is_function: bool,
}

/// A loaded image. Addresses are those of the instructions, without the Thumb bit.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// The machine that the image is built for: `e_machine` of its ELF header.
    pub machine: u16,
    /// The marks, in the order in which the section `.bench.marks` has them.
    pub marks: Vec<Mark>,
    /// Sorted by address.
    symbols: Vec<Symbol>,
    /// The addresses at which the state of the code changes, in ascending order, each with the new
    /// state: 0 for Arm, 1 for Thumb, `None` for data.
    states: Vec<(u32, Option<u8>)>,
    /// The address and the contents of each section that is in memory.
    contents: Vec<(u32, Vec<u8>)>,
}

impl Image {
    /// # Errors
    /// The file cannot be read or is not a complete 32-bit ELF image.
    pub fn read(path: &Path) -> Result<Image, Error> {
        let name = path.display();
        let data = std::fs::read(path)
            .map_err(|e| Error::new(format!("image {name}: {e}; build it first")))?;
        Image::parse(&data).map_err(|e| Error::new(format!("image {name}: {e}")))
    }

    /// # Errors
    /// The data is not a complete 32-bit ELF image.
    pub fn parse(data: &[u8]) -> Result<Image, Error> {
        let elf = ElfFile32::<Endianness>::parse(data).map_err(|e| {
            Error::new(format!(
                "not a complete 32-bit ELF file ({e}); link it again"
            ))
        })?;
        Ok(Image {
            machine: elf.elf_header().e_machine(elf.endian()),
            marks: marks(&elf)?,
            symbols: symbols(&elf)?,
            states: states(&elf)?,
            contents: contents(&elf)?,
        })
    }

    /// Returns the word that the image has at `address`.
    #[must_use]
    pub fn word(&self, address: u32) -> Option<u32> {
        let word = self.bytes(address, 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word))
    }

    /// Returns the `count` bytes that the image has from `address`, if they lie in one section.
    #[must_use]
    pub fn bytes(&self, address: u32, count: usize) -> Option<&[u8]> {
        self.contents.iter().find_map(|(origin, bytes)| {
            let offset = address.checked_sub(*origin)? as usize;
            bytes.get(offset..offset.checked_add(count)?)
        })
    }

    /// Returns the instruction set of the code at `address` as the mapping symbols declare it (Arm
    /// ELF, 5.5.5): 0 for Arm (`$a`), 1 for Thumb (`$t`). Without such symbols, the lowest bits of
    /// the functions' addresses declare it.
    #[must_use]
    pub fn state(&self, address: u32) -> Option<u8> {
        let end = self.states.partition_point(|&(from, _)| from <= address);
        let (_, state) = self.states.get(end.checked_sub(1)?)?;
        state.filter(|_| self.word(address & !3).is_some())
    }

    /// Returns the end of the table of words that begins at `table`. Data after the table, for
    /// example a literal pool, could be mistaken for more entries. The table's symbol size is the
    /// most reliable limit, then the next symbol or the end of the section.
    #[must_use]
    pub fn table_end(&self, table: u32) -> u32 {
        let sized = self
            .symbols
            .iter()
            .find(|s| s.address == table && s.size > 4);
        let next = self
            .symbols
            .iter()
            .find(|s| s.address > table + 4)
            .map(|s| s.address);
        let whole = self
            .contents
            .iter()
            .find(|(origin, bytes)| table.wrapping_sub(*origin) < bytes.len() as u32)
            .map(|(origin, bytes)| origin + bytes.len() as u32);
        let end = sized.map(|s| s.address + s.size).or(next);
        end.unwrap_or(u32::MAX).min(whole.unwrap_or(u32::MAX))
    }

    /// Returns the function that contains `address`: its name and address.
    #[must_use]
    pub fn function(&self, address: u32) -> Option<(&str, u32)> {
        let end = self.symbols.partition_point(|s| s.address <= address);
        let symbol = self.symbols[..end].iter().rev().find(|s| s.is_function)?;
        Some((&symbol.name, symbol.address))
    }

    /// Returns the position of an address inside a function as `name` or `name+0x12`. A function
    /// ends at the latest where its section ends.
    #[must_use]
    pub fn describe(&self, address: u32) -> Option<String> {
        let (name, start) = self.function(address)?;
        let offset = address - start;
        if self.bytes(start, 1).is_some() {
            self.bytes(start, offset as usize + 1)?;
        }
        Some(match offset {
            0 => name.to_owned(),
            offset => format!("{name}+{offset:#x}"),
        })
    }
}

type Elf<'data> = ElfFile32<'data, Endianness>;

fn unreadable(what: &str, error: object::Error) -> Error {
    Error::new(format!("cannot read its {what} ({error}); link it again"))
}

fn marks(elf: &Elf) -> Result<Vec<Mark>, Error> {
    let Some(section) = elf.section_by_name(".bench.marks") else {
        return Ok(Vec::new());
    };
    let data = section.data().map_err(|e| unreadable("marks", e))?;
    let mut marks = Vec::new();
    let mut rest = data;
    while !rest.is_empty() {
        let (mark, size) = mark(rest)
            .ok_or_else(|| Error::new("its section .bench.marks is cut short; link it again"))?;
        marks.push(mark);
        rest = &rest[size.min(rest.len())..];
    }
    Ok(marks)
}

/// Parses one entry (address, NUL-terminated name, padding to a word). Returns the mark and the
/// entry's size.
fn mark(entry: &[u8]) -> Option<(Mark, usize)> {
    let address = u32::from_le_bytes(entry.get(..4)?.try_into().ok()?);
    let length = entry[4..].iter().position(|&byte| byte == 0)?;
    let name = std::str::from_utf8(&entry[4..4 + length]).ok()?.to_owned();
    let mark = Mark {
        name,
        address: address & !1,
    };
    Some((mark, (4 + length + 1).next_multiple_of(4)))
}

/// Returns a symbol's name, which need not be text.
fn name<'data>(symbol: &impl ObjectSymbol<'data>) -> Result<Cow<'data, str>, Error> {
    let bytes = symbol.name_bytes().map_err(|e| unreadable("symbols", e))?;
    Ok(String::from_utf8_lossy(bytes))
}

fn symbols(elf: &Elf) -> Result<Vec<Symbol>, Error> {
    let mut symbols = Vec::new();
    for symbol in elf.symbols() {
        let name = name(&symbol)?;
        // `$t`, `$d` and similar symbols distinguish code from data (Arm ELF, 5.5.5).
        if symbol.is_definition() && !name.is_empty() && !name.starts_with('$') {
            symbols.push(Symbol {
                name: name.into_owned(),
                address: symbol.address() as u32 & !u32::from(symbol.kind() == SymbolKind::Text),
                size: symbol.size() as u32,
                is_function: symbol.kind() == SymbolKind::Text,
            });
        }
    }
    symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    Ok(symbols)
}

fn states(elf: &Elf) -> Result<Vec<(u32, Option<u8>)>, Error> {
    let (mut mapped, mut functions) = (Vec::new(), Vec::new());
    for symbol in elf.symbols() {
        let name = name(&symbol)?;
        let address = symbol.address() as u32;
        match name.get(..2) {
            Some("$a") => mapped.push((address, Some(0))),
            Some("$t") => mapped.push((address, Some(1))),
            Some("$d") => mapped.push((address, None)),
            _ if symbol.is_definition() && symbol.kind() == SymbolKind::Text => {
                functions.push((address & !1, Some((address & 1) as u8)));
            }
            _ => {}
        }
    }
    let mut states = if mapped.is_empty() { functions } else { mapped };
    states.sort_unstable();
    Ok(states)
}

fn contents(elf: &Elf) -> Result<Vec<(u32, Vec<u8>)>, Error> {
    let mut contents = Vec::new();
    for section in elf.sections() {
        let object::SectionFlags::Elf { sh_flags } = section.flags() else {
            continue;
        };
        if sh_flags & u64::from(object::elf::SHF_ALLOC) == 0 {
            continue;
        }
        let data = section.data().map_err(|e| unreadable("contents", e))?;
        contents.push((section.address() as u32, data.to_vec()));
    }
    Ok(contents)
}
