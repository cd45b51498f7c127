// SPDX-License-Identifier: MIT
//! Decodes the encodings without a condition: NEON, CPS, barriers, preloads, SRS, RFE, BLX (A5.7).

use super::bits::{bit, field, register, sign_extend};
use super::coprocessor;
use crate::register as names;
use ticklab_isa::{Class, Flow, Instruction};

pub fn decode(word: u32, address: u32) -> Instruction {
    match field(word, 25, 3) {
        0b000 if field(word, 20, 5) == 0b10000 => change_state(word),
        0b001 => Instruction::new(Class::Float),
        0b010 if !bit(word, 20) && !bit(word, 24) => element_access(word),
        0b010 | 0b011 => hint_or_barrier(word),
        0b100 => save_or_return(word),
        0b101 => call_thumb(word, address),
        0b110 | 0b111 if !bit(word, 25) || !bit(word, 24) => coprocessor::decode(word),
        _ => Instruction::undefined(),
    }
}

/// Decodes CPS and SETEND.
fn change_state(word: u32) -> Instruction {
    let is_cps = !bit(word, 16);
    Instruction::new(if is_cps {
        Class::ChangeState
    } else {
        Class::Alu
    })
}

/// Decodes the preloads, CLREX and the barriers (A5.7.1).
fn hint_or_barrier(word: u32) -> Instruction {
    let is_barrier = field(word, 20, 8) == 0b0101_0111;
    Instruction::new(match field(word, 4, 4) {
        0b0100 if is_barrier => Class::DataSynchronizationBarrier,
        0b0101 if is_barrier => Class::DataMemoryBarrier,
        0b0110 if is_barrier => Class::InstructionBarrier,
        _ if is_barrier || bit(word, 20) => Class::Hint,
        _ => return Instruction::undefined(),
    })
}

/// Decodes SRS, which stores LR and SPSR, and RFE, which loads PC and CPSR (B9.3.13, B9.3.16).
fn save_or_return(word: u32) -> Instruction {
    let (is_save, is_return) = (bit(word, 22), bit(word, 20));
    match (is_save, is_return) {
        (true, false) => Instruction::new(Class::StoreMultiple)
            .from(names::LR)
            .writing(2),
        (false, true) => exception_return(register(word, 16).0),
        _ => Instruction::undefined(),
    }
}

/// Returns RFE with base register `base`.
pub fn exception_return(base: u8) -> Instruction {
    Instruction::new(Class::LoadMultiple)
        .at(ticklab_isa::Register(base))
        .to(names::PC)
        .reading(2)
        .flowing(Flow::ExceptionReturn)
}

/// Decodes BLX with an immediate, which continues in T32.
fn call_thumb(word: u32, address: u32) -> Instruction {
    let offset = sign_extend(field(word, 0, 24), 24) << 2 | field(word, 24, 1) << 1;
    let target = address.wrapping_add(8).wrapping_add(offset);
    Instruction::new(Class::Branch)
        .to(names::LR)
        .flowing(Flow::Call { target })
        .early()
}

/// Decodes the loads and stores of NEON's elements and structures (A7.7). A register of 64 bits
/// counts as two.
pub fn element_access(word: u32) -> Instruction {
    let base = register(word, 16);
    let elements = field(word, 8, 2) as u8 + 1;
    let count = match bit(word, 23) {
        // Single elements, to one lane or to all lanes.
        true if field(word, 8, 4) == 0b0011 && field(word, 10, 2) == 0b11 => elements,
        true => elements,
        false => 2 * registers(field(word, 8, 4)),
    };
    let access = match bit(word, 21) {
        true => Instruction::new(Class::FloatLoad).reading(count),
        false => Instruction::new(Class::FloatStore).writing(count),
    };
    let index = register(word, 0);
    match index {
        names::PC => access.at(base),
        names::SP => access.at(base).to(base),
        _ => access.at(base | index).to(base),
    }
}

/// Returns the number of registers of 64 bits that an access of multiple structures moves, by its
/// type (A8.8.320 to A8.8.333).
fn registers(kind: u32) -> u8 {
    match kind {
        0b0111 => 1,
        0b1000..=0b1010 => 2,
        0b0100..=0b0110 => 3,
        _ => 4,
    }
}
