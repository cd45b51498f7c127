// SPDX-License-Identifier: MIT
//! Derives how an instruction changes the interrupt masks (CPSR.I, and the priority mask of a
//! GICv2: IHI 0048B, 4.4.2) from its code and the code before it.

use crate::decode::{bit, field, register};
use crate::stack::immediate;
use ticklab_isa::{Class, Flow, Instruction, Register};
use ticklab_processor::{Mask, MaskEffect, Preceding};

/// CPSR.I, in MSR of an immediate and in CPS (B1.3.3).
const I: u32 = 1 << 7;

/// The offset of the priority mask in the page of the GIC's interface to the processor.
const PRIORITY_MASK: u32 = 0x004;
/// The end of device addresses on the machines that Ticklab knows. Addresses above are memory.
const DEVICES_END: u32 = 0x4000_0000;
/// The value of the priority mask that masks no priority.
const NO_PRIORITY_MASKED: u32 = 0xFF;

/// How many instructions before a store are searched for the constants in the store's registers.
const REACH: usize = 12;

/// Returns the effect of an A32 instruction. A return from an exception restores CPSR.
pub fn effect(instruction: &Instruction, word: u32, preceding: Preceding) -> Option<MaskEffect> {
    let all = Mask::ALL_INTERRUPTS;
    match instruction.class {
        _ if instruction.flow == Flow::ExceptionReturn => Some(MaskEffect::Restore(all)),
        Class::ChangeState => change_state(field(word, 18, 2), word & I != 0),
        Class::StatusRegister if is_cpsr_access(word) => match (bit(word, 25), bit(word, 21)) {
            (true, _) => Some(match immediate(word) as u32 & I {
                0 => MaskEffect::Unmask(all),
                _ => MaskEffect::Mask(all),
            }),
            (false, true) => Some(MaskEffect::Restore(all)),
            (false, false) => Some(MaskEffect::Save(all)),
        },
        Class::Store => priority_mask(instruction, word, preceding),
        _ => None,
    }
}

/// Returns the effect of a T32 instruction: CPS only.
pub fn thumb_effect(instruction: &Instruction, code: u32) -> Option<MaskEffect> {
    match (instruction.class, instruction.flow, instruction.size) {
        (_, Flow::ExceptionReturn, _) => Some(MaskEffect::Restore(Mask::ALL_INTERRUPTS)),
        (Class::ChangeState, _, 2) => change_state(2 | field(code, 4, 1), bit(code, 1)),
        (Class::ChangeState, ..) => change_state(field(code, 9, 2), bit(code, 6)),
        _ => None,
    }
}

/// CPSIE is 0b10 and CPSID 0b11; 0b00 changes only the mode.
fn change_state(operation: u32, has_i: bool) -> Option<MaskEffect> {
    match (operation, has_i) {
        (0b10, true) => Some(MaskEffect::Unmask(Mask::ALL_INTERRUPTS)),
        (0b11, true) => Some(MaskEffect::Mask(Mask::ALL_INTERRUPTS)),
        _ => None,
    }
}

/// Returns whether a status instruction of A32 is MRS of CPSR, or MSR of the control field of CPSR
/// (B9.3.9, B9.3.11).
fn is_cpsr_access(word: u32) -> bool {
    let (is_spsr, is_banked) = (bit(word, 22), !bit(word, 25) && bit(word, 9));
    let (is_system, writes) = (field(word, 26, 2) != 0, bit(word, 21));
    !is_system && !is_spsr && !is_banked && (!writes || bit(word, 16))
}

/// Returns the effect of a store to the priority mask, if constants determine its address.
fn priority_mask(instruction: &Instruction, word: u32, preceding: Preceding) -> Option<MaskEffect> {
    let is_plain = field(word, 20, 8) == 0b0101_1000;
    let offset = field(word, 0, 12);
    let base = is_plain.then(|| constant(register(word, 16), instruction, preceding))??;
    let address = base.wrapping_add(offset);
    let is_priority_mask = address & 0xFFF == PRIORITY_MASK && address < DEVICES_END;
    if !is_priority_mask {
        return None;
    }
    Some(match constant(register(word, 12), instruction, preceding) {
        Some(NO_PRIORITY_MASKED) => MaskEffect::Unmask(Mask::BASEPRI),
        Some(_) => MaskEffect::Mask(Mask::BASEPRI),
        None => MaskEffect::Unknown(Mask::BASEPRI),
    })
}

