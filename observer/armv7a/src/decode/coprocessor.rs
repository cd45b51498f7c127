// SPDX-License-Identifier: MIT
//! Decodes the instructions of coprocessors (A5.6, A7.5 to A7.9, B3.17): VFP (10 and 11), and the
//! system registers (14 and 15), which include the barriers of Armv6.

use super::bits::{bit, field, register};
use crate::register as names;
use ticklab_isa::{Class, Flow, Instruction};

/// Decodes an encoding whose bits 26 and 27 are 1 and which is no SVC.
pub fn decode(word: u32) -> Instruction {
    let is_float = field(word, 9, 3) == 0b101;
    match (field(word, 24, 2), is_float) {
        (0b00 | 0b01, true) => float_memory_or_pair(word),
        (0b00 | 0b01, false) => memory_or_pair(word),
        (_, true) if bit(word, 4) => float_transfer(word),
        (_, true) => arithmetic(word),
        (_, false) if bit(word, 4) => system_register(word),
        (_, false) => Instruction::undefined(),
    }
}

/// Decodes VLDR, VLDM, VSTR, VSTM and the moves of two core registers (A7.6, A7.9).
fn float_memory_or_pair(word: u32) -> Instruction {
    let (is_pre_indexed, writes_back, is_up) = (bit(word, 24), bit(word, 21), bit(word, 23));
    let is_double = bit(word, 8);
    let words = field(word, 0, 8) as u8;
    match (is_pre_indexed, is_up, writes_back) {
        (false, false, false) => pair(word, Class::FloatMovePair),
        (true, _, false) => float_access(word, if is_double { 2 } else { 1 }),
        // FLDMX and FSTMX have an odd number of words, the last of which is unused.
        _ if is_double => float_access(word, words & !1),
        _ => float_access(word, words),
    }
}

fn float_access(word: u32, words: u8) -> Instruction {
    let base = register(word, 16);
    let access = match bit(word, 20) {
        true => Instruction::new(Class::FloatLoad).reading(words),
        false => Instruction::new(Class::FloatStore).writing(words),
    };
    let access = access.at(base);
    if bit(word, 21) {
        access.to(base)
    } else {
        access
    }
}

/// Decodes MCRR, MRRC and VMOV of two core registers.
fn pair(word: u32, class: Class) -> Instruction {
    let both = register(word, 12) | register(word, 16);
    let instruction = Instruction::new(class);
    match (bit(word, 22), bit(word, 20)) {
        (false, _) => Instruction::undefined(),
        (true, true) => instruction.to(both),
        (true, false) => instruction.from(both),
    }
}

/// Decodes LDC, STC and the transfers of two core registers of the other coprocessors.
fn memory_or_pair(word: u32) -> Instruction {
    let base = register(word, 16);
    match (bit(word, 24), bit(word, 23), bit(word, 21), bit(word, 20)) {
        (false, false, false, _) => pair(word, Class::StatusRegister),
        (.., true) => Instruction::new(Class::Load).at(base).reading(1),
        (.., false) => Instruction::new(Class::Store).at(base).writing(1),
    }
}

/// Decodes the moves between one core register and VFP (A7.8).
fn float_transfer(word: u32) -> Instruction {
    let is_status = field(word, 21, 3) == 0b111 && !bit(word, 8);
    let class = if is_status {
        Class::FloatMove
    } else {
        Class::FloatMoveCore
    };
    let data = register(word, 12);
    match bit(word, 20) {
        // VMRS with this operand writes the flags, and not PC.
        true if data == names::PC => Instruction::new(class),
        true => Instruction::new(class).to(data),
        false => Instruction::new(class).from(data),
    }
}

/// Decodes the arithmetic of VFP (A7.5), by bits 23, 21 and 20 of the operation.
fn arithmetic(word: u32) -> Instruction {
    let operation = field(word, 20, 4) & 0b1011;
    let (second, is_move_register) = (field(word, 16, 4), bit(word, 6));
    Instruction::new(match (operation, second) {
        (0b0000 | 0b0001 | 0b1001 | 0b1010, _) => Class::FloatMultiplyAccumulate,
        (0b1000, _) => Class::FloatDivide,
        (0b1011, _) if !is_move_register => Class::FloatMove,
        (0b1011, 0b0001) if bit(word, 7) => Class::FloatDivide,
        (0b1011, 0b0000) if !bit(word, 7) => Class::FloatMove,
        _ => Class::Float,
    })
}

/// The fields of MCR and MRC that identify a register of CP15: CRn, opc1, CRm, opc2.
const fn cp15(crn: u32, crm: u32, opc2: u32) -> u32 {
    crn << 16 | crm | opc2 << 5
}

const FIELDS: u32 = 0x00EF_00EF;
const WAIT: u32 = cp15(7, 0, 4);
const ISB: u32 = cp15(7, 5, 4);
const DSB: u32 = cp15(7, 10, 4);
const DMB: u32 = cp15(7, 10, 5);

/// Decodes MCR and MRC (A8.8.98, A8.8.107).
fn system_register(word: u32) -> Instruction {
    let data = register(word, 12);
    if bit(word, 20) {
        let read = Instruction::new(Class::StatusRegister);
        return if data == names::PC {
            read
        } else {
            read.to(data)
        };
    }
    let is_cp15 = field(word, 8, 4) == 15;
    match word & FIELDS {
        WAIT if is_cp15 => Instruction::new(Class::System).flowing(Flow::Wait),
        ISB if is_cp15 => Instruction::new(Class::InstructionBarrier),
        DSB if is_cp15 => Instruction::new(Class::DataSynchronizationBarrier),
        DMB if is_cp15 => Instruction::new(Class::DataMemoryBarrier),
        _ => Instruction::new(Class::StatusRegister).from(data),
    }
}
