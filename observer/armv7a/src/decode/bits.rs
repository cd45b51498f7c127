// SPDX-License-Identifier: MIT
//! Extracts fields of 32-bit encodings.

use ticklab_isa::{Register, Registers};

/// Returns `width` bits of `word` from bit `low`.
pub fn field(word: u32, low: u32, width: u32) -> u32 {
    word >> low & ((1 << width) - 1)
}

pub fn bit(word: u32, index: u32) -> bool {
    word >> index & 1 == 1
}

/// Returns the register whose number is at bits `low` to `low` + 3.
pub fn register(word: u32, low: u32) -> Register {
    Register(field(word, low, 4) as u8)
}

/// Returns the registers of the list in bits 0 to 15.
pub fn list(word: u32) -> Registers {
    Registers(word & 0xFFFF)
}

/// Returns the lowest `width` bits of `value` as a signed number.
pub fn sign_extend(value: u32, width: u32) -> u32 {
    let unused = 32 - width;
    ((value << unused) as i32 >> unused) as u32
}
