// SPDX-License-Identifier: MIT
//! Reads the debug information of an image, without that of sections that the linker discarded.
//!
//! GNU ld keeps the debug information of a discarded section, with its addresses set to 0 (`ld`,
//! `--gc-sections`; lld writes -1). Such code would seem to be at the first bytes of memory. So
//! each address 0 is read as -1, which DWARF reserves for code that does not exist (DWARF 5, errata
//! to 7.3.2), unless a function of the image begins at 0.

use crate::symbols::Symbols;
use addr2line::gimli::{
    self, DebuggingInformationEntry, Dwarf, EndianSlice, LittleEndian, Relocate, RelocateReader,
    SectionId,
};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection};
use std::ops::Range;
use std::rc::Rc;
use ticklab_replay::Error;

type Slice<'a> = EndianSlice<'a, LittleEndian>;
pub type Section<'a> = RelocateReader<Slice<'a>, Addresses>;
pub type DebugInfo<'a> = addr2line::Context<Section<'a>>;

/// The address that DWARF reserves for code that does not exist, in 32 bits.
const NOWHERE: u64 = 0xFFFF_FFFF;

/// Reads the addresses in one section of debug information, and replaces those of discarded code.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// Whether address 0 in this section means discarded code.
    is_zero_discarded: bool,
    /// Ranges of the section in which 0 is a base address and never means discarded code.
    bases: Rc<[Range<usize>]>,
}

impl Relocate for Addresses {
    fn relocate_address(&self, offset: usize, value: u64) -> gimli::Result<u64> {
        let is_base = || self.bases.iter().any(|base| base.contains(&offset));
        let is_discarded = value == 0 && self.is_zero_discarded && !is_base();
        Ok(if is_discarded { NOWHERE } else { value })
    }

    fn relocate_offset(&self, _offset: usize, value: usize) -> gimli::Result<usize> {
        Ok(value)
    }
}

/// # Errors
/// The debug information is damaged.
pub fn read<'a>(
    elf: &ElfFile32<'a, Endianness>,
    symbols: &Symbols,
) -> Result<DebugInfo<'a>, Error> {
    let is_zero_code = symbols.is_empty() || symbols.begins_at(0);
    load(elf, !is_zero_code).map_err(|e| {
        Error::new(format!(
            "image: cannot read its debug information ({e}); link it again"
        ))
    })
}

fn load<'a>(
    elf: &ElfFile32<'a, Endianness>,
    is_zero_discarded: bool,
) -> gimli::Result<DebugInfo<'a>> {
    let plain = Dwarf::load(|id| Ok::<_, gimli::Error>(section(elf, id)))?;
    let bases: Rc<[_]> = bases(&plain)?.into();
    let none: Rc<[_]> = Rc::new([]);
    let dwarf = Dwarf::load(|id| {
        let addresses = Addresses {
            is_zero_discarded: is_zero_discarded && has_addresses(id),
            bases: match id {
                SectionId::DebugInfo => bases.clone(),
                _ => none.clone(),
            },
        };
        Ok::<_, gimli::Error>(RelocateReader::new(section(elf, id), addresses))
    })?;
    DebugInfo::from_dwarf(dwarf)
}

/// Reads a section of the image. `.debug_aranges` may be missing: it is then empty, and the address
/// ranges in the units are used.
fn section<'a>(elf: &ElfFile32<'a, Endianness>, id: SectionId) -> Slice<'a> {
    let found = elf.section_by_name(id.name());
    let data = found.and_then(|section| section.data().ok());
    let used = data.filter(|_| id != SectionId::DebugAranges);
    EndianSlice::new(used.unwrap_or(&[]), LittleEndian)
}

/// Returns whether addresses of the section must not be replaced. In DWARF 4's lists, 0 ends a
/// list, and GNU ld writes 1 for discarded code there.
fn has_addresses(id: SectionId) -> bool {
    matches!(
        id,
        SectionId::DebugInfo
            | SectionId::DebugLine
            | SectionId::DebugAddr
            | SectionId::DebugRngLists
    )
}

/// Returns the address attributes of units with a range list, because such an address is the base
/// of the list.
fn bases(dwarf: &Dwarf<Slice<'_>>) -> gimli::Result<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let unit = dwarf.unit(header)?;
        let offset = |entry: &DebuggingInformationEntry<Slice<'_>>| {
            entry
                .offset()
                .to_debug_info_offset(&unit.header)
                .map(|at| at.0)
        };
        let mut entries = unit.entries();
        let Some((_, root)) = entries.next_dfs()? else {
            continue;
        };
        let begin = offset(root).unwrap_or(0);
        if root.attr(gimli::DW_AT_ranges)?.is_some() {
            let next = entries.next_dfs()?.and_then(|(_, entry)| offset(entry));
            found.push(begin..next.unwrap_or(usize::MAX));
        }
    }
    Ok(found)
}
