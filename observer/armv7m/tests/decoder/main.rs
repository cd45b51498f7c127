// SPDX-License-Identifier: MIT
//! Tests the decoder against GNU objdump, an independent implementation.
//!
//! Objdump disassembles every 16-bit encoding and a sample of the 32-bit encodings, and [`reading`]
//! derives from the text what the instruction must be. Encodings that objdump knows from other
//! architectures are excluded by name. The tests check the fraction that remains, because many
//! 32-bit encodings are unassigned.

mod objdump;
mod reading;

use objdump::ListingLine;
use reading::Reading;
use std::collections::BTreeMap;
use ticklab_armv7m::decode_block;
use ticklab_isa::{Class, Instruction};

#[test]
fn every_16_bit_encoding() {
    let encodings = (0..0xE800).filter(|half| !is_it(*half)).map(u32::from);
    let encodings: Vec<u32> = encodings.collect();
    assert_agreement(&encodings, 0.98);
}

#[test]
fn a_sample_of_the_32_bit_encodings() {
    // 24 second halves for each first half, from a linear congruential generator that yields the
    // same numbers in every run.
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let firsts = 0xE800u32..=0xFFFF;
    let encodings: Vec<u32> = firsts
        .flat_map(|first| (0..24).map(move |_| first << 16))
        .map(|first| first | next())
        .collect();
    assert_agreement(&encodings, 0.5);
}

#[test]
fn the_32_bit_encodings_of_real_registers() {
    // Random second halves seldom have the ones that many encodings require: PC in place of a
    // register.
    let forms = [
        0x0F00, 0xF000, 0xF080, 0xF0F0, 0xF0C0, 0x0A00, 0x0A10, 0x0A40, 0x0AC0, 0x8F00,
    ];
    let encodings: Vec<u32> = (0xE800u32..=0xFFFF)
        .flat_map(|first| forms.map(|form| first << 16 | form | 0x0102 & !form))
        .collect();
    assert_agreement(&encodings, 0.5);
}

#[test]
fn it_blocks_of_every_length() {
    for (mask, length) in [
        (0x8, 1),
        (0x4, 2),
        (0xC, 2),
        (0x2, 3),
        (0xE, 3),
        (0x1, 4),
        (0xF, 4),
    ] {
        let encodings = [0xBF00 | mask, 0xBF00, 0xF840_1B04, 0xBF00, 0xBF00, 0xBF00];
        let block = decode_block(0, &objdump::bytes(&encodings));
        let conditional: Vec<bool> = block.iter().map(|line| line.conditional).collect();
        let expected: Vec<bool> = (0..6).map(|index| (1..=length).contains(&index)).collect();
        assert_eq!(conditional, expected, "mask {mask:#x}");
        assert_eq!(usize::from(block[0].it_remaining), length);
        assert_eq!(block[0].class, Class::IfThen);
    }
}

#[test]
fn a_truncated_instruction_ends_the_block() {
    assert_eq!(decode_block(0, &[0x00, 0xBF, 0x40, 0xF8]).len(), 1);
    assert_eq!(decode_block(0, &[0x00]).len(), 0);
}

fn is_it(half: u16) -> bool {
    half >> 8 == 0xBF && half & 0xF != 0
}

/// Checks all `encodings` that objdump reads as Armv7E-M. They must be at least the fraction
/// `least`.
fn assert_agreement(encodings: &[u32], least: f64) {
    let lines = objdump::disassemble(encodings);
    let block = decode_block(0, &objdump::bytes(encodings));
    assert_eq!(block.len(), encodings.len(), "sizes differ");
    let mut checked = 0;
    let mut wrong = BTreeMap::new();
    for (line, instruction) in lines.iter().zip(&block) {
        if let Some(expected) = Reading::from_text(line) {
            checked += 1;
            let decoded = Reading::from_instruction(instruction, &expected);
            if decoded != expected {
                let words = describe(line, &expected, &decoded, instruction);
                wrong.entry(&line.mnemonic).or_insert(words);
            }
        }
    }
    let shown: String = wrong.values().cloned().collect();
    assert!(
        wrong.is_empty(),
        "the first of each mnemonic that differs:\n{shown}"
    );
    let fraction = f64::from(checked) / encodings.len() as f64;
    assert!(
        fraction >= least,
        "only {fraction:.3} of the encodings were checked"
    );
}

fn describe(
    line: &ListingLine,
    expected: &Reading,
    decoded: &Reading,
    got: &Instruction,
) -> String {
    format!(
        "{:x}: {:08x} {} {}\n  text    {expected:?}\n  decoder {decoded:?} {:?}\n",
        line.address, line.encoding, line.mnemonic, line.operands, got.class
    )
}
