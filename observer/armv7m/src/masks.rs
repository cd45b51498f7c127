// SPDX-License-Identifier: MIT
//! Derives the effect of an Armv7-M instruction on the processor's interrupt masks from its code
//! and the code before it.

use crate::register;
use ticklab_isa::{Class, Instruction, Register};
use ticklab_processor::{Mask, MaskEffect, Preceding};

/// Returns the mask with the number of a special register (DDI 0403E, B5.1.1).
fn mask(special: u16) -> Option<Mask> {
    match special {
        16 => Some(Mask::ALL_INTERRUPTS),
        17 | BASEPRI_MAX => Some(Mask::BASEPRI),
        19 => Some(Mask::FAULTMASK),
        _ => None,
    }
}

const BASEPRI_MAX: u16 = 18;
const CONTROL: u16 = 20;

/// Where the value in a register comes from.
enum Value {
    Zero,
    NotZero,
    /// A value that was read earlier: from memory or from a mask, or passed by the caller.
    Kept,
    Computed,
}

/// How many instructions before a write to a mask are searched for the origin of the written value.
const REACH: usize = 12;

/// Returns the effect of an instruction on the masks.
pub fn effect(instruction: &Instruction, bytes: &[u8], preceding: Preceding) -> Option<MaskEffect> {
    let first = half(bytes, 0);
    match instruction.class {
        // CPSIE and CPSID (A7.7.29 with B5.2.1): bit 4 disables, bit 1 is PRIMASK.
        Class::ChangeState => {
            let mask = if first & 2 != 0 {
                Mask::ALL_INTERRUPTS
            } else {
                Mask::FAULTMASK
            };
            let masks = first & 0x10 != 0;
            Some(if masks {
                MaskEffect::Mask(mask)
            } else {
                MaskEffect::Unmask(mask)
            })
        }
        Class::StatusRegister => status(instruction, first, half(bytes, 2), preceding),
        _ => None,
    }
}

/// Classifies MRS and MSR (B5.2.2, B5.2.3).
fn status(
    instruction: &Instruction,
    first: u16,
    second: u16,
    preceding: Preceding,
) -> Option<MaskEffect> {
    let special = second & 0xFF;
    if first & 0xFFE0 != 0xF380 {
        return mask(special).map(MaskEffect::Save);
    }
    let value = value(
        Register((first & 0xF) as u8),
        instruction.address,
        preceding,
    );
    if special == CONTROL {
        let is_other = matches!(value, Value::NotZero)
            || preceding(instruction.address)
                .is_some_and(|(_, bytes)| selects_process_stack(bytes));
        return is_other.then_some(MaskEffect::Stack);
    }
    let mask = mask(special)?;
    Some(match value {
        // An instruction in an IT block may be skipped.
        _ if instruction.conditional => MaskEffect::Unknown(mask),
        // A write of 0 to BASEPRI_MAX has no effect (B5.2.3), so a write to it is meant to mask.
        _ if special == BASEPRI_MAX => MaskEffect::Mask(mask),
        Value::Zero => MaskEffect::Unmask(mask),
        Value::NotZero => MaskEffect::Mask(mask),
        Value::Kept => MaskEffect::Restore(mask),
        Value::Computed => MaskEffect::Unknown(mask),
    })
}

/// Returns whether the instruction is ORR of a register and 2, which is CONTROL.SPSEL (A7.7.91).
fn selects_process_stack(bytes: &[u8]) -> bool {
    bytes.len() == 4 && half(bytes, 0) & 0xFFE0 == 0xF040 && half(bytes, 2) & 0xF0FF == 2
}

/// Returns the origin of the value in `register` before `address`, by the straight-line code there.
fn value(register: Register, address: u32, preceding: Preceding) -> Value {
    let mut end = address;
    for _ in 0..REACH {
        let Some((before, bytes)) = preceding(end) else {
            break;
        };
        if is_branch_if_not_zero(bytes, register) {
            return Value::Zero;
        }
        if before.results.contains(register) {
            return written(before, bytes, register, preceding);
        }
        end = before.address;
    }
    Value::Kept
}

fn written(
    instruction: &Instruction,
    bytes: &[u8],
    register: Register,
    preceding: Preceding,
) -> Value {
    let (first, second) = (half(bytes, 0), half(bytes, 2));
    if let Some(is_zero) = moved_immediate(first, second, bytes.len()) {
        return if is_zero { Value::Zero } else { Value::NotZero };
    }
    // MOV of a register, T1 (A7.7.77).
    if first & 0xFF00 == 0x4600 {
        let source = Register((first >> 3 & 0xF) as u8);
        return value(source, instruction.address, preceding);
    }
    // A function's result or a loaded value is taken to be a mask that was read earlier.
    let is_kept = matches!(instruction.class, Class::Load | Class::LoadMultiple)
        || instruction.class == Class::StatusRegister
        || instruction.is_branch();
    match is_kept || register == register::LR {
        true => Value::Kept,
        false => Value::Computed,
    }
}

/// Returns whether MOV or MVN of an immediate moves 0, or `None` for other instructions (A7.7.76,
/// A7.7.85).
fn moved_immediate(first: u16, second: u16, size: usize) -> Option<bool> {
    let low = second & 0x70FF;
    match size {
        2 if first & 0xF800 == 0x2000 => Some(first & 0xFF == 0),
        4 if first & 0xFBEF == 0xF04F => Some(first & 0x0400 == 0 && low == 0),
        4 if first & 0xFBF0 == 0xF240 => Some(first & 0x040F == 0 && low == 0),
        4 if first & 0xFBEF == 0xF06F => Some(false),
        _ => None,
    }
}

/// Returns whether the instruction is CBNZ of `register`, which is therefore 0 after it (A7.7.21).
fn is_branch_if_not_zero(bytes: &[u8], register: Register) -> bool {
    let first = half(bytes, 0);
    bytes.len() == 2 && first & 0xFD00 == 0xB900 && first & 7 == u16::from(register.0)
}

fn half(bytes: &[u8], offset: usize) -> u16 {
    bytes
        .get(offset..offset + 2)
        .map_or(0, |half| u16::from_le_bytes([half[0], half[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode_block;

    #[test]
    fn a_conditional_write_has_an_unknown_effect() {
        // IT EQ; MSREQ BASEPRI, R3.
        let block = decode_block(0, &[0x08, 0xBF, 0x83, 0xF3, 0x11, 0x88]);
        let effect = effect(&block[1], &[0x83, 0xF3, 0x11, 0x88], &|_| None);
        assert!(matches!(effect, Some(MaskEffect::Unknown(_))), "{effect:?}");
    }

    #[test]
    fn only_the_bit_of_the_process_stack_selects_it() {
        assert!(selects_process_stack(&[0x51, 0xF0, 0x02, 0x01])); // ORRS R1, R1, #2
        assert!(!selects_process_stack(&[0x41, 0xF0, 0x01, 0x01])); // ORR R1, R1, #1
    }
}
