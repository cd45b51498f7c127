// SPDX-License-Identifier: MIT
//! Extracts and composes fields of 32-bit instructions (unprivileged specification, 2.2 and 2.3).

use ticklab_isa::Register;

pub const LOAD: u32 = 0x03;
pub const MISC_MEM: u32 = 0x0F;
pub const OP_IMM: u32 = 0x13;
pub const AUIPC: u32 = 0x17;
pub const STORE: u32 = 0x23;
pub const OP: u32 = 0x33;
pub const LUI: u32 = 0x37;
pub const BRANCH: u32 = 0x63;
pub const JALR: u32 = 0x67;
pub const JAL: u32 = 0x6F;
pub const SYSTEM: u32 = 0x73;

/// Returns the `width` bits of `word` from bit `low` upwards.
pub fn field(word: u32, low: u32, width: u32) -> u32 {
    word >> low & ((1 << width) - 1)
}

/// Returns the `width` bits of `word` from bit `low` upwards as a two's complement number.
pub fn signed(word: u32, low: u32, width: u32) -> u32 {
    let top = 32 - width;
    ((word >> low << top) as i32 >> top) as u32
}

pub fn opcode(word: u32) -> u32 {
    field(word, 0, 7)
}

pub fn function(word: u32) -> u32 {
    field(word, 12, 3)
}

pub fn rd(word: u32) -> Register {
    Register(field(word, 7, 5) as u8)
}

pub fn rs1(word: u32) -> Register {
    Register(field(word, 15, 5) as u8)
}

pub fn rs2(word: u32) -> Register {
    Register(field(word, 20, 5) as u8)
}

pub fn immediate_i(word: u32) -> u32 {
    signed(word, 20, 12)
}

pub fn immediate_s(word: u32) -> u32 {
    signed(word, 25, 7) << 5 | field(word, 7, 5)
}

pub fn immediate_b(word: u32) -> u32 {
    signed(word, 31, 1) << 12
        | field(word, 7, 1) << 11
        | field(word, 25, 6) << 5
        | field(word, 8, 4) << 1
}

pub fn immediate_u(word: u32) -> u32 {
    word & 0xFFFF_F000
}

pub fn immediate_j(word: u32) -> u32 {
    signed(word, 31, 1) << 20
        | field(word, 12, 8) << 12
        | field(word, 20, 1) << 11
        | field(word, 21, 10) << 1
}

pub fn r_type(opcode: u32, function: u32, upper: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    upper << 25 | rs2 << 20 | rs1 << 15 | function << 12 | rd << 7 | opcode
}

pub fn i_type(opcode: u32, function: u32, rd: u32, rs1: u32, immediate: u32) -> u32 {
    field(immediate, 0, 12) << 20 | rs1 << 15 | function << 12 | rd << 7 | opcode
}

pub fn s_type(function: u32, rs1: u32, rs2: u32, immediate: u32) -> u32 {
    r_type(
        STORE,
        function,
        field(immediate, 5, 7),
        field(immediate, 0, 5),
        rs1,
        rs2,
    )
}

pub fn b_type(function: u32, rs1: u32, offset: u32) -> u32 {
    field(offset, 12, 1) << 31
        | field(offset, 5, 6) << 25
        | rs1 << 15
        | function << 12
        | field(offset, 1, 4) << 8
        | field(offset, 11, 1) << 7
        | BRANCH
}

pub fn j_type(rd: u32, offset: u32) -> u32 {
    field(offset, 20, 1) << 31
        | field(offset, 1, 10) << 21
        | field(offset, 11, 1) << 20
        | field(offset, 12, 8) << 12
        | rd << 7
        | JAL
}
