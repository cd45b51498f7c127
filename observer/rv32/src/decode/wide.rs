// SPDX-License-Identifier: MIT
//! Decodes 32-bit instructions (chapters 2, 3, 7 and 9; privileged specification, 3.3).

use super::encode::*;
use crate::register::{is_link, ZERO};
use ticklab_isa::{Class, Flow, Instruction, Register, Registers};

pub const ECALL: u32 = 0x0000_0073;
pub const EBREAK: u32 = 0x0010_0073;
pub const WFI: u32 = 0x1050_0073;
pub const MRET: u32 = 0x3020_0073;

pub fn decode(word: u32, address: u32) -> Instruction {
    let alu = Instruction::new(Class::Alu).to(set(rd(word)));
    match opcode(word) {
        LUI | AUIPC => alu,
        JAL => jump(word, address),
        JALR if function(word) == 0 => jump_to_register(word),
        BRANCH if !matches!(function(word), 2 | 3) => branch(word, address),
        LOAD if matches!(function(word), 0..=2 | 4 | 5) => load(word),
        STORE if function(word) <= 2 => store(word),
        OP_IMM if is_immediate(word) => alu.from(set(rs1(word))),
        OP => arithmetic(word),
        MISC_MEM if function(word) == 0 => Instruction::new(Class::DataMemoryBarrier),
        MISC_MEM if function(word) == 1 => Instruction::new(Class::InstructionBarrier),
        SYSTEM => system(word),
        _ => Instruction::undefined(),
    }
}

fn set(register: Register) -> Registers {
    if register == ZERO {
        Registers::NONE
    } else {
        register.into()
    }
}

fn jump(word: u32, address: u32) -> Instruction {
    let target = address.wrapping_add(immediate_j(word));
    let flow = if rd(word) == ZERO {
        Flow::Branch { target }
    } else {
        Flow::Call { target }
    };
    Instruction::new(Class::Branch)
        .to(set(rd(word)))
        .flowing(flow)
}

/// Decodes JALR. Table 2.1 defines which jumps are calls and which are returns.
fn jump_to_register(word: u32) -> Instruction {
    let flow = match (is_link(rd(word)), is_link(rs1(word))) {
        (true, _) => Flow::IndirectCall,
        (false, true) => Flow::Return,
        (false, false) => Flow::IndirectBranch,
    };
    Instruction::new(Class::Branch)
        .from(set(rs1(word)))
        .to(set(rd(word)))
        .flowing(flow)
}

fn branch(word: u32, address: u32) -> Instruction {
    let target = address.wrapping_add(immediate_b(word));
    Instruction::new(Class::Branch)
        .from(set(rs1(word)) | set(rs2(word)))
        .flowing(Flow::CondBranch { target })
}

fn load(word: u32) -> Instruction {
    Instruction::new(Class::Load)
        .at(set(rs1(word)))
        .to(set(rd(word)))
        .reading(1)
}

fn store(word: u32) -> Instruction {
    Instruction::new(Class::Store)
        .at(set(rs1(word)))
        .from(set(rs2(word)))
        .writing(1)
}

/// Returns whether the encoding is valid: in a shift, the bits above the shift amount are 0, or
/// 0x20 in an arithmetic right shift.
fn is_immediate(word: u32) -> bool {
    match function(word) {
        1 => field(word, 25, 7) == 0,
        5 => matches!(field(word, 25, 7), 0 | 0x20),
        _ => true,
    }
}

fn arithmetic(word: u32) -> Instruction {
    let class = match (field(word, 25, 7), function(word)) {
        (0, _) | (0x20, 0 | 5) => Class::Alu,
        (1, 0) => Class::Multiply,
        (1, 1..=3) => Class::MultiplyLong,
        (1, _) => Class::Divide,
        _ => return Instruction::undefined(),
    };
    Instruction::new(class)
        .from(set(rs1(word)) | set(rs2(word)))
        .to(set(rd(word)))
}

fn system(word: u32) -> Instruction {
    let instruction = Instruction::new(Class::System);
    match (word, function(word)) {
        (ECALL, _) => instruction.flowing(Flow::SupervisorCall),
        (EBREAK, _) => instruction.flowing(Flow::Breakpoint),
        (WFI, _) => instruction.flowing(Flow::Wait),
        (MRET, _) => instruction.flowing(Flow::ExceptionReturn),
        (_, 0 | 4) => Instruction::undefined(),
        _ => status_register(word),
    }
}

/// Decodes CSRRW, CSRRS, CSRRC, and their forms with an immediate in place of rs1.
fn status_register(word: u32) -> Instruction {
    let source = if function(word) < 4 {
        set(rs1(word))
    } else {
        Registers::NONE
    };
    Instruction::new(class_of_access(word))
        .from(source)
        .to(set(rd(word)))
}

/// Returns the class of an access to a CSR. A write has a class of its own if it may affect the
/// very next instruction: whether an interrupt is taken before it, or whether memory protection
/// permits it (privileged specification, tables 2.5 and 2.6; mseccfg by Smepmp).
fn class_of_access(word: u32) -> Class {
    const MSTATUS: u32 = 0x300;
    const MIE: u32 = 0x304;
    const MSECCFG: u32 = 0x747;
    const WRITE: u32 = 1;
    const CLEAR: u32 = 3;
    let operation = function(word) & 3;
    if operation != WRITE && rs1(word) == ZERO {
        return Class::StatusRegister;
    }
    match (field(word, 20, 12), operation) {
        (MSTATUS | MIE, CLEAR) => Class::ClearState,
        (MSTATUS | MIE, _) => Class::ChangeState,
        (_, CLEAR) => Class::StatusRegister,
        (MSECCFG | 0x3A0..=0x3BF, _) => Class::ChangeProtection,
        _ => Class::StatusRegister,
    }
}
