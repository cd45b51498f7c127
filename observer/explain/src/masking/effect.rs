// SPDX-License-Identifier: MIT
//! Derives the effect of an Armv7-M instruction on the processor's interrupt masks from its code
//! and the code before it.

use crate::code::InstructionInfo;
use std::collections::BTreeMap;
use ticklab_armv7m::register;
use ticklab_isa::{Class, Instruction, Register};

/// PRIMASK or mstatus.MIE, BASEPRI, FAULTMASK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask(pub usize);

impl Mask {
    pub const ALL: usize = 3;
    pub const ALL_INTERRUPTS: Mask = Mask(0);
    const BASEPRI: Mask = Mask(1);
    pub const FAULTMASK: Mask = Mask(2);

    /// Returns the mask with the number of a special register (DDI 0403E, B5.1.1).
    fn from_special(number: u16) -> Option<Mask> {
        match number {
            16 => Some(Mask::ALL_INTERRUPTS),
            17 | BASEPRI_MAX => Some(Mask::BASEPRI),
            19 => Some(Mask::FAULTMASK),
            _ => None,
        }
    }
}

const BASEPRI_MAX: u16 = 18;
const CONTROL: u16 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Mask(Mask),
    Unmask(Mask),
    /// Reads a mask, to restore it later.
    Save(Mask),
    /// Writes a value that this function or its caller read before.
    Restore(Mask),
    /// Writes a value that the code does not determine.
    Unknown(Mask),
    /// Suspends task switches of the scheduler; suspensions nest.
    Suspend,
    /// Resumes task switches.
    Resume,
    /// Writes a value other than 0 to CONTROL: thread mode may continue with another stack.
    Stack,
}

/// The origin of a register's value.
enum Value {
    Zero,
    NotZero,
    /// From memory, a mask, or the caller.
    Kept,
    Computed,
}

/// How many instructions before a write to a mask are searched for the origin of its value.
const REACH: usize = 12;

pub fn classify(
    instruction: &Instruction,
    bytes: &[u8],
    instructions: &BTreeMap<u32, InstructionInfo>,
) -> Option<Effect> {
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
                Effect::Mask(mask)
            } else {
                Effect::Unmask(mask)
            })
        }
        Class::StatusRegister => status(instruction, first, half(bytes, 2), instructions),
        _ => None,
    }
}

/// Classifies MRS and MSR (B5.2.2, B5.2.3).
fn status(
    instruction: &Instruction,
    first: u16,
    second: u16,
    instructions: &BTreeMap<u32, InstructionInfo>,
) -> Option<Effect> {
    let special = second & 0xFF;
    if first & 0xFFE0 != 0xF380 {
        return Mask::from_special(special).map(Effect::Save);
    }
    let value = value(
        Register((first & 0xF) as u8),
        instruction.address,
        instructions,
    );
    if special == CONTROL {
        return matches!(value, Value::NotZero).then_some(Effect::Stack);
    }
    let mask = Mask::from_special(special)?;
    Some(match value {
        // An instruction in an IT block may be skipped.
        _ if instruction.conditional => Effect::Unknown(mask),
        // A write of 0 to BASEPRI_MAX has no effect (B5.2.3), so a write to it is meant to mask.
        _ if special == BASEPRI_MAX => Effect::Mask(mask),
        Value::Zero => Effect::Unmask(mask),
        Value::NotZero => Effect::Mask(mask),
        Value::Kept => Effect::Restore(mask),
        Value::Computed => Effect::Unknown(mask),
    })
}

/// Returns the origin of the value in `register` before `address`, by the straight-line code there.
fn value(register: Register, address: u32, instructions: &BTreeMap<u32, InstructionInfo>) -> Value {
    let mut end = address;
    for _ in 0..REACH {
        let Some(info) = preceding(end, instructions) else {
            break;
        };
        if is_branch_if_not_zero(info, register) {
            return Value::Zero;
        }
        if info.instruction.results.contains(register) {
            return written(info, register, instructions);
        }
        end = info.instruction.address;
    }
    Value::Kept
}

fn written(
    info: &InstructionInfo,
    register: Register,
    instructions: &BTreeMap<u32, InstructionInfo>,
) -> Value {
    let (first, second) = (half(&info.bytes, 0), half(&info.bytes, 2));
    if let Some(is_zero) = moved_immediate(first, second, info.bytes.len()) {
        return if is_zero { Value::Zero } else { Value::NotZero };
    }
    // MOV of a register, T1 (A7.7.77).
    if first & 0xFF00 == 0x4600 {
        let source = Register((first >> 3 & 0xF) as u8);
        return value(source, info.instruction.address, instructions);
    }
    // The value returned by a call, or loaded, is one that was kept.
    let is_kept = matches!(info.instruction.class, Class::Load | Class::LoadMultiple)
        || info.instruction.class == Class::StatusRegister
        || info.instruction.is_branch();
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
fn is_branch_if_not_zero(info: &InstructionInfo, register: Register) -> bool {
    let first = half(&info.bytes, 0);
    info.bytes.len() == 2 && first & 0xFD00 == 0xB900 && first & 7 == u16::from(register.0)
}

fn preceding(
    address: u32,
    instructions: &BTreeMap<u32, InstructionInfo>,
) -> Option<&InstructionInfo> {
    let (_, info) = instructions.range(..address).next_back()?;
    (info.instruction.end() == address).then_some(info)
}

fn half(bytes: &[u8], offset: usize) -> u16 {
    bytes
        .get(offset..offset + 2)
        .map_or(0, |half| u16::from_le_bytes([half[0], half[1]]))
}
