// SPDX-License-Identifier: MIT
//! Decodes 16-bit encodings (DDI 0403E, A5.2).

use super::bits::{bit, field, list, low_register, register, sign_extend};
use crate::register;
use ticklab_isa::{Class, Flow, Instruction, Register, Registers};

/// Decodes one halfword. `pc` is the instruction's address plus 4.
pub(super) fn decode(half: u32, pc: u32) -> Instruction {
    match field(half, 10, 6) {
        0b00_0000..=0b00_1111 => shift_or_arithmetic(half),
        0b01_0000 => data_processing(half),
        0b01_0001 => special_data(half),
        0b01_0010 | 0b01_0011 => load_literal(half, pc),
        0b01_0100..=0b01_0111 => indexed(half),
        0b01_1000..=0b10_0011 => offset(half),
        0b10_0100..=0b10_0111 => stack_offset(half),
        0b10_1000 | 0b10_1001 => Instruction::new(Class::Alu).to(low_register(half, 8)),
        0b10_1010 | 0b10_1011 => add_stack(low_register(half, 8)),
        0b10_1100..=0b10_1111 => miscellaneous(half, pc),
        0b11_0000..=0b11_0011 => multiple(half),
        0b11_0100..=0b11_0111 => conditional_branch(half, pc),
        _ => branch(half, pc),
    }
}

/// Decodes shifts, additions, moves and compares with immediates (A5.2.1).
fn shift_or_arithmetic(half: u32) -> Instruction {
    let alu = Instruction::new(Class::Alu);
    let wide_immediate = low_register(half, 8);
    match field(half, 11, 3) {
        0b011 if !bit(half, 10) => alu
            .from(low_register(half, 3) | low_register(half, 6))
            .to(low_register(half, 0)),
        0b000..=0b011 => alu.from(low_register(half, 3)).to(low_register(half, 0)),
        0b100 => alu.to(wide_immediate),
        0b101 => alu.from(wide_immediate),
        _ => alu.from(wide_immediate).to(wide_immediate),
    }
}

/// Decodes operations on two low registers (A5.2.2).
fn data_processing(half: u32) -> Instruction {
    let (target, operand) = (low_register(half, 0), low_register(half, 3));
    let alu = Instruction::new(Class::Alu).from(operand);
    match field(half, 6, 4) {
        0b1000 | 0b1010 | 0b1011 => alu.from(target), // TST, CMP, CMN
        0b1001 | 0b1111 => alu.to(target),            // RSB, MVN
        0b1101 => Instruction::new(Class::Multiply)
            .from(target | operand)
            .to(target),
        _ => alu.from(target).to(target),
    }
}

/// Decodes operations on any register, and branches to a register (A5.2.3).
fn special_data(half: u32) -> Instruction {
    let target = Register((field(half, 7, 1) << 3 | field(half, 0, 3)) as u8);
    let operand = register(half, 3);
    let alu = Instruction::new(Class::Alu).from(operand);
    match field(half, 8, 2) {
        0b00 => write(alu.from(target), target), // ADD
        0b01 => alu.from(target),                // CMP
        0b10 if operand == register::LR => write(alu, target).early(),
        0b10 => write(alu, target), // MOV
        _ => branch_to_register(half, operand),
    }
}

/// A move or an addition to PC is a jump, and never an exception return.
fn write(instruction: Instruction, target: Register) -> Instruction {
    let instruction = instruction.to(target);
    if target == register::PC {
        instruction.flowing(Flow::IndirectBranch)
    } else {
        instruction
    }
}

fn branch_to_register(half: u32, target: Register) -> Instruction {
    let branch = Instruction::new(Class::Branch).from(target);
    let branch = if target == register::LR {
        branch.early()
    } else {
        branch
    };
    if bit(half, 7) {
        branch.to(register::LR).flowing(Flow::IndirectCall)
    } else {
        branch.flowing(Flow::Return)
    }
}

fn load_literal(half: u32, pc: u32) -> Instruction {
    let address = (pc & !3).wrapping_add(field(half, 0, 8) * 4);
    load(register::PC.into(), low_register(half, 8)).literal_at(address)
}

/// Decodes loads and stores with a register offset (A5.2.4).
fn indexed(half: u32) -> Instruction {
    let address = low_register(half, 3) | low_register(half, 6);
    let data = low_register(half, 0);
    if field(half, 9, 3) < 0b011 {
        let store = Instruction::new(Class::StoreIndexed).at(address);
        store.from(data).writing(1)
    } else {
        load(address, data)
    }
}

