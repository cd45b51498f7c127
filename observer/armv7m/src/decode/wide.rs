// SPDX-License-Identifier: MIT
//! Decodes 32-bit encodings (DDI 0403E, A5.3), except those that access memory or the
//! floating-point unit.

use super::bits::{bit, field, register, sign_extend};
use super::{armv8, float, memory, narrow, Extensions};
use crate::register;
use ticklab_isa::{Class, Flow, Instruction};

/// Decodes the two halves of an instruction. `pc` is its address plus 4.
pub(super) fn decode(first: u32, second: u32, pc: u32, extensions: Extensions) -> Instruction {
    if extensions.armv8 {
        if let Some(instruction) = armv8::decode(first, second) {
            return instruction;
        }
    }
    if extensions.loops {
        if let Some(instruction) = armv8::decode_loop(first, second, pc) {
            return instruction;
        }
    }
    match (field(first, 11, 2), field(first, 9, 2)) {
        (0b01, 0b00) if !bit(first, 6) => memory::multiple(first, second),
        (0b01, 0b00) => memory::dual_or_exclusive(first, second, pc),
        (0b01, 0b01) => shifted_register(first, second),
        (0b10, _) if bit(second, 15) => branch_or_control(first, second, pc),
        (0b10, _) if bit(first, 9) => plain_immediate(first, second),
        (0b10, _) => modified_immediate(first, second),
        (0b11, 0b00) => memory::single(first, second, pc),
        (0b11, 0b01) if !bit(first, 8) => register_operands(first, second),
        (0b11, 0b01) if !bit(first, 7) => multiply(first, second),
        (0b11, 0b01) => long_multiply_or_divide(first, second),
        (0b01, _) | (0b11, 0b11) => float::decode(first, second, extensions),
        _ => Instruction::undefined(), // coprocessors that no core here has
    }
}

/// Decodes AND … RSB with an immediate (A5.3.1).
fn modified_immediate(first: u32, second: u32) -> Instruction {
    data_processing(first, second, Instruction::new(Class::Alu))
}

/// Decodes AND … RSB with a shifted register (A5.3.11).
fn shifted_register(first: u32, second: u32) -> Instruction {
    let pack = field(first, 5, 4) == 0b0110;
    let alu = Instruction::new(Class::Alu).from(register(second, 0));
    if pack {
        alu.from(register(first, 0)).to(register(second, 8))
    } else {
        data_processing(first, second, alu)
    }
}

/// Decodes the operation in bits 8:5. PC as first operand means that there is none: ORR becomes MOV
/// and ORN becomes MVN. PC as result means that there is none: AND, EOR, ADD and SUB become tests.
fn data_processing(first: u32, second: u32, alu: Instruction) -> Instruction {
    let (operand, target) = (register(first, 0), register(second, 8));
    match field(first, 5, 4) {
        0b0010 | 0b0011 if operand == register::PC => alu.to(target),
        0b0000 | 0b0100 | 0b1000 | 0b1101 if target == register::PC => alu.from(operand),
        0b0000..=0b0100 | 0b1000 | 0b1010 | 0b1011 | 0b1101 | 0b1110 => {
            alu.from(operand).to(target)
        }
        _ => Instruction::undefined(),
    }
}

/// Decodes ADDW, SUBW, ADR, MOVW, MOVT, saturation and bit fields (A5.3.3).
fn plain_immediate(first: u32, second: u32) -> Instruction {
    let (operand, target) = (register(first, 0), register(second, 8));
    let alu = Instruction::new(Class::Alu).to(target);
    match field(first, 4, 5) {
        0b00000 | 0b01010 if operand == register::PC => alu, // ADR
        0b00100 => alu,                                      // MOVW
        0b01100 => alu.from(target),                         // MOVT
        0b10110 if operand == register::PC => alu.from(target), // BFC
        0b10110 => alu.from(operand | target),               // BFI
        0b00000 | 0b01010 | 0b10000 | 0b10010 | 0b10100 | 0b11000 | 0b11010 | 0b11100 => {
            alu.from(operand)
        }
        _ => Instruction::undefined(),
    }
}

/// Decodes branches and control instructions (A5.3.4).
fn branch_or_control(first: u32, second: u32, pc: u32) -> Instruction {
    let branch = Instruction::new(Class::Branch).early();
    let target = pc.wrapping_add(long_offset(first, second));
    match (bit(second, 14), bit(second, 12)) {
        (true, true) => branch.to(register::LR).flowing(Flow::Call { target }),
        (false, true) => branch.flowing(Flow::Branch { target }),
        (false, false) if field(first, 7, 3) != 0b111 => {
            let target = pc.wrapping_add(conditional_offset(first, second));
            branch.flowing(Flow::CondBranch { target })
        }
        (false, false) => control(first, second),
        (true, false) => Instruction::undefined(), // BLX to Arm code, or UDF
    }
}

