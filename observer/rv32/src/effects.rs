// SPDX-License-Identifier: MIT
//! Derives from one instruction's code its effect on the interrupt enable and on the stack pointer.

use crate::decode::encode::*;
use crate::decode::words;
use crate::register::{SP, ZERO};
use ticklab_processor::{Mask, MaskEffect};

/// The number of mstatus, and its bit MIE (privileged specification, 3.1.6).
const MSTATUS: u32 = 0x300;
const MIE: u32 = 1 << 3;
const MIE_MASK: Mask = Mask::ALL_INTERRUPTS;

/// Returns the effect of the instruction in `code` on mstatus.MIE. A trap return restores MIE
/// together with the privilege mode and is not reported here. CSRRW
/// of a register writes a value that the code does not determine; it is meant to restore.
#[must_use]
pub fn masking(code: &[u8]) -> Option<MaskEffect> {
    let (word, _) = words(code).next()?;
    if opcode(word) != SYSTEM || field(word, 20, 12) != MSTATUS {
        return None;
    }
    let has_mie = field(word, 15, 5) & MIE != 0;
    let is_nothing = rs1(word) == ZERO;
    match function(word) {
        1 if is_nothing => Some(MaskEffect::Mask(MIE_MASK)),
        1 => Some(MaskEffect::Restore(MIE_MASK)),
        2 | 3 if is_nothing => Some(MaskEffect::Save(MIE_MASK)),
        // CSRRS of a register is taken to restore a saved value, and CSRRC of a register to mask
        // interrupts.
        2 => Some(MaskEffect::Restore(MIE_MASK)),
        3 => Some(MaskEffect::Mask(MIE_MASK)),
        5 | 6 if has_mie => Some(MaskEffect::Unmask(MIE_MASK)),
        7 if has_mie => Some(MaskEffect::Mask(MIE_MASK)),
        5 => Some(MaskEffect::Mask(MIE_MASK)),
        _ => None,
    }
}

/// Returns the bytes by which the instruction grows the stack, if it adds a constant to the stack
/// pointer; otherwise 0. The result is negative if the stack shrinks.
#[must_use]
pub fn stack_growth(code: &[u8]) -> i32 {
    match words(code).next() {
        Some((word, _)) if is_adjustment(word) => (immediate_i(word) as i32).wrapping_neg(),
        _ => 0,
    }
}

/// Returns whether the instruction adds an immediate to the stack pointer.
fn is_adjustment(word: u32) -> bool {
    opcode(word) == OP_IMM && function(word) == 0 && rd(word) == SP && rs1(word) == SP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mstatus_masks_and_unmasks() {
        let effect = |word: u32| masking(&word.to_le_bytes());
        assert_eq!(effect(0x3004_7073), Some(MaskEffect::Mask(MIE_MASK))); // csrci mstatus, 8
        assert_eq!(effect(0x3004_7573), Some(MaskEffect::Mask(MIE_MASK))); // csrrci a0, mstatus, 8
        assert_eq!(effect(0x3004_6073), Some(MaskEffect::Unmask(MIE_MASK))); // csrsi mstatus, 8
        assert_eq!(effect(0x3000_2573), Some(MaskEffect::Save(MIE_MASK))); // csrr a0, mstatus
        assert_eq!(effect(0x3005_1073), Some(MaskEffect::Restore(MIE_MASK))); // csrw mstatus, a0
        assert_eq!(effect(0x3004_5073), Some(MaskEffect::Unmask(MIE_MASK))); // csrwi mstatus, 8
        assert_eq!(effect(0x3040_7073), None); // csrci mie, 0
    }

    #[test]
    fn the_stack_grows_by_a_constant() {
        assert_eq!(stack_growth(&[0x01, 0x11]), 32); // c.addi sp, -32
        assert_eq!(stack_growth(&[0x05, 0x61]), -32); // c.addi16sp sp, 32
        assert_eq!(stack_growth(&0xFB01_0113_u32.to_le_bytes()), 80); // addi sp, sp, -80
        assert_eq!(stack_growth(&0x0001_0513_u32.to_le_bytes()), 0); // addi a0, sp, 0
    }
}
