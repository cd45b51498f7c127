// SPDX-License-Identifier: MIT
//! Decodes A32 code by the encoding tables of chapter A5, and T32 code with the help of the M
//! profile's decoder.

mod bits;
mod coprocessor;
mod data;
mod memory;
mod thumb;
mod unconditional;

pub use bits::{bit, field, register};
pub use thumb::decode_thumb;

use crate::register as names;
use bits::sign_extend;
use ticklab_isa::{Class, Flow, Instruction};

/// The condition of instructions that are always executed (A8.3).
const ALWAYS: u32 = 0b1110;
/// The value in place of a condition for the encodings of A5.7.
const UNCONDITIONAL: u32 = 0b1111;

/// Decodes A32 code at address `start`. Bytes after the last whole word are ignored.
#[must_use]
pub fn decode_arm(start: u32, code: &[u8]) -> Vec<Instruction> {
    let words = code.chunks_exact(4).map(word);
    let addresses = (0u32..).map(|index| start.wrapping_add(4 * index));
    words
        .zip(addresses)
        .map(|(word, address)| decode_word(address, word))
        .collect()
}

/// Returns the first word of `code`, which has at least four bytes.
pub fn word(code: &[u8]) -> u32 {
    u32::from_le_bytes([code[0], code[1], code[2], code[3]])
}

/// A branch with a condition is [`Flow::CondBranch`]; all other instructions with a condition may
/// be skipped, as those of an IT block.
fn decode_word(address: u32, word: u32) -> Instruction {
    let condition = field(word, 28, 4);
    let mut instruction = match condition {
        UNCONDITIONAL => unconditional::decode(word, address),
        _ => conditional(word, address),
    };
    let is_skippable = condition != ALWAYS && condition != UNCONDITIONAL;
    match instruction.flow {
        Flow::Branch { target } if is_skippable => instruction.flow = Flow::CondBranch { target },
        _ => instruction.conditional = is_skippable,
    }
    instruction.address = address;
    instruction.size = 4;
    instruction
}

/// Decodes an encoding with a condition (A5.1).
fn conditional(word: u32, address: u32) -> Instruction {
    match field(word, 25, 3) {
        0b000 | 0b001 => data::decode(word, address),
        0b010 => memory::single(word, address),
        0b011 if bit(word, 4) => data::media(word),
        0b011 => memory::single(word, address),
        0b100 => memory::multiple(word),
        0b101 => branch(word, address),
        _ if field(word, 24, 4) == 0b1111 => supervisor_call(word),
        _ => coprocessor::decode(word),
    }
}

/// Decodes B and BL with an immediate (A8.8.18, A8.8.25).
fn branch(word: u32, address: u32) -> Instruction {
    let offset = sign_extend(field(word, 0, 24), 24) << 2;
    let target = address.wrapping_add(8).wrapping_add(offset);
    let branch = Instruction::new(Class::Branch).early();
    if bit(word, 24) {
        branch.to(names::LR).flowing(Flow::Call { target })
    } else {
        branch.flowing(Flow::Branch { target })
    }
}

/// The immediate of SVC that requests a service of the host in A32 (Arm, Semihosting for AArch32
/// and AArch64, release 2.0). The target serves the request and goes on, as at a breakpoint.
const SEMIHOSTING: u32 = 0x12_3456;

fn supervisor_call(word: u32) -> Instruction {
    let is_semihosting = field(word, 0, 24) == SEMIHOSTING;
    Instruction::new(Class::System).flowing(if is_semihosting {
        Flow::Breakpoint
    } else {
        Flow::SupervisorCall
    })
}
