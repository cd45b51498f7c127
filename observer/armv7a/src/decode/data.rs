// SPDX-License-Identifier: MIT
//! Decodes data processing, multiplication, media instructions and the miscellaneous instructions
//! among them (A5.2, A5.4).

use super::bits::{bit, field, register};
use super::memory;
use crate::register as names;
use ticklab_isa::{Class, Flow, Instruction, Register, Registers};

/// Decodes the encodings whose bits 26 and 27 are 0.
pub fn decode(word: u32, address: u32) -> Instruction {
    let is_immediate = bit(word, 25);
    if !is_immediate && bit(word, 7) && bit(word, 4) {
        return match field(word, 4, 4) {
            0b1001 if bit(word, 24) => memory::exclusive(word),
            0b1001 => multiply(word),
            _ => memory::extra(word, address),
        };
    }
    let is_other = field(word, 23, 2) == 0b10 && !bit(word, 20);
    match (is_other, is_immediate) {
        (true, true) => wide_immediate(word),
        (true, false) if bit(word, 7) => halfword_multiply(word),
        (true, false) => miscellaneous(word),
        (false, _) => data_processing(word),
    }
}

const MOV: u32 = 0b1101;
const MVN: u32 = 0b1111;

/// Decodes the sixteen operations of A5.2.1 to A5.2.3. A write to PC with S returns from an
/// exception (B9.3.20).
fn data_processing(word: u32) -> Instruction {
    let operation = field(word, 21, 4);
    let is_test = operation >> 2 == 0b10;
    let mut instruction = Instruction::new(Class::Alu).from(second_operand(word));
    if operation != MOV && operation != MVN {
        instruction = instruction.from(register(word, 16));
    }
    if is_test {
        return instruction;
    }
    let result = register(word, 12);
    instruction = instruction.to(result);
    if result == names::PC {
        instruction.class = Class::Branch;
        instruction.flow = flow_to_pc(word);
    }
    instruction
}

fn flow_to_pc(word: u32) -> Flow {
    let is_move_of_lr = word & 0x0FFF_0FFF == 0x01A0_000E;
    match bit(word, 20) {
        true => Flow::ExceptionReturn,
        false if is_move_of_lr => Flow::Return,
        false => Flow::IndirectBranch,
    }
}

/// Returns the registers of the second operand: none, Rm, or Rm and the register of the shift.
fn second_operand(word: u32) -> Registers {
    match (bit(word, 25), bit(word, 4)) {
        (true, _) => Registers::NONE,
        (false, false) => register(word, 0).into(),
        (false, true) => register(word, 0) | register(word, 8),
    }
}

/// Decodes MOVW, MOVT, MSR of an immediate, and hints (A5.2.11).
fn wide_immediate(word: u32) -> Instruction {
    let result = register(word, 12);
    match field(word, 20, 5) {
        0b10000 => Instruction::new(Class::Alu).to(result),
        0b10100 => Instruction::new(Class::Alu).from(result).to(result),
        0b10010 if field(word, 16, 4) == 0 => hint(word),
        _ => Instruction::new(Class::StatusRegister),
    }
}

fn hint(word: u32) -> Instruction {
    match field(word, 0, 8) {
        2 | 3 => Instruction::new(Class::System).flowing(Flow::Wait),
        _ => Instruction::new(Class::Hint),
    }
}

/// Decodes the instructions of A5.2.12.
fn miscellaneous(word: u32) -> Instruction {
    let operation = field(word, 21, 2);
    let (target, status) = (register(word, 0), Instruction::new(Class::StatusRegister));
    let system = Instruction::new(Class::System);
    match (field(word, 4, 3), operation) {
        (0b000, 0b00 | 0b10) => status.to(register(word, 12)),
        (0b000, _) => status.from(target),
        (0b001 | 0b010, 0b01) => branch_exchange(target),
        (0b001, 0b11) => Instruction::new(Class::Alu)
            .from(target)
            .to(register(word, 12)),
        (0b011, 0b01) => branch_register(target, Flow::IndirectCall).to(names::LR),
        (0b101, _) => Instruction::new(Class::Alu)
            .from(target | register(word, 16))
            .to(register(word, 12)),
        (0b110, 0b11) => system.flowing(Flow::ExceptionReturn),
        // HLT of a newer architecture, which QEMU serves as semihosting; BKPT.
        (0b111, 0b00 | 0b01) => system.flowing(Flow::Breakpoint),
        // HVC and SMC call firmware. QEMU itself acts as the firmware (PSCI), and execution
        // continues after the instruction.
        (0b111, _) => system,
        _ => Instruction::undefined(),
    }
}

pub fn branch_exchange(target: Register) -> Instruction {
    let is_link = target == names::LR;
    branch_register(
        target,
        if is_link {
            Flow::Return
        } else {
            Flow::IndirectBranch
        },
    )
}

fn branch_register(target: Register, flow: Flow) -> Instruction {
    Instruction::new(Class::Branch).from(target).flowing(flow)
}

/// Decodes the multiplications of A5.2.5.
fn multiply(word: u32) -> Instruction {
    let class = match field(word, 21, 3) {
        0b000 => Class::Multiply,
        0b001 | 0b011 => Class::MultiplyAccumulate,
        0b100 | 0b110 => Class::MultiplyLong,
        _ => Class::MultiplyLongAccumulate,
    };
    product(word, class)
}

/// Decodes the multiplications of halfwords (A5.2.7).
fn halfword_multiply(word: u32) -> Instruction {
    let class = match (field(word, 21, 2), bit(word, 5)) {
        (0b00, _) | (0b01, false) => Class::MultiplyAccumulate,
        (0b10, _) => Class::MultiplyLongAccumulate,
        _ => Class::Multiply,
    };
    product(word, class)
}

/// Returns a multiplication of Rn and Rm, with Ra or RdLo in bits 12 to 15.
fn product(word: u32, class: Class) -> Instruction {
    let (high, low) = (register(word, 16), register(word, 12));
    let factors = register(word, 0) | register(word, 8);
    let instruction = Instruction::new(class).from(factors).to(high);
    match class {
        Class::Multiply | Class::Divide => instruction,
        Class::MultiplyAccumulate => instruction.from(low),
        Class::MultiplyLong => instruction.to(low),
        _ => instruction.from(high | low).to(low),
    }
}

/// Decodes the media instructions (A5.4).
pub fn media(word: u32) -> Instruction {
    let (operation, form) = (field(word, 20, 5), field(word, 5, 3));
    let has_addend = register(word, 12) != names::PC;
    let sum = if has_addend {
        Class::MultiplyAccumulate
    } else {
        Class::Multiply
    };
    match (operation, form) {
        (0b10000 | 0b11000, _) | (0b10101, 0b000 | 0b001) => product(word, sum),
        (0b10101, _) => product(word, Class::MultiplyAccumulate),
        (0b10001 | 0b10011, 0b000) => product(word, Class::Divide),
        (0b10100, _) => product(word, Class::MultiplyLongAccumulate),
        (0b11111, 0b111) => Instruction::undefined(),
        (0b10000..=0b10111, _) => Instruction::undefined(),
        _ => Instruction::new(Class::Alu)
            .from(register(word, 0) | register(word, 16))
            .to(register(word, 12)),
    }
}
