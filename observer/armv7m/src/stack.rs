// SPDX-License-Identifier: MIT
//! Computes the stack growth by Thumb instructions, the size of exception frames, and the
//! instructions that save or restore a task at a switch.
//!
//! A task switch in a handler stores R4 to R11 of the old task and loads those of the new task,
//! based on a register other than SP: handlers run on the main stack, tasks on the process stack
//! (DDI 0403E, B1.4.1). The address of R4 identifies the task, because a kernel may save registers
//! before R4 with the same instruction and restore them with another. A task switch in thread mode
//! stores SP of the old task and loads SP of the new task.

use crate::register;
use ticklab_isa::{Class, Instruction, Registers};
use ticklab_processor::{Context, Moves};

/// The size of the exception frame, without and with the registers of the floating-point unit (DDI
/// 0403E, B1.5.7).
const BASIC_FRAME_BYTES: u32 = 32;
const EXTENDED_FRAME_BYTES: u32 = 104;

const CALLEE_SAVED: u32 = 0x0FF0;
const BELOW: u32 = 0x000F;

pub fn frame_bytes(is_float: bool) -> u32 {
    if is_float {
        EXTENDED_FRAME_BYTES
    } else {
        BASIC_FRAME_BYTES
    }
}

/// Returns a context if `instruction` saves or restores a task: if it moves SP, or all of R4 to
/// R11, at an address based on a register other than SP. Start-up code that loads SP from a literal
/// restores no task.
pub fn context(instruction: &Instruction, address: u32) -> Option<Context> {
    let (is_save, registers) = match instruction.class {
        Class::StoreMultiple | Class::Store => (true, instruction.sources),
        Class::LoadMultiple | Class::Load => (false, instruction.results),
        _ => return None,
    };
    let is_whole = registers.0 & CALLEE_SAVED == CALLEE_SAVED;
    let is_stack_pointer = registers.contains(register::SP);
    let is_other = instruction.base.intersects(register::SP | register::PC);
    let in_front = Registers(registers.0 & BELOW & !instruction.base.0);
    ((is_whole || is_stack_pointer) && !is_other).then(|| Context {
        is_save,
        slot: address.wrapping_add(4 * u32::from(in_front.count())),
        moves: if is_stack_pointer {
            Moves::StackPointer
        } else {
            Moves::CalleeSaved
        },
    })
}

/// Returns the bytes by which the Thumb instruction in `bytes` grows the stack by a constant. The
/// result is negative if the stack shrinks, and 0 for every other instruction.
#[must_use]
pub fn growth(bytes: &[u8]) -> i32 {
    let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    match bytes.len() {
        2 => narrow(half(0)),
        _ => wide(half(0), half(2)),
    }
}

/// Returns by how many bytes a 16-bit instruction grows the stack (DDI 0403E, A5.2.5).
fn narrow(code: u16) -> i32 {
    let registers = 4 * (code & 0x1FF).count_ones() as i32;
    let constant = 4 * i32::from(code & 0x7F);
    match (code & 0xFF80, code & 0xFE00) {
        (0xB000, _) => -constant,
        (0xB080, _) => constant,
        (_, 0xB400) => registers,
        (_, 0xBC00) => -registers,
        _ => 0,
    }
}

/// Returns by how many bytes a 32-bit instruction grows the stack. Such instructions are multiple
/// and dual transfers, single transfers with write-back, and additions, all with SP (DDI 0403E,
/// A5.3).
fn wide(first: u16, second: u16) -> i32 {
    let list = 4 * second.count_ones() as i32;
    let words = 4 * i32::from(second & 0xFF);
    let is_sp_result = second >> 8 & 0xF == 13;
    match first {
        0xE92D => list,
        0xE8BD => -list,
        0xF84D | 0xF85D => single(second),
        _ if first & 0xFFBF == 0xED2D && second & 0x0E00 == 0x0A00 => words,
        _ if first & 0xFFBF == 0xECBD && second & 0x0E00 == 0x0A00 => -words,
        // LDRD, STRD with write-back: P, U, 1, W.
        _ if first & 0xFE6F == 0xE86D => signed(first & 0x80 != 0, words),
        _ if first & 0xFBEF == 0xF1AD && is_sp_result => expanded(first, second),
        _ if first & 0xFBEF == 0xF10D && is_sp_result => -expanded(first, second),
        _ if first & 0xFBFF == 0xF2AD && is_sp_result => plain(first, second),
        _ if first & 0xFBFF == 0xF20D && is_sp_result => -plain(first, second),
        _ => 0,
    }
}

/// Returns by how many bytes LDR or STR with an 8-bit offset grows the stack. The bits are 1, P, U,
/// W.
fn single(second: u16) -> i32 {
    let writes_back = second & 0x0900 == 0x0900;
    let offset = i32::from(second & 0xFF);
    if writes_back {
        signed(second & 0x0200 != 0, offset)
    } else {
        0
    }
}

/// Returns by how many bytes the stack grows when `offset` is added to SP or subtracted; adding
/// shrinks the stack.
fn signed(is_added: bool, offset: i32) -> i32 {
    if is_added {
        -offset
    } else {
        offset
    }
}

