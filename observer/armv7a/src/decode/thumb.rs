// SPDX-License-Identifier: MIT
//! Decodes T32 code: the M profile's decoder, and the instructions that only the A profile has
//! (A6.3, B9.3).

use super::bits::{bit, field, register, sign_extend};
use super::{coprocessor, unconditional};
use crate::register as names;
use ticklab_armv7m::{decode_block_within, Extensions};
use ticklab_isa::{Class, Flow, Instruction, Register};

const SHARED: Extensions = Extensions {
    armv8: false,
    loops: false,
    fpv5: false,
    double: true,
};

/// Decodes `code` at address `start`, whose first `it_remaining` instructions belong to an IT block
/// that began before it.
#[must_use]
pub fn decode_thumb(start: u32, code: &[u8], it_remaining: u8) -> Vec<Instruction> {
    let mut block = decode_block_within(start, code, it_remaining, SHARED);
    for instruction in &mut block {
        let offset = instruction.address.wrapping_sub(start) as usize;
        let only_here = match instruction.size {
            2 => narrow(half(code, offset)),
            _ => wide(word(code, offset), instruction.address),
        };
        if let Some(other) = only_here {
            *instruction = Instruction {
                address: instruction.address,
                size: instruction.size,
                conditional: instruction.conditional,
                it_remaining: instruction.it_remaining,
                ..other
            };
        } else if is_jump_through_register(instruction) {
            instruction.flow = Flow::IndirectBranch;
        }
    }
    block
}

/// Returns whether BX uses another register than LR. The M profile's decoder takes each BX for a
/// return, because it may leave an exception there.
fn is_jump_through_register(instruction: &Instruction) -> bool {
    instruction.flow == Flow::Return
        && instruction.class == Class::Branch
        && !instruction.sources.contains(names::LR)
}

fn half(code: &[u8], offset: usize) -> u32 {
    u32::from(u16::from_le_bytes([code[offset], code[offset + 1]]))
}

/// Returns the two halfwords of an instruction as one word, the first in the upper half.
pub fn word(code: &[u8], offset: usize) -> u32 {
    half(code, offset) << 16 | half(code, offset + 2)
}

/// The immediate of SVC that requests a service of the host in T32, and that of HLT.
const SEMIHOSTING: [u32; 2] = [0xDFAB, 0xBABC];

fn narrow(half: u32) -> Option<Instruction> {
    let is_setend = half & 0xFFF7 == 0xB650;
    if SEMIHOSTING.contains(&half) {
        return Some(Instruction::new(Class::System).flowing(Flow::Breakpoint));
    }
    is_setend.then(|| Instruction::new(Class::Alu))
}

fn wide(word: u32, address: u32) -> Option<Instruction> {
    match word >> 16 {
        0xE810..=0xE83F | 0xE990..=0xE9BF if word & 0xFFFF == 0xC000 && bit(word, 20) => {
            Some(unconditional::exception_return(register(word, 16).0))
        }
        0xE80D | 0xE82D | 0xE98D | 0xE9AD if word & 0xFFE0 == 0xC000 => Some(save()),
        0xE8C0..=0xE8DF if field(word, 4, 4) == 0b0111 => Some(exclusive_pair(word)),
        0xF000..=0xF7FF if word & 0xD001 == 0xC000 => Some(call_arm(word, address)),
        0xF380..=0xF3FF | 0xF7E0..=0xF7FF if word & 0xD000 == 0x8000 => control(word),
        0xF900..=0xF9FF if !bit(word, 20) => Some(unconditional::element_access(word)),
        0xEF00..=0xEFFF | 0xFF00..=0xFFFF => Some(Instruction::new(Class::Float)),
        0xEC00..=0xEEFF => Some(coprocessor::decode(word)),
        _ => None,
    }
}

fn save() -> Instruction {
    Instruction::new(Class::StoreMultiple)
        .from(names::LR)
        .writing(2)
}

/// Decodes LDREXD and STREXD.
fn exclusive_pair(word: u32) -> Instruction {
    let (base, data) = (register(word, 16), register(word, 12) | register(word, 8));
    match bit(word, 20) {
        true => Instruction::new(Class::Load).at(base).to(data).reading(2),
        false => {
            let store = Instruction::new(Class::StoreExclusive).at(base);
            store.from(data).to(register(word, 0)).writing(2)
        }
    }
}

/// Decodes BLX with an immediate, which continues in A32.
fn call_arm(word: u32, address: u32) -> Instruction {
    let sign = field(word, 26, 1);
    let (j1, j2) = (field(word, 13, 1), field(word, 11, 1));
    let (i1, i2) = (1 ^ j1 ^ sign, 1 ^ j2 ^ sign);
    let low = field(word, 16, 10) << 12 | field(word, 1, 10) << 2;
    let offset = sign_extend(sign << 24 | i1 << 23 | i2 << 22 | low, 25);
    let target = (address.wrapping_add(4) & !3).wrapping_add(offset);
    Instruction::new(Class::Branch)
        .to(names::LR)
        .flowing(Flow::Call { target })
        .early()
}

/// Decodes the instructions of A6.3.4 that the M profile lacks: CPS, BXJ, SUBS PC, MRS and MSR of
/// the banked registers, HVC and SMC.
fn control(word: u32) -> Option<Instruction> {
    let status = Instruction::new(Class::StatusRegister);
    let operand = register(word, 16);
    Some(match word >> 16 {
        0xF3AF if field(word, 8, 3) != 0 => Instruction::new(Class::ChangeState),
        0xF380..=0xF39F => status.from(operand),
        0xF3C0..=0xF3CF => Instruction::new(Class::Branch)
            .from(operand)
            .flowing(Flow::IndirectBranch),
        0xF3D0..=0xF3DF => Instruction::new(Class::Branch)
            .from(Register(14))
            .to(names::PC)
            .flowing(Flow::ExceptionReturn),
        0xF3E0..=0xF3FF => status.to(register(word, 8)),
        0xF7E0..=0xF7FF if field(word, 12, 4) == 0b1000 => Instruction::new(Class::System),
        _ => return None,
    })
}
