// SPDX-License-Identifier: MIT
//! Decodes Thumb code by the encoding tables of the Armv7-M Architecture Reference Manual (DDI
//! 0403E, chapter A5). Section numbers in this folder refer to that manual.
//!
//! The decoder accepts all of Armv7E-M with the single-precision floating-point unit FPv4, and the
//! [`Extensions`] of newer cores. Encodings of Armv8-M are those of DDI 0553B, chapter C2.
//! Instructions in an IT block follow from the IT instruction. A block of code
//! that begins inside an IT block (after an exception was taken there) is decoded by
//! [`decode_block_within`].

mod armv8;
mod bits;
mod float;
mod memory;
mod narrow;
mod wide;

pub(crate) use armv8::may_fault;

use crate::register;
use bits::field;
use ticklab_isa::{Class, Instruction};

/// The instructions that newer cores execute beyond Armv7E-M with FPv4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Armv8-M Mainline with the Security Extension.
    pub armv8: bool,
    /// Loops that count in LR (Armv8.1-M).
    pub loops: bool,
    /// FPv5: rounding, selection, and minimum and maximum of floats.
    pub fpv5: bool,
    /// Arithmetic on doubles.
    pub double: bool,
}

/// Decodes Armv7E-M code at address `start`, whose first instruction is outside any IT block.
///
/// If the second half of a 32-bit instruction is missing, the block ends before that instruction.
#[must_use]
pub fn decode_block(start: u32, code: &[u8]) -> Vec<Instruction> {
    decode_block_within(start, code, 0, Extensions::default())
}

/// Decodes `code` at address `start`, whose first `it_remaining` instructions belong to an IT block
/// that began before it.
///
/// `it_remaining` is [`Instruction::it_remaining`] of the preceding instruction.
#[must_use]
pub fn decode_block_within(
    start: u32,
    code: &[u8],
    it_remaining: u8,
    extensions: Extensions,
) -> Vec<Instruction> {
    let mut block = Vec::with_capacity(code.len() / 2);
    let (mut address, mut rest, mut remaining) = (start, code, it_remaining);
    while let Some(mut instruction) = decode_one(address, rest, extensions) {
        instruction.conditional = remaining > 0;
        remaining = remaining.saturating_sub(1);
        if instruction.class == Class::IfThen {
            remaining = it_length(half(rest, 0).unwrap_or(0));
        }
        instruction.it_remaining = remaining;
        instruction.early &= !waits_for_link(block.last(), &instruction);
        address = instruction.end();
        rest = &rest[usize::from(instruction.size)..];
        block.push(instruction);
    }
    block
}

/// Returns whether a branch to LR is issued late because the preceding instruction writes LR (DDI
/// 0337G, table 15-3).
fn waits_for_link(before: Option<&Instruction>, branch: &Instruction) -> bool {
    let writes_link = before.is_some_and(|before| before.results.contains(register::LR));
    writes_link && branch.sources.contains(register::LR)
}

fn decode_one(address: u32, code: &[u8], extensions: Extensions) -> Option<Instruction> {
    let first = half(code, 0)?;
    let pc = address.wrapping_add(4);
    let (mut instruction, size) = if is_wide(first) {
        (wide::decode(first, half(code, 2)?, pc, extensions), 4)
    } else {
        (narrow::decode(first, pc), 2)
    };
    instruction.address = address;
    instruction.size = size;
    Some(instruction)
}

fn half(code: &[u8], offset: usize) -> Option<u32> {
    let bytes = code.get(offset..offset + 2)?;
    Some(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])))
}

/// Returns whether a 32-bit instruction begins with this halfword: with 0b11101, 0b11110 or 0b11111
/// (A5.1).
#[must_use]
pub fn is_wide(first: u32) -> bool {
    field(first, 11, 5) > 0b11100
}

/// Returns the number of instructions in the block of an IT with this encoding: the lowest set bit
/// of the mask ends the block (A7.7.38).
fn it_length(encoding: u32) -> u8 {
    4 - field(encoding, 0, 4).trailing_zeros() as u8
}