/// Returns the immediate i:imm3:imm8.
pub fn plain(first: u16, second: u16) -> i32 {
    let (i, imm3) = (first >> 10 & 1, second >> 12 & 7);
    i32::from(i << 11 | imm3 << 8 | second & 0xFF)
}

/// Returns the immediate expanded by ThumbExpandImm (DDI 0403E, A5.3.2).
pub fn expanded(first: u16, second: u16) -> i32 {
    let code = plain(first, second) as u32;
    let byte = code & 0xFF;
    let value = match code >> 8 {
        0 => byte,
        1 => byte << 16 | byte,
        2 => byte << 24 | byte << 8,
        3 => byte * 0x0101_0101,
        _ => (0x80 | code & 0x7F).rotate_right(code >> 7),
    };
    value as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode_block;

    fn context_of(encoding: [u8; 4]) -> Option<Context> {
        context(&decode_block(0, &encoding)[0], 0x100)
    }

    #[test]
    fn a_switch_moves_all_callee_saved_registers() {
        // STMDB R0!, {R4-R11, LR}; LDMIA R0!, {R4-R11, LR}.
        let (save, restore) = ([0x20, 0xE9, 0xF0, 0x4F], [0xB0, 0xE8, 0xF0, 0x4F]);
        let context = |is_save, slot| {
            Some(Context {
                is_save,
                slot,
                moves: Moves::CalleeSaved,
            })
        };
        assert_eq!(context_of(save), context(true, 0x100));
        assert_eq!(context_of(restore), context(false, 0x100));
        // STMIA R1, {R2, R4-R11, LR}: R2 is stored before R4.
        assert_eq!(context_of([0x81, 0xE8, 0xF4, 0x4F]), context(true, 0x104));
    }

    #[test]
    fn a_switch_in_thread_mode_moves_the_stack_pointer() {
        let context = |is_save| {
            Some(Context {
                is_save,
                slot: 0x100,
                moves: Moves::StackPointer,
            })
        };
        assert_eq!(context_of([0xC0, 0xF8, 0x00, 0xD0]), context(true)); // STR SP, [R0]
        assert_eq!(context_of([0xD1, 0xF8, 0x00, 0xD0]), context(false)); // LDR SP, [R1]
        assert_eq!(context_of([0xC0, 0xF8, 0x00, 0x30]), None); // STR R3, [R0]
        assert_eq!(context_of([0x5D, 0xF8, 0x04, 0xDB]), None); // LDR SP, [SP], #4
    }

    #[test]
    fn other_transfers_are_no_switch() {
        // LDR SP, [PC, #4], of start-up code.
        assert_eq!(context_of([0xDF, 0xF8, 0x04, 0xD0]), None);
        // PUSH {R4-R11, LR}; LDMIA R0, {R4-R7}.
        assert_eq!(context_of([0x2D, 0xE9, 0xF0, 0x4F]), None);
        assert_eq!(context_of([0x90, 0xE8, 0xF0, 0x00]), None);
    }

    #[test]
    fn narrow_instructions_of_the_stack() {
        assert_eq!(growth(&[0x10, 0xB5]), 8); // PUSH {R4, LR}
        assert_eq!(growth(&[0x10, 0xBD]), -8); // POP {R4, PC}
        assert_eq!(growth(&[0x82, 0xB0]), 8); // SUB SP, #8
        assert_eq!(growth(&[0x05, 0xB0]), -20); // ADD SP, #20
        assert_eq!(growth(&[0x70, 0x47]), 0); // BX LR
        assert_eq!(growth(&[0x20, 0xB1]), 0); // CBZ R0
    }

    #[test]
    fn wide_instructions_of_the_stack() {
        assert_eq!(growth(&[0x2D, 0xE9, 0xF0, 0x4F]), 36); // PUSH {R4-R11, LR}
        assert_eq!(growth(&[0xBD, 0xE8, 0xF0, 0x8F]), -36); // POP {R4-R11, PC}
        assert_eq!(growth(&[0x4D, 0xF8, 0x04, 0x8D]), 4); // PUSH {R8}
        assert_eq!(growth(&[0x5D, 0xF8, 0x04, 0xFB]), -4); // POP {PC}
        assert_eq!(growth(&[0xCD, 0xF8, 0x04, 0x80]), 0); // STR R8, [SP, #4]
        assert_eq!(growth(&[0xAD, 0xF5, 0x80, 0x7D]), 256); // SUB SP, #256
        assert_eq!(growth(&[0x0D, 0xF5, 0x80, 0x7D]), -256); // ADD SP, #256
        assert_eq!(growth(&[0xAD, 0xF2, 0x04, 0x4D]), 1028); // SUBW SP, SP, #1028
        assert_eq!(growth(&[0x2D, 0xED, 0x10, 0x8A]), 64); // VPUSH {S16-S31}
        assert_eq!(growth(&[0xBD, 0xEC, 0x10, 0x8A]), -64); // VPOP {S16-S31}
        assert_eq!(growth(&[0x6D, 0xE9, 0x04, 0x45]), 16); // STRD R4, R5, [SP, #-16]!
        assert_eq!(growth(&[0x2D, 0xE9, 0x00, 0x00]), 0);
    }
}
