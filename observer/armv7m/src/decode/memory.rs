// SPDX-License-Identifier: MIT
//! Decodes 32-bit loads and stores of core registers, and the table branches, which read memory.

use super::bits::{bit, field, list, register};
use crate::register;
use ticklab_isa::{Class, Flow, Instruction, Register, Registers};

/// Decodes LDM, STM, PUSH.W and POP.W (DDI 0403E, A5.3.5): increment after (01) or decrement before
/// (10).
pub(super) fn multiple(first: u32, second: u32) -> Instruction {
    let base = register(first, 0);
    let registers = list(second, 16);
    let (writes_back, loads) = (bit(first, 5), bit(first, 4));
    if !matches!(field(first, 7, 2), 0b01 | 0b10) {
        return Instruction::undefined();
    }
    let count = registers.count();
    let access = if loads {
        jump_if_pc(
            Instruction::new(Class::LoadMultiple)
                .to(registers)
                .reading(count),
        )
    } else {
        Instruction::new(Class::StoreMultiple)
            .from(registers)
            .writing(count)
    };
    write_back(access.at(base), writes_back, base)
}

/// Decodes LDRD, STRD, the exclusive accesses and the table branches (A5.3.6).
pub(super) fn dual_or_exclusive(first: u32, second: u32, pc: u32) -> Instruction {
    let (pre_indexed, writes_back) = (bit(first, 8), bit(first, 5));
    if pre_indexed || writes_back {
        dual(first, second, pc)
    } else if !bit(first, 7) {
        exclusive(
            first,
            register(first, 0),
            register(second, 12),
            register(second, 8),
        )
    } else {
        exclusive_part_or_table(first, second)
    }
}

fn dual(first: u32, second: u32, pc: u32) -> Instruction {
    let base = register(first, 0);
    let data = register(second, 12) | register(second, 8);
    let access = if bit(first, 4) {
        Instruction::new(Class::LoadMultiple).to(data).reading(2)
    } else {
        Instruction::new(Class::StoreMultiple).from(data).writing(2)
    };
    let access = write_back(access.at(base), bit(first, 5), base);
    if bit(first, 4) && base == register::PC {
        access.literal_at(relative(pc, bit(first, 7), field(second, 0, 8) * 4))
    } else {
        access
    }
}

/// Decodes LDREX, or STREX, which writes its status to `status`.
fn exclusive(first: u32, base: Register, data: Register, status: Register) -> Instruction {
    if bit(first, 4) {
        Instruction::new(Class::Load).at(base).to(data).reading(1)
    } else {
        let store = Instruction::new(Class::StoreExclusive).at(base).from(data);
        store.to(status).writing(1)
    }
}

fn exclusive_part_or_table(first: u32, second: u32) -> Instruction {
    let (base, data) = (register(first, 0), register(second, 12));
    match (bit(first, 4), field(second, 4, 4)) {
        (true, 0b0000 | 0b0001) => Instruction::new(Class::TableBranch)
            .at(base | register(second, 0))
            .reading(1)
            .flowing(Flow::IndirectBranch),
        (_, 0b0100 | 0b0101) => exclusive(first, base, data, register(second, 0)),
        _ => Instruction::undefined(),
    }
}

/// Decodes loads and stores of one register, and preload hints (A5.3.7 to A5.3.10).
pub(super) fn single(first: u32, second: u32, pc: u32) -> Instruction {
    let (base, data) = (register(first, 0), register(second, 12));
    let (loads, size) = (bit(first, 4), field(first, 5, 2));
    let is_signed = bit(first, 8);
    if size == 0b11 || (is_signed && (!loads || size == 0b10)) {
        Instruction::undefined()
    } else if loads && base == register::PC {
        let address = relative(pc, bit(first, 7), field(second, 0, 12));
        load(data, size, base.into()).literal_at(address)
    } else if bit(first, 7) {
        access(loads, data, size, base.into(), Class::Store)
    } else if bit(second, 11) {
        indexed_by_immediate(first, second)
    } else if field(second, 6, 6) == 0 {
        let address = base | register(second, 0);
        access(loads, data, size, address, Class::StoreIndexed)
    } else {
        Instruction::undefined()
    }
}

/// Decodes an access with an offset of eight bits: pre-indexed, post-indexed or without write-back
/// (including LDRT and similar instructions).
fn indexed_by_immediate(first: u32, second: u32) -> Instruction {
    let (base, data) = (register(first, 0), register(second, 12));
    let (pre_indexed, writes_back) = (bit(second, 10), bit(second, 8));
    if !pre_indexed && !writes_back {
        return Instruction::undefined();
    }
    let (loads, size) = (bit(first, 4), field(first, 5, 2));
    let access = access(loads, data, size, base.into(), Class::Store);
    write_back(access, writes_back, base)
}

fn access(loads: bool, data: Register, size: u32, address: Registers, store: Class) -> Instruction {
    if loads {
        load(data, size, address)
    } else {
        Instruction::new(store).at(address).from(data).writing(1)
    }
}

/// A load of a word into PC is a jump. The encoding of a smaller load into PC is a preload hint.
fn load(data: Register, size: u32, address: Registers) -> Instruction {
    if data == register::PC && size != 0b10 {
        return Instruction::new(Class::Hint).from(address);
    }
    jump_if_pc(
        Instruction::new(Class::Load)
            .at(address)
            .to(data)
            .reading(1),
    )
}

fn jump_if_pc(load: Instruction) -> Instruction {
    if load.results.contains(register::PC) {
        load.flowing(Flow::Return)
    } else {
        load
    }
}

fn write_back(access: Instruction, writes_back: bool, base: Register) -> Instruction {
    if writes_back {
        access.to(base)
    } else {
        access
    }
}

/// Returns the address `offset` bytes above or below the aligned PC.
fn relative(pc: u32, add: bool, offset: u32) -> u32 {
    let pc = pc & !3;
    if add {
        pc.wrapping_add(offset)
    } else {
        pc.wrapping_sub(offset)
    }
}
