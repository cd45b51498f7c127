// SPDX-License-Identifier: MIT
//! Decodes the 32-bit instructions that Armv8-M adds to Armv7E-M (DDI 0553B, C2.4), and the loops
//! of Armv8.1-M without tail predication. The 16-bit ones, BXNS and BLXNS, are encoded as BX and
//! BLX and cost the same.

use super::bits::{field, register};
use crate::register;
use ticklab_isa::{Class, Flow, Instruction};

/// Returns the instruction if Armv8-M has it and Armv7E-M does not.
pub(super) fn decode(first: u32, second: u32) -> Option<Instruction> {
    match (first & 0xFFF0, second) {
        (0xE970, 0xE97F) if first == 0xE97F => Some(Instruction::new(Class::Hint)), // SG
        (0xE840, _) if second & 0xF03F == 0xF000 => Some(test_target(first, second)),
        (0xE8C0 | 0xE8D0, _) => acquire_or_release(first, second),
        (0xEC20 | 0xEC30, 0x0A00) => Some(lazy_float(first)),
        _ => None,
    }
}

/// Decodes DLS and WLS, which start a loop, and LE, which ends it. The counter is LR.
pub(super) fn decode_loop(first: u32, second: u32, pc: u32) -> Option<Instruction> {
    if second & 0xD001 != 0xC001 {
        return None;
    }
    let offset = field(second, 1, 10) << 2 | field(second, 11, 1) << 1;
    let (forward, back) = (pc.wrapping_add(offset), pc.wrapping_sub(offset));
    let branch = Instruction::new(Class::Branch);
    let start = Instruction::new(Class::Alu).from(register(first, 0));
    match (first, second & 0xF000) {
        (0xF040..=0xF04E, 0xE000) if offset == 0 => Some(start.to(register::LR)),
        (0xF040..=0xF04E, 0xC000) => {
            let branch = branch.from(register(first, 0)).to(register::LR);
            Some(branch.flowing(Flow::CondBranch { target: forward }))
        }
        (0xF00F, 0xC000) => {
            let branch = branch.from(register::LR).to(register::LR);
            Some(branch.flowing(Flow::CondBranch { target: back }))
        }
        (0xF02F, 0xC000) => Some(branch.flowing(Flow::Branch { target: back })),
        _ => None,
    }
}

/// Decodes TT, TTT, TTA and TTAT, which access no memory.
fn test_target(first: u32, second: u32) -> Instruction {
    let (address, result) = (register(first, 0), register(second, 8));
    Instruction::new(Class::Alu).from(address).to(result)
}

/// Decodes LDA, STL, LDAEX, STLEX and their forms for bytes and halfwords.
fn acquire_or_release(first: u32, second: u32) -> Option<Instruction> {
    let (base, data) = (register(first, 0), register(second, 12));
    let is_load = first & 0x10 != 0;
    let is_exclusive = match field(second, 4, 4) {
        0b1000..=0b1010 => false,
        0b1100..=0b1110 => true,
        _ => return None,
    };
    Some(match (is_load, is_exclusive) {
        (true, _) => Instruction::new(Class::Load).to(data).reading(1),
        (false, false) => Instruction::new(Class::Store).from(data).writing(1),
        (false, true) => Instruction::new(Class::StoreExclusive)
            .from(data)
            .to(register(second, 0))
            .writing(1),
    })
    .map(|access| access.at(base))
}

/// Decodes VLLDM and VLSTM. They count no access: whether they move the floating-point state
/// depends on the state of lazy saving, and the processor's own stacking counts none either.
fn lazy_float(first: u32) -> Instruction {
    Instruction::new(Class::FloatMove).at(register(first, 0))
}

/// Returns whether an instruction that accesses no memory may still fault: a write to SP, which the
/// stack limit checks, or a lazy transfer.
pub(crate) fn may_fault(instruction: &Instruction) -> bool {
    let is_lazy = instruction.class == Class::FloatMove && instruction.base.count() > 0;
    is_lazy || instruction.results.contains(register::SP)
}