/// Returns the constant in `register` at `instruction`. Searches the straight-line code before it
/// for a move of a constant, or for a comparison that lets execution continue only if the register
/// equals a constant.
fn constant(register: Register, instruction: &Instruction, preceding: Preceding) -> Option<u32> {
    let (mut end, mut high, mut is_equal) = (instruction.address, None, false);
    for _ in 0..REACH {
        let (before, bytes) = preceding(end)?;
        end = before.address;
        let word = crate::decode::word(bytes);
        is_equal |= before.is_branch() && field(word, 28, 4) == NOT_EQUAL;
        if is_equal && is_comparison(word, register) {
            return Some(high.unwrap_or(0) | immediate(word) as u32 & 0xFFFF);
        }
        if !before.results.contains(register) {
            continue;
        }
        let wide = field(word, 16, 4) << 12 | field(word, 0, 12);
        match field(word, 20, 8) {
            0x34 => high = high.or(Some(wide << 16)),
            0x30 => return Some(high.unwrap_or(0) | wide),
            0x3A => return Some(high.unwrap_or(0) | immediate(word) as u32),
            0x3E => return Some(high.unwrap_or(0) | !(immediate(word) as u32)),
            _ => return None,
        }
    }
    None
}

/// The condition NE (A8.3).
const NOT_EQUAL: u32 = 0b0001;

/// Returns whether an instruction compares `register` with an immediate.
fn is_comparison(word: u32, register: Register) -> bool {
    field(word, 20, 12) == 0xE35 && field(word, 16, 4) == u32::from(register.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode_arm;

    /// Returns the effect of the last of these instructions, given those before it.
    fn last(words: &[u32]) -> Option<MaskEffect> {
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let block = decode_arm(0, &code);
        let preceding = |end: u32| {
            let index = (end as usize / 4).checked_sub(1)?;
            Some((&block[index], &code[4 * index..4 * index + 4]))
        };
        effect(block.last()?, *words.last()?, &preceding)
    }

    #[test]
    fn cpsr_masks_and_unmasks() {
        let all = Mask::ALL_INTERRUPTS;
        for (word, expected) in [
            (0xF10C_0080, Some(MaskEffect::Mask(all))),    // CPSID i
            (0xF108_0080, Some(MaskEffect::Unmask(all))),  // CPSIE i
            (0xF102_001F, None),                           // CPS #31
            (0xE10F_3000, Some(MaskEffect::Save(all))),    // MRS R3, CPSR
            (0xE14F_E000, None),                           // MRS LR, SPSR
            (0xE121_F003, Some(MaskEffect::Restore(all))), // MSR CPSR_c, R3
            (0xE328_F000, None),                           // MSR CPSR_f, #0
            (0xE321_F0D3, Some(MaskEffect::Mask(all))),    // MSR CPSR_c, #0xD3
            (0xE16F_F00E, None),                           // MSR SPSR_cxsf, LR
            (0xEE07_0F9A, None),                           // MCR p15, 0, R0, c7, c10, 4
        ] {
            assert_eq!(last(&[word]), expected, "{word:#x}");
        }
    }

    #[test]
    fn the_priority_mask_masks_and_unmasks() {
        // MOVW R3, #4; MOVT R3, #0x801; MOV R2, #144 or MVN R2, #0 …; STR R2, [R3].
        let store = |value: u32| last(&[0xE300_3004, 0xE340_3801, value, 0xE583_2000]);
        assert_eq!(store(0xE3A0_2090), Some(MaskEffect::Mask(Mask::BASEPRI)));
        assert_eq!(store(0xE3A0_20FF), Some(MaskEffect::Unmask(Mask::BASEPRI)));
        assert_eq!(store(0xE591_2000), Some(MaskEffect::Unknown(Mask::BASEPRI)));
        // CMP R3, #0; BXNE LR; MOVT R3, #0x801; MOV R2, #255; STR R2, [R3, #4].
        let after = [
            0xE353_0000,
            0x112F_FF1E,
            0xE340_3801,
            0xE3A0_20FF,
            0xE583_2004,
        ];
        assert_eq!(last(&after), Some(MaskEffect::Unmask(Mask::BASEPRI)));
        // A variable at 0x40400004.
        let variable = [0xE300_3004, 0xE344_3040, 0xE3A0_2001, 0xE583_2000];
        assert_eq!(last(&variable), None);
        // STR R2, [R3, #4] is another register.
        assert_eq!(last(&[0xE300_3004, 0xE340_3801, 0xE583_2004]), None);
    }

    #[test]
    fn narrow_cps() {
        let of = |code: u32| {
            let block = crate::decode_thumb(0, &(code as u16).to_le_bytes(), 0);
            thumb_effect(&block[0], code)
        };
        assert_eq!(of(0xB672), Some(MaskEffect::Mask(Mask::ALL_INTERRUPTS)));
        assert_eq!(of(0xB662), Some(MaskEffect::Unmask(Mask::ALL_INTERRUPTS)));
    }
}
