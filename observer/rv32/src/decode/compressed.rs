// SPDX-License-Identifier: MIT
//! Expands a compressed instruction to the 32-bit instruction with the same meaning (unprivileged
//! specification, 16.3 to 16.8).

use super::encode::*;

/// Returns the 32-bit instruction, or `None` if the encoding is reserved or belongs to an extension
/// outside RV32IMC.
pub fn expand(half: u16) -> Option<u32> {
    let half = u32::from(half);
    match (field(half, 0, 2), field(half, 13, 3)) {
        (0b00, function) => low_registers(half, function),
        (0b01, function) => immediates(half, function),
        (0b10, function) => any_registers(half, function),
        _ => None,
    }
}

const SP: u32 = 2;
/// Values of the field funct3 in 32-bit instructions: for arithmetic (unprivileged specification,
/// chapter 24, table 24.2), LW and SW.
const ADD: u32 = 0;
const SLL: u32 = 1;
const XOR: u32 = 4;
const SR: u32 = 5;
const OR: u32 = 6;
const AND: u32 = 7;
const WORD: u32 = 2;

/// Returns one of the registers x8 to x15 from three bits.
fn low(half: u32, at: u32) -> u32 {
    8 + field(half, at, 3)
}

/// Collects bits of `half`. Each entry of `runs` describes adjacent bits: the lowest bit, their
/// number, and their position in the result.
fn gather(half: u32, runs: &[(u32, u32, u32)]) -> u32 {
    runs.iter()
        .map(|&(from, width, to)| field(half, from, width) << to)
        .sum()
}

fn low_registers(half: u32, function: u32) -> Option<u32> {
    let offset = gather(half, &[(10, 3, 3), (6, 1, 2), (5, 1, 6)]);
    match function {
        0b000 => {
            let offset = gather(half, &[(11, 2, 4), (7, 4, 6), (6, 1, 2), (5, 1, 3)]);
            (offset != 0).then(|| i_type(OP_IMM, ADD, low(half, 2), SP, offset))
        }
        0b010 => Some(i_type(LOAD, WORD, low(half, 2), low(half, 7), offset)),
        0b110 => Some(s_type(WORD, low(half, 7), low(half, 2), offset)),
        _ => None,
    }
}

fn immediates(half: u32, function: u32) -> Option<u32> {
    let rd = field(half, 7, 5);
    let immediate = signed(half, 12, 1) << 5 | field(half, 2, 5);
    match function {
        0b000 => Some(i_type(OP_IMM, ADD, rd, rd, immediate)),
        0b001 => Some(j_type(1, jump_offset(half))),
        0b010 => Some(i_type(OP_IMM, ADD, rd, 0, immediate)),
        0b011 => upper(half, rd, immediate),
        0b100 => arithmetic(half, immediate),
        0b101 => Some(j_type(0, jump_offset(half))),
        _ => Some(b_type(function & 1, low(half, 7), branch_offset(half))),
    }
}

/// Expands C.ADDI16SP and C.LUI.
fn upper(half: u32, rd: u32, immediate: u32) -> Option<u32> {
    if immediate == 0 {
        return None;
    }
    if rd != SP {
        return Some(immediate << 12 | rd << 7 | LUI);
    }
    let offset = gather(half, &[(6, 1, 4), (5, 1, 6), (3, 2, 7), (2, 1, 5)]);
    Some(i_type(
        OP_IMM,
        ADD,
        SP,
        SP,
        signed(half, 12, 1) << 9 | offset,
    ))
}

fn arithmetic(half: u32, immediate: u32) -> Option<u32> {
    let (rd, rs2) = (low(half, 7), low(half, 2));
    let register = |function, upper| Some(r_type(OP, function, upper, rd, rd, rs2));
    match (field(half, 10, 2), field(half, 12, 1), field(half, 5, 2)) {
        (0b00, 0, _) => Some(i_type(OP_IMM, SR, rd, rd, immediate)),
        (0b01, 0, _) => Some(i_type(OP_IMM, SR, rd, rd, immediate | 0x400)),
        (0b10, _, _) => Some(i_type(OP_IMM, AND, rd, rd, immediate)),
        (0b11, 0, 0b00) => register(ADD, 0x20),
        (0b11, 0, 0b01) => register(XOR, 0),
        (0b11, 0, 0b10) => register(OR, 0),
        (0b11, 0, 0b11) => register(AND, 0),
        _ => None,
    }
}

fn jump_offset(half: u32) -> u32 {
    let runs = [
        (11, 1, 4),
        (9, 2, 8),
        (8, 1, 10),
        (7, 1, 6),
        (6, 1, 7),
        (3, 3, 1),
        (2, 1, 5),
    ];
    signed(half, 12, 1) << 11 | gather(half, &runs)
}

fn branch_offset(half: u32) -> u32 {
    let runs = [(10, 2, 3), (5, 2, 6), (3, 2, 1), (2, 1, 5)];
    signed(half, 12, 1) << 8 | gather(half, &runs)
}

fn any_registers(half: u32, function: u32) -> Option<u32> {
    let (rd, rs2) = (field(half, 7, 5), field(half, 2, 5));
    let is_set = field(half, 12, 1) == 1;
    match function {
        0b000 if !is_set => Some(i_type(OP_IMM, SLL, rd, rd, rs2)),
        0b010 if rd != 0 => {
            let offset = gather(half, &[(12, 1, 5), (4, 3, 2), (2, 2, 6)]);
            Some(i_type(LOAD, WORD, rd, SP, offset))
        }
        0b100 => registers(is_set, rd, rs2),
        0b110 => {
            let offset = gather(half, &[(9, 4, 2), (7, 2, 6)]);
            Some(s_type(WORD, SP, rs2, offset))
        }
        _ => None,
    }
}

/// Expands C.JR, C.MV, C.EBREAK, C.JALR and C.ADD.
fn registers(is_set: bool, rd: u32, rs2: u32) -> Option<u32> {
    match (is_set, rd, rs2) {
        (false, 0, 0) => None,
        (false, _, 0) => Some(i_type(JALR, 0, 0, rd, 0)),
        (false, ..) => Some(r_type(OP, ADD, 0, rd, 0, rs2)),
        (true, 0, 0) => Some(i_type(SYSTEM, 0, 0, 0, 1)),
        (true, _, 0) => Some(i_type(JALR, 0, 1, rd, 0)),
        (true, ..) => Some(r_type(OP, ADD, 0, rd, rd, rs2)),
    }
}
