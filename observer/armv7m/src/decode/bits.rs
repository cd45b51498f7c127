// SPDX-License-Identifier: MIT
//! Extracts fields of an encoding.

use ticklab_isa::{Register, Registers};

/// Returns the `width` bits of `half` from bit `low` upwards.
pub(super) fn field(half: u32, low: u32, width: u32) -> u32 {
    half >> low & ((1 << width) - 1)
}

pub(super) fn bit(half: u32, index: u32) -> bool {
    field(half, index, 1) == 1
}

/// Returns the low register (R0 … R7) in the three bits from `low` upwards.
pub(super) fn low_register(half: u32, low: u32) -> Register {
    Register(field(half, low, 3) as u8)
}

/// Returns the register in the four bits from `low` upwards.
pub(super) fn register(half: u32, low: u32) -> Register {
    Register(field(half, low, 4) as u8)
}

/// Returns the register list in the low `width` bits.
pub(super) fn list(half: u32, width: u32) -> Registers {
    Registers(field(half, 0, width))
}

/// Extends `value`, a two's complement number of `width` bits, to 32 bits.
pub(super) fn sign_extend(value: u32, width: u32) -> u32 {
    ((value << (32 - width)) as i32 >> (32 - width)) as u32
}
