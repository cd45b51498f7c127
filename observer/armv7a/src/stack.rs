// SPDX-License-Identifier: MIT
//! Stack growth by A32 instructions, and the instructions that save or restore a task at a switch.
//!
//! A task switch stores SP of the old task to its control block and loads SP of the new task. It
//! does so in a handler (in System mode, because tasks use the SP of that mode) or in a function of
//! the kernel.
use crate::decode::{bit, field, register};
use crate::register as names;
use ticklab_isa::{Class, Instruction, Registers};
use ticklab_processor::{Context, Moves};

const CALLEE_SAVED: u32 = 0x07F0;

/// Returns the context if `instruction` saves or restores SP of a task: SP alone or with R4 to R10,
/// at an address based on a register other than SP. The epilogue of a function also restores SP,
/// but together with fewer registers.
pub fn context(instruction: &Instruction, address: u32) -> Option<Context> {
    let (is_save, registers) = match instruction.class {
        Class::StoreMultiple | Class::Store => (true, instruction.sources),
        Class::LoadMultiple | Class::Load => (false, instruction.results),
        _ => return None,
    };
    let is_single = instruction.reads + instruction.writes == 1;
    let is_whole = registers.0 & CALLEE_SAVED == CALLEE_SAVED;
    let is_frame_or_literal = instruction.base.intersects(names::SP | names::PC);
    let moves_sp = registers.contains(names::SP) && !is_frame_or_literal;
    (moves_sp && (is_single || is_whole)).then_some(Context {
        is_save,
        slot: address,
        moves: Moves::Task,
    })
}

/// Returns the bytes by which an A32 instruction grows the stack.
pub fn growth(word: u32) -> i32 {
    let is_sp_base = register(word, 16) == names::SP;
    let is_sp_result = register(word, 12) == names::SP;
    let writes_back = bit(word, 21) || !bit(word, 24);
    match field(word, 25, 3) {
        0b001 if is_sp_base && is_sp_result => match field(word, 20, 5) {
            0b00100 => immediate(word),
            0b01000 => -immediate(word),
            _ => 0,
        },
        0b010 if is_sp_base && writes_back => signed(word, field(word, 0, 12)),
        0b100 if is_sp_base && bit(word, 21) => {
            signed(word, 4 * u32::from(Registers(word & 0xFFFF).count()))
        }
        0b110 if is_sp_base && bit(word, 21) && field(word, 9, 3) == 0b101 => {
            signed(word, 4 * field(word, 0, 8))
        }
        _ => 0,
    }
}

/// Returns by how many bytes the stack grows for an offset that bit U adds to SP or subtracts;
/// adding shrinks the stack.
fn signed(word: u32, offset: u32) -> i32 {
    let offset = offset as i32;
    if bit(word, 23) {
        -offset
    } else {
        offset
    }
}

/// Returns the immediate operand of a data processing instruction (A5.2.4).
pub fn immediate(word: u32) -> i32 {
    field(word, 0, 8).rotate_right(2 * field(word, 8, 4)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode_arm;

    fn context_of(word: u32) -> Option<Context> {
        context(&decode_arm(0, &word.to_le_bytes())[0], 0x100)
    }

    #[test]
    fn a_switch_moves_the_stack_pointer() {
        let context = |is_save| {
            Some(Context {
                is_save,
                slot: 0x100,
                moves: Moves::Task,
            })
        };
        assert_eq!(context_of(0xE581_D000), context(true)); // STR SP, [R1]
        assert_eq!(context_of(0xE591_D000), context(false)); // LDR SP, [R1]
        assert_eq!(context_of(0xE8AC_6FF0), context(true)); // STMIA IP!, {R4-R11, SP, LR}
        assert_eq!(context_of(0xE894_AFF0), context(false)); // LDMIA R4, {R4-R11, SP, PC}
    }

    #[test]
    fn other_transfers_are_no_switch() {
        for word in [
            0xE59F_D004, // LDR SP, [PC, #4]
            0xE49D_D004, // LDR SP, [SP], #4
            0xE91B_A800, // LDMDB FP, {FP, SP, PC}
            0xE94D_7FFF, // STMDB SP, {R0-LR}^
            0xE581_3000, // STR R3, [R1]
        ] {
            assert_eq!(context_of(word), None, "{word:#x}");
        }
    }

    #[test]
    fn instructions_of_the_stack() {
        for (word, bytes) in [
            (0xE92D_4010, 8),    // PUSH {R4, LR}
            (0xE8BD_8010, -8),   // POP {R4, PC}
            (0xE52D_E004, 4),    // PUSH {LR}
            (0xE49D_F004, -4),   // POP {PC}
            (0xE24D_D008, 8),    // SUB SP, SP, #8
            (0xE28D_DC01, -256), // ADD SP, SP, #256
            (0xED2D_8B10, 64),   // VPUSH {D8-D15}
            (0xECBD_8B10, -64),  // VPOP {D8-D15}
            (0xE58D_0004, 0),    // STR R0, [SP, #4]
            (0xE12F_FF1E, 0),    // BX LR
        ] {
            assert_eq!(growth(word), bytes, "{word:#x}");
        }
    }
}
