// SPDX-License-Identifier: MIT
//! Decodes the instructions of the floating-point unit (DDI 0403E, A6.4 to A6.7).
//!
//! Floating-point registers are not distinguished, because no cycle rule depends on the register.

use super::bits::{bit, field, register};
use super::Extensions;
use crate::register;
use ticklab_isa::{Class, Instruction};

/// Coprocessors 10 and 11 are the floating-point unit. No core here has another coprocessor.
pub(super) fn decode(first: u32, second: u32, extensions: Extensions) -> Instruction {
    let is_float = matches!(field(second, 8, 4), 0b1010 | 0b1011);
    match (field(first, 8, 4), bit(second, 4)) {
        _ if !is_float => Instruction::undefined(),
        (0b1100 | 0b1101, _) if !is_unconditional(first) => load_store_or_pair(first, second),
        (0b1110, _) if is_unconditional(first) => fpv5(first, second, extensions),
        (0b1110, false) => arithmetic(first, second, extensions),
        (0b1110, true) => transfer(first, second),
        _ => Instruction::undefined(),
    }
}

/// Decodes by the bits P, U and W of the addressing mode. If all are clear, the instruction moves
/// two core registers (A6.5, A6.7).
fn load_store_or_pair(first: u32, second: u32) -> Instruction {
    let mode = (bit(first, 8), bit(first, 7), bit(first, 5));
    match mode {
        (false, false, false) if bit(first, 6) && is_pair(second) => pair(first, second),
        (true, _, false) => access(first, if is_double(second) { 2 } else { 1 }),
        (false, true, _) | (true, false, true) => access(first, field(second, 0, 8) as u8),
        _ => Instruction::undefined(),
    }
}

fn is_double(second: u32) -> bool {
    bit(second, 8)
}

/// Decodes VLDR, VLDM, VSTR and VSTM of `words`. A list of doubles is encoded as its number of
/// words.
fn access(first: u32, words: u8) -> Instruction {
    let base = register(first, 0);
    let class = if bit(first, 4) {
        Class::FloatLoad
    } else {
        Class::FloatStore
    };
    let access = Instruction::new(class).at(base);
    let access = if bit(first, 4) {
        access.reading(words)
    } else {
        access.writing(words)
    };
    if bit(first, 5) {
        access.to(base)
    } else {
        access
    }
}

/// Returns whether the instruction is VMOV of a pair and not another transfer of two registers.
fn is_pair(second: u32) -> bool {
    field(second, 4, 4) & 0b1101 == 0b0001
}

fn pair(first: u32, second: u32) -> Instruction {
    let core = register(second, 12) | register(first, 0);
    let move_pair = Instruction::new(Class::FloatMovePair);
    if bit(first, 4) {
        move_pair.to(core)
    } else {
        move_pair.from(core)
    }
}

/// Returns whether the encoding is one that exists only without a condition (0xFC00 to 0xFFFF);
/// Armv7E-M with FPv4 leaves these undefined.
fn is_unconditional(first: u32) -> bool {
    bit(first, 12)
}

/// Decodes VSEL, VMAXNM, VMINNM, VRINT and VCVT with a rounding mode (DDI 0403E, A6.4.1), which
/// FPv5 adds.
fn fpv5(first: u32, second: u32, extensions: Extensions) -> Instruction {
    let is_known = match (field(first, 7, 1), field(first, 4, 2), field(second, 4, 4)) {
        _ if !extensions.fpv5 || (is_double(second) && !extensions.double) => false,
        (0, _, operation) => operation & 0b0101 == 0b0000,
        (1, 0b00, operation) => operation & 0b0001 == 0b0000,
        (1, 0b11, operation) if bit(first, 3) => operation & 0b0101 == 0b0100,
        _ => false,
    };
    if is_known {
        Instruction::new(Class::Float)
    } else {
        Instruction::undefined()
    }
}

/// Decodes arithmetic (A6.4).
fn arithmetic(first: u32, second: u32, extensions: Extensions) -> Instruction {
    if is_double(second) && !extensions.double {
        return Instruction::undefined();
    }
    let class = match (field(first, 4, 4) & 0b1011, bit(second, 6)) {
        (0b0000 | 0b0001 | 0b1001 | 0b1010, _) => Class::FloatMultiplyAccumulate,
        (0b0010 | 0b0011, _) => Class::Float,
        (0b1000, false) => Class::FloatDivide,
        (0b1011, false) => Class::FloatMove, // VMOV of an immediate
        (0b1011, true) => return unary(first, second, extensions),
        _ => return Instruction::undefined(),
    };
    Instruction::new(class)
}

/// Decodes the operations with one operand, which differ in bits 3:0 and in bit 7 of the second
/// half.
fn unary(first: u32, second: u32, extensions: Extensions) -> Instruction {
    let class = match (field(first, 0, 4), bit(second, 7)) {
        (0b0000, false) => Class::FloatMove,
        (0b0001, true) => Class::FloatDivide,           // VSQRT
        (0b0110, _) if extensions.fpv5 => Class::Float, // VRINTR, VRINTZ
        (0b0110 | 0b1001, _) => return Instruction::undefined(),
        _ => Class::Float,
    };
    Instruction::new(class)
}

/// Decodes the transfer of one word between a core register and the unit (A6.6): VMOV to or from a
/// single or half a double, VMRS, VMSR.
fn transfer(first: u32, second: u32) -> Instruction {
    let core = register(second, 12);
    let single = !is_double(second) && field(first, 5, 3) == 0b000;
    let class = if single {
        Class::FloatMoveCore
    } else {
        Class::FloatMove
    };
    let transfer = Instruction::new(class);
    match (bit(first, 4), core) {
        _ if !is_transfer(first, second) => Instruction::undefined(),
        (false, _) => transfer.from(core),
        (true, register::PC) => transfer, // VMRS APSR_nzcv, FPSCR
        (true, _) => transfer.to(core),
    }
}

fn is_transfer(first: u32, second: u32) -> bool {
    let operation = field(first, 5, 3);
    if is_double(second) {
        operation <= 0b001 && field(second, 5, 2) == 0
    } else {
        operation == 0b000 || operation == 0b111
    }
}