/// Returns the offset of BL and of B without a condition: 25 bits, two of them inverted (A7.7.12,
/// encoding T4).
fn long_offset(first: u32, second: u32) -> u32 {
    let sign = field(first, 10, 1);
    let inverted = |index| !(field(second, index, 1) ^ sign) & 1;
    let offset = sign << 24
        | inverted(13) << 23
        | inverted(11) << 22
        | field(first, 0, 10) << 12
        | field(second, 0, 11) << 1;
    sign_extend(offset, 25)
}

/// Returns the offset of B<cond>: 21 bits (A7.7.12, encoding T3).
fn conditional_offset(first: u32, second: u32) -> u32 {
    let offset = field(first, 10, 1) << 20
        | field(second, 11, 1) << 19
        | field(second, 13, 1) << 18
        | field(first, 0, 6) << 12
        | field(second, 0, 11) << 1;
    sign_extend(offset, 21)
}

/// Decodes MSR, MRS, hints and barriers.
fn control(first: u32, second: u32) -> Instruction {
    let status = Instruction::new(Class::StatusRegister);
    match field(first, 4, 7) {
        0b011_1000 | 0b011_1001 => status.from(register(first, 0)),
        0b011_1010 if field(second, 8, 3) == 0 => narrow::hint(field(second, 0, 8)),
        0b011_1011 => barrier(field(second, 4, 4)),
        0b011_1110 | 0b011_1111 => status.to(register(second, 8)),
        _ => Instruction::undefined(),
    }
}

fn barrier(option: u32) -> Instruction {
    match option {
        0b0010 => Instruction::new(Class::Hint), // CLREX
        0b0100 => Instruction::new(Class::DataSynchronizationBarrier),
        0b0101 => Instruction::new(Class::DataMemoryBarrier),
        0b0110 => Instruction::new(Class::InstructionBarrier),
        _ => Instruction::undefined(),
    }
}

/// Decodes shifts by a register, extensions, parallel additions, REV, CLZ and similar instructions
/// (A5.3.12 to A5.3.15).
fn register_operands(first: u32, second: u32) -> Instruction {
    let (left, right) = (register(first, 0), register(second, 0));
    let alu = Instruction::new(Class::Alu)
        .from(right)
        .to(register(second, 8));
    match (field(first, 4, 4), field(second, 4, 4)) {
        _ if field(second, 12, 4) != 0b1111 => Instruction::undefined(),
        (0b0000..=0b0111, 0b0000) => alu.from(left),
        (0b0000..=0b0101, 0b1000..=0b1111) if left == register::PC => alu, // SXTB … UXTH
        (0b0000..=0b0101, 0b1000..=0b1111) => alu.from(left),
        (0b1000..=0b1110, 0b0000..=0b0111) if parallel(first, second) => alu.from(left),
        (0b1000, 0b1000..=0b1011) | (0b1010, 0b1000) => alu.from(left), // QADD …, SEL
        (0b1001, 0b1000..=0b1011) | (0b1011, 0b1000) => alu,            // REV …, CLZ
        _ => Instruction::undefined(),
    }
}

/// Returns whether the two halfwords are a defined parallel addition or subtraction (A5.3.13).
/// There are six operations, each in a plain, a saturating and a halving form.
fn parallel(first: u32, second: u32) -> bool {
    let operation = field(first, 4, 3);
    matches!(operation, 0b000 | 0b001 | 0b010 | 0b100 | 0b101 | 0b110)
        && field(second, 4, 2) != 0b11
}

/// Decodes multiplications (A5.3.16). PC as the accumulator means that there is none.
fn multiply(first: u32, second: u32) -> Instruction {
    let (left, right) = (register(first, 0), register(second, 0));
    let accumulator = register(second, 12);
    let class = if accumulator == register::PC {
        Class::Multiply
    } else {
        Class::MultiplyAccumulate
    };
    let product = Instruction::new(class)
        .from(left | right)
        .to(register(second, 8));
    let product = if accumulator == register::PC {
        product
    } else {
        product.from(accumulator)
    };
    match (field(first, 4, 3), field(second, 6, 2), field(second, 4, 2)) {
        (0b001, 0, _) | (0b010..=0b110, 0, 0b00 | 0b01) | (0b000 | 0b111, 0, 0b00) => product,
        (0b000, 0, 0b01) => product, // MLS
        _ => Instruction::undefined(),
    }
}

/// Decodes long multiplications and divisions (A5.3.17).
fn long_multiply_or_divide(first: u32, second: u32) -> Instruction {
    let operands = register(first, 0) | register(second, 0);
    let (low, high) = (register(second, 12), register(second, 8));
    let long = |class| Instruction::new(class).from(operands).to(low | high);
    let accumulate = long(Class::MultiplyLongAccumulate).from(low | high);
    match (field(first, 4, 3), field(second, 4, 4)) {
        (0b000 | 0b010, 0b0000) => long(Class::MultiplyLong),
        (0b001 | 0b011, 0b1111) => Instruction::new(Class::Divide).from(operands).to(high),
        (0b100, 0b0000 | 0b1000..=0b1101) | (0b101, 0b1100 | 0b1101) => accumulate,
        (0b110, 0b0000 | 0b0110) => accumulate,
        _ => Instruction::undefined(),
    }
}
