// SPDX-License-Identifier: MIT
//! Tests the reading of ELF files, and the errors of invalid ones.

use object::write::{Object, StandardSegment, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SectionKind};
use object::{SymbolFlags, SymbolKind, SymbolScope};
use ticklab_image::{Image, Mark};

/// Returns an image with a vector table of three vectors, a literal after it that looks like a
/// fourth vector, and two marks.
fn elf(architecture: Architecture) -> Vec<u8> {
    let mut elf = Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
    let text = elf.section_id(object::write::StandardSection::Text);
    let words = [0x2000_1000_u32, 0x101, 0x201, 0x301, 0x401];
    let bytes: Vec<_> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    elf.append_section_data(text, &bytes, 4);
    elf.add_symbol(symbol("vectors", 0, 16, SymbolKind::Data, text));
    elf.add_symbol(symbol("main", 0x101, 8, SymbolKind::Text, text));
    let segment = elf.segment_name(StandardSegment::Debug).to_vec();
    let marks = elf.add_section(segment, b".bench.marks".to_vec(), SectionKind::Other);
    elf.append_section_data(marks, b"\x00\x01\0\0a.0\0\x04\x01\0\0iteration\0\0\0", 4);
    elf.write().unwrap()
}

fn symbol(
    name: &str,
    value: u64,
    size: u64,
    kind: SymbolKind,
    section: object::write::SectionId,
) -> Symbol {
    Symbol {
        name: name.into(),
        value,
        size,
        kind,
        scope: SymbolScope::Linkage,
        weak: false,
        section: SymbolSection::Section(section),
        flags: SymbolFlags::None,
    }
}

#[test]
fn marks_have_names_and_addresses() {
    let image = Image::parse(&elf(Architecture::Arm)).unwrap();
    let mark = |name: &str, address| Mark {
        name: name.into(),
        address,
    };
    assert_eq!(image.marks, [mark("a.0", 0x100), mark("iteration", 0x104)]);
}

#[test]
fn a_table_ends_where_its_symbol_does() {
    let image = Image::parse(&elf(Architecture::Arm)).unwrap();
    assert_eq!(image.table_end(0), 16);
    assert_eq!((image.word(12), image.word(0x8000)), (Some(0x301), None));
}

#[test]
fn the_machine_is_that_of_the_elf_header() {
    let machine = |architecture| Image::parse(&elf(architecture)).unwrap().machine;
    assert_eq!(
        [machine(Architecture::Arm), machine(Architecture::Mips)],
        [40, 8]
    );
}

#[test]
fn addresses_are_described_by_their_function() {
    let image = Image::parse(&elf(Architecture::Arm)).unwrap();
    assert_eq!(image.describe(0x100).as_deref(), Some("main"));
    assert_eq!(image.describe(0x106).as_deref(), Some("main+0x6"));
    assert_eq!(image.describe(0x10), None);
}

#[test]
fn incomplete_images_are_refused_in_one_line() {
    let whole = elf(Architecture::Arm);
    for (data, word) in [
        (b"no ELF file at all".to_vec(), "ELF"),
        (whole[..whole.len() / 2].to_vec(), "link it again"),
    ] {
        let error = Image::parse(&data).unwrap_err().to_string();
        assert!(
            error.contains(word) && error.lines().count() == 1,
            "{error}"
        );
    }
}
