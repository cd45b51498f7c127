// SPDX-License-Identifier: MIT
//! Decodes loads and stores of core registers (A5.2.8, A5.2.10, A5.3, A5.5).

use super::bits::{bit, field, list, register};
use crate::register as names;
use ticklab_isa::{Class, Flow, Instruction, Register, Registers};

/// Decodes LDR, STR, LDRB, STRB and their unprivileged forms.
pub fn single(word: u32, address: u32) -> Instruction {
    let (is_indexed, is_byte) = (bit(word, 25), bit(word, 22));
    let data = register(word, 12);
    let access = access(word, is_indexed, data, 1);
    let access = literal(access, word, address, field(word, 0, 12), is_indexed);
    if bit(word, 20) && !is_byte {
        jump_if_pc(access, register(word, 16))
    } else {
        access
    }
}

/// Decodes the accesses of halfwords, signed bytes and pairs of registers.
pub fn extra(word: u32, address: u32) -> Instruction {
    let is_indexed = !bit(word, 22);
    let first = register(word, 12);
    let offset = field(word, 8, 4) << 4 | field(word, 0, 4);
    let is_pair = !bit(word, 20) && bit(word, 6);
    if !is_pair {
        let access = access(word, is_indexed, first, 1);
        return literal(access, word, address, offset, is_indexed);
    }
    let data = first | Register(first.0 | 1);
    let access = transfer(word, is_indexed, data, 2, !bit(word, 5));
    literal(access, word, address, offset, is_indexed)
}

fn access(word: u32, is_indexed: bool, data: Register, count: u8) -> Instruction {
    transfer(word, is_indexed, data.into(), count, bit(word, 20))
}

/// Returns a load or store of the registers `data` at the address in Rn or, if `is_indexed`, Rn
/// plus the value of Rm.
fn transfer(word: u32, is_indexed: bool, data: Registers, count: u8, is_load: bool) -> Instruction {
    let base = register(word, 16);
    let class = match (is_load, count, is_indexed) {
        (true, 1, _) => Class::Load,
        (true, ..) => Class::LoadMultiple,
        (false, 1, false) => Class::Store,
        (false, 1, true) => Class::StoreIndexed,
        (false, ..) => Class::StoreMultiple,
    };
    let mut access = Instruction::new(class).at(base);
    if is_indexed {
        access = access.at(register(word, 0));
    }
    access = match is_load {
        true => access.to(data).reading(count),
        false => access.from(data).writing(count),
    };
    let (is_pre_indexed, writes_back) = (bit(word, 24), bit(word, 21));
    if !is_pre_indexed || writes_back {
        access.to(base)
    } else {
        access
    }
}

/// Adds the address of a load relative to PC.
fn literal(
    access: Instruction,
    word: u32,
    address: u32,
    offset: u32,
    is_indexed: bool,
) -> Instruction {
    if access.reads == 0 || is_indexed || register(word, 16) != names::PC {
        return access;
    }
    let pc = address.wrapping_add(8) & !3;
    access.literal_at(match bit(word, 23) {
        true => pc.wrapping_add(offset),
        false => pc.wrapping_sub(offset),
    })
}

/// A load of PC from the stack is a return; another is a jump through memory.
fn jump_if_pc(load: Instruction, base: Register) -> Instruction {
    match load.results.contains(names::PC) {
        true if base == names::SP => load.flowing(Flow::Return),
        true => load.flowing(Flow::IndirectBranch),
        false => load,
    }
}

/// Decodes LDM and STM. With S, a load of PC returns from an exception (B9.3.5), and other
/// transfers move the registers of User mode.
pub fn multiple(word: u32) -> Instruction {
    let (base, registers) = (register(word, 16), list(word));
    let (is_load, writes_back, has_s) = (bit(word, 20), bit(word, 21), bit(word, 22));
    let count = registers.count();
    let access = match is_load {
        true => Instruction::new(Class::LoadMultiple)
            .to(registers)
            .reading(count),
        false => Instruction::new(Class::StoreMultiple)
            .from(registers)
            .writing(count),
    };
    let access = if writes_back { access.to(base) } else { access };
    let is_jump = is_load && registers.contains(names::PC);
    access.at(base).flowing(match (is_jump, has_s) {
        (true, true) => Flow::ExceptionReturn,
        (true, false) => Flow::Return,
        (false, _) => Flow::Next,
    })
}

/// Decodes SWP and the exclusive accesses.
pub fn exclusive(word: u32) -> Instruction {
    let (base, first) = (register(word, 16), register(word, 0));
    let size = field(word, 21, 2);
    if !bit(word, 23) {
        let result = register(word, 12);
        let swap = Instruction::new(Class::Load).at(base).from(first);
        return swap.to(result).reading(1).writing(1);
    }
    let is_pair = size == 0b01;
    let count = if is_pair { 2 } else { 1 };
    let pair = |first: Register| match is_pair {
        true => first | Register(first.0 | 1),
        false => first.into(),
    };
    if bit(word, 20) {
        let load = Instruction::new(Class::Load).at(base);
        load.to(pair(register(word, 12))).reading(count)
    } else {
        let store = Instruction::new(Class::StoreExclusive).at(base);
        store
            .from(pair(first))
            .to(register(word, 12))
            .writing(count)
    }
}
