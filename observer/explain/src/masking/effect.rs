// SPDX-License-Identifier: MIT
//! What an instruction does to the processor's masks, as its code and that in front of it tell; the
//! code of Armv7-M.

use crate::code::Place;
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

    /// By the number of a special register (DDI 0403E, B5.1.1).
    fn of_special(number: u16) -> Option<Mask> {
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
    /// Writes what was read before, by this function or by who called it.
    Restore(Mask),
    /// Writes what the code does not tell.
    Unknown(Mask),
    /// Keeps the scheduler from switching tasks; nests.
    Suspend,
    /// Lets it switch again.
    Resume,
    /// Writes something to CONTROL that is not 0: thread mode perhaps goes on with another stack.
    Stack,
}

/// What a register holds.
enum Value {
    Zero,
    NotZero,
    /// From memory, a mask, or the caller.
    Kept,
    Computed,
}

/// How far in front of a write to a mask its value is looked for.
const REACH: usize = 12;

pub fn classify(
    instruction: &Instruction,
    bytes: &[u8],
    places: &BTreeMap<u32, Place>,
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
        Class::StatusRegister => status(instruction, first, half(bytes, 2), places),
        _ => None,
    }
}

/// MRS and MSR (B5.2.2, B5.2.3).
fn status(
    instruction: &Instruction,
    first: u16,
    second: u16,
    places: &BTreeMap<u32, Place>,
) -> Option<Effect> {
    let special = second & 0xFF;
    if first & 0xFFE0 != 0xF380 {
        return Mask::of_special(special).map(Effect::Save);
    }
    let value = value(Register((first & 0xF) as u8), instruction.address, places);
    if special == CONTROL {
        return matches!(value, Value::NotZero).then_some(Effect::Stack);
    }
    let mask = Mask::of_special(special)?;
    Some(match value {
        // In an IT block: perhaps it does, perhaps not.
        _ if instruction.conditional => Effect::Unknown(mask),
        // Writing 0 to BASEPRI_MAX does nothing (B5.2.3); who writes it means to mask.
        _ if special == BASEPRI_MAX => Effect::Mask(mask),
        Value::Zero => Effect::Unmask(mask),
        Value::NotZero => Effect::Mask(mask),
        Value::Kept => Effect::Restore(mask),
        Value::Computed => Effect::Unknown(mask),
    })
}

/// What `register` holds in front of `address`, by the straight-line code there.
fn value(register: Register, address: u32, places: &BTreeMap<u32, Place>) -> Value {
    let mut behind = address;
    for _ in 0..REACH {
        let Some(place) = in_front(behind, places) else {
            break;
        };
        if is_branch_if_not_zero(place, register) {
            return Value::Zero;
        }
        if place.instruction.results.contains(register) {
            return written(place, register, places);
        }
        behind = place.instruction.address;
    }
    Value::Kept
}

fn written(place: &Place, register: Register, places: &BTreeMap<u32, Place>) -> Value {
    let (first, second) = (half(&place.bytes, 0), half(&place.bytes, 2));
    if let Some(is_zero) = moved_immediate(first, second, place.bytes.len()) {
        return if is_zero { Value::Zero } else { Value::NotZero };
    }
    // MOV of a register, T1 (A7.7.77).
    if first & 0xFF00 == 0x4600 {
        let source = Register((first >> 3 & 0xF) as u8);
        return value(source, place.instruction.address, places);
    }
    // A call returns it.
    let is_kept = matches!(place.instruction.class, Class::Load | Class::LoadMultiple)
        || place.instruction.class == Class::StatusRegister
        || place.instruction.is_branch();
    match is_kept || register == register::LR {
        true => Value::Kept,
        false => Value::Computed,
    }
}

/// MOV and MVN of an immediate (A7.7.76, A7.7.85): whether that is 0.
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

/// CBNZ (A7.7.21): what follows has 0 in the register.
fn is_branch_if_not_zero(place: &Place, register: Register) -> bool {
    let first = half(&place.bytes, 0);
    place.bytes.len() == 2 && first & 0xFD00 == 0xB900 && first & 7 == u16::from(register.0)
}

fn in_front(address: u32, places: &BTreeMap<u32, Place>) -> Option<&Place> {
    let (_, place) = places.range(..address).next_back()?;
    (place.instruction.end() == address).then_some(place)
}

fn half(bytes: &[u8], offset: usize) -> u16 {
    bytes
        .get(offset..offset + 2)
        .map_or(0, |half| u16::from_le_bytes([half[0], half[1]]))
}
