// SPDX-License-Identifier: MIT
//! Reads an image: its marks, vector table, functions and code.

use crate::Error;
use object::read::elf::ElfFile32;
use object::{Architecture, Endianness, Object, ObjectSection, ObjectSymbol, SymbolKind};
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

/// The instruction set that an image is built for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isa {
    #[default]
    Armv7M,
    Rv32,
}

/// A loaded image. Addresses are those of the instructions, without the Thumb bit.
#[derive(Clone, Debug, Default)]
pub struct Image {
    pub isa: Isa,
    /// In the order of `.bench.marks`.
    pub marks: Vec<Mark>,
    /// Sorted by address.
    symbols: Vec<Symbol>,
    /// Address and contents of each section in memory.
    contents: Vec<(u32, Vec<u8>)>,
}

/// Exceptions 0 to 15 and at most 496 interrupts (DDI 0403E, B1.5.2).
const VECTORS: u32 = 512;

impl Image {
    /// # Errors
    /// The file cannot be read or is not an image for a supported processor.
    pub fn read(path: &Path) -> Result<Image, Error> {
        let name = path.display();
        let data = std::fs::read(path)
            .map_err(|e| Error::new(format!("image {name}: {e}; build it first")))?;
        Image::parse(&data).map_err(|e| Error::new(format!("image {name}: {e}")))
    }

    /// # Errors
    /// The data is not a complete ELF image for a supported processor.
    pub fn parse(data: &[u8]) -> Result<Image, Error> {
        let elf = ElfFile32::<Endianness>::parse(data).map_err(|e| {
            Error::new(format!(
                "not a complete 32-bit ELF file ({e}); link it again"
            ))
        })?;
        Ok(Image {
            isa: isa(&elf)?,
            marks: marks(&elf)?,
            symbols: symbols(&elf)?,
            contents: contents(&elf)?,
        })
    }

    /// Returns the word that the image has at `address`.
    #[must_use]
    pub fn word(&self, address: u32) -> Option<u32> {
        let (origin, bytes) = self.contents.iter().find(|(origin, bytes)| {
            address >= *origin && address - origin + 4 <= bytes.len() as u32
        })?;
        let offset = (address - origin) as usize;
        let word: [u8; 4] = bytes.get(offset..offset + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word))
    }

    /// Returns the number and handler of each exception in the vector table at `table`, including
    /// Reset (1).
    ///
    /// # Errors
    /// The image has no data there.
    pub fn vectors(&self, table: u32) -> Result<Vec<(u16, u32)>, Error> {
        let end = self.table_end(table);
        if self.word(table + 4).is_none() {
            return Err(Error::new(format!(
                "no vector table at {table:#x}; set `vectors` of the board to its address"
            )));
        }
        let entries = (1..VECTORS).map(|number| (number, table + 4 * number));
        Ok(entries
            .take_while(|&(_, address)| address < end)
            .filter_map(|(number, address)| Some((number as u16, self.word(address)?)))
            .filter(|&(_, handler)| handler & 1 == 1)
            .map(|(number, handler)| (number, handler & !1))
            .collect())
    }

    /// Returns the end of the table. Data after the table, for example a literal pool, could be
    /// mistaken for more vectors. The table's symbol size is the most reliable limit, then the next
    /// symbol or the end of the section.
    fn table_end(&self, table: u32) -> u32 {
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

    /// Returns `name` or `name+0x12` for an address inside a function.
    #[must_use]
    pub fn describe(&self, address: u32) -> Option<String> {
        let (name, start) = self.function(address)?;
        Some(match address - start {
            0 => name.to_owned(),
            offset => format!("{name}+{offset:#x}"),
        })
    }
}

type Elf<'data> = ElfFile32<'data, Endianness>;

fn isa(elf: &Elf) -> Result<Isa, Error> {
    match elf.architecture() {
        Architecture::Arm => Ok(Isa::Armv7M),
        Architecture::Riscv32 => Ok(Isa::Rv32),
        other => Err(Error::new(format!(
            "built for {other:?}; build it for the board's core"
        ))),
    }
}

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

fn symbols(elf: &Elf) -> Result<Vec<Symbol>, Error> {
    let mut symbols = Vec::new();
    for symbol in elf.symbols() {
        let name = symbol.name().map_err(|e| unreadable("symbols", e))?;
        // `$t`, `$d` and similar symbols distinguish code from data (Arm ELF, 5.5.5).
        if symbol.is_definition() && !name.is_empty() && !name.starts_with('$') {
            symbols.push(Symbol {
                name: name.to_owned(),
                address: symbol.address() as u32 & !u32::from(symbol.kind() == SymbolKind::Text),
                size: symbol.size() as u32,
                is_function: symbol.kind() == SymbolKind::Text,
            });
        }
    }
    symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
    Ok(symbols)
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
