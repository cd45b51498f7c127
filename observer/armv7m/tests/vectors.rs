// SPDX-License-Identifier: MIT
//! Tests the reading of a vector table.

use object::write::{Object, StandardSection, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
use ticklab_armv7m::SETS;
use ticklab_image::Image;

/// Returns an image with a table of four vectors, and a literal after it that looks like a fifth.
fn image() -> Image {
    let mut elf = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little);
    let text = elf.section_id(StandardSection::Text);
    let words = [0x2000_1000_u32, 0x101, 0x201, 0, 0x301, 0x401];
    let bytes: Vec<_> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    elf.append_section_data(text, &bytes, 4);
    elf.add_symbol(Symbol {
        name: b"vectors".to_vec(),
        value: 0,
        size: 20,
        kind: SymbolKind::Data,
        scope: SymbolScope::Linkage,
        weak: false,
        section: SymbolSection::Section(text),
        flags: SymbolFlags::None,
    });
    Image::parse(&elf.write().unwrap()).unwrap()
}

#[test]
fn the_table_has_the_handlers_up_to_its_end_and_the_reset() {
    let handlers = SETS[0].handlers(&image(), 0).unwrap();
    assert_eq!(handlers.reset, Some(0x100));
    assert_eq!(handlers.all(), [(1, 0x100), (2, 0x200), (4, 0x300)]);
}