/// Decodes loads and stores with an immediate offset (A5.2.4).
fn offset(half: u32) -> Instruction {
    let (address, data) = (low_register(half, 3).into(), low_register(half, 0));
    load_or_store(half, address, data)
}

fn stack_offset(half: u32) -> Instruction {
    load_or_store(half, register::SP.into(), low_register(half, 8))
}

fn load_or_store(half: u32, address: Registers, data: Register) -> Instruction {
    if bit(half, 11) {
        load(address, data)
    } else {
        Instruction::new(Class::Store)
            .at(address)
            .from(data)
            .writing(1)
    }
}

fn load(address: Registers, data: Register) -> Instruction {
    Instruction::new(Class::Load)
        .at(address)
        .to(data)
        .reading(1)
}

fn add_stack(target: Register) -> Instruction {
    Instruction::new(Class::Alu).from(register::SP).to(target)
}

/// Decodes the miscellaneous instructions (A5.2.5).
fn miscellaneous(half: u32, pc: u32) -> Instruction {
    match field(half, 8, 4) {
        0b0000 => add_stack(register::SP),
        0b0001 | 0b0011 | 0b1001 | 0b1011 => compare_and_branch(half, pc),
        0b0010 => extend(half),
        0b0100 | 0b0101 => push(half),
        0b0110 if field(half, 5, 3) == 0b011 => Instruction::new(Class::ChangeState),
        0b1010 if field(half, 6, 2) != 0b10 => extend(half), // REV, REV16, REVSH
        0b1100 | 0b1101 => pop(half),
        0b1110 => Instruction::new(Class::System).flowing(Flow::Breakpoint),
        0b1111 if field(half, 0, 4) == 0 => hint(field(half, 4, 4)),
        0b1111 => Instruction::new(Class::IfThen),
        _ => Instruction::undefined(),
    }
}

fn extend(half: u32) -> Instruction {
    Instruction::new(Class::Alu)
        .from(low_register(half, 3))
        .to(low_register(half, 0))
}

fn compare_and_branch(half: u32, pc: u32) -> Instruction {
    let offset = field(half, 9, 1) << 6 | field(half, 3, 5) << 1;
    let target = pc.wrapping_add(offset);
    Instruction::new(Class::Branch)
        .from(low_register(half, 0))
        .flowing(Flow::CondBranch { target })
}

fn push(half: u32) -> Instruction {
    let mut stored = list(half, 8);
    if bit(half, 8) {
        stored = stored | register::LR;
    }
    Instruction::new(Class::StoreMultiple)
        .at(register::SP)
        .from(stored)
        .to(register::SP)
        .writing(stored.count())
}

fn pop(half: u32) -> Instruction {
    let mut loaded = list(half, 8);
    if bit(half, 8) {
        loaded = loaded | register::PC;
    }
    let pop = Instruction::new(Class::LoadMultiple)
        .at(register::SP)
        .to(loaded | register::SP)
        .reading(loaded.count());
    if bit(half, 8) {
        pop.flowing(Flow::Return)
    } else {
        pop
    }
}

/// Decodes a hint by its number, which 16-bit and 32-bit encodings share: WFE is 2 and WFI is 3.
pub(super) fn hint(number: u32) -> Instruction {
    match number {
        2 | 3 => Instruction::new(Class::System).flowing(Flow::Wait),
        _ => Instruction::new(Class::Hint),
    }
}

/// Decodes STM and LDM. LDM writes back its base unless the list contains it.
fn multiple(half: u32) -> Instruction {
    let (base, registers) = (low_register(half, 8), list(half, 8));
    if bit(half, 11) {
        Instruction::new(Class::LoadMultiple)
            .at(base)
            .to(registers | base)
            .reading(registers.count())
    } else {
        Instruction::new(Class::StoreMultiple)
            .at(base)
            .from(registers)
            .to(base)
            .writing(registers.count())
    }
}

/// Decodes B<cond>, UDF and SVC (A5.2.6).
fn conditional_branch(half: u32, pc: u32) -> Instruction {
    match field(half, 8, 4) {
        0b1110 => Instruction::undefined(),
        0b1111 => Instruction::new(Class::System).flowing(Flow::SupervisorCall),
        _ => {
            let target = pc.wrapping_add(sign_extend(field(half, 0, 8) << 1, 9));
            let branch = Instruction::new(Class::Branch).early();
            branch.flowing(Flow::CondBranch { target })
        }
    }
}

fn branch(half: u32, pc: u32) -> Instruction {
    let target = pc.wrapping_add(sign_extend(field(half, 0, 11) << 1, 12));
    let branch = Instruction::new(Class::Branch).early();
    branch.flowing(Flow::Branch { target })
}
