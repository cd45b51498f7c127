// SPDX-License-Identifier: MIT
//! Recognises where the registers of a task are saved and restored, which identifies the task.
//!
//! At a task switch of any kernel, R4 to R11 of one task are stored to memory and those of the
//! other are loaded, with a base other than SP: a handler runs on the main stack, tasks on the
//! process stack (DDI 0403E, B1.4.1). A task's registers are restored from where they were saved,
//! so the address identifies the task meanwhile. The address of R4 is used, because a kernel may
//! save more registers before R4 than it restores with the same instruction.
//!
//! On RV32 registers are moved one by one, and the last callee-saved register, s11, represents all
//! of them. A kernel function that saves s11 for itself restores it from the same address, which is
//! no switch.

use ticklab_armv7m::register;
use ticklab_isa::{Class, Instruction, Register, Registers};

const CALLEE_SAVED: u32 = 0x0FF0;
const BELOW: u32 = 0x000F;
/// A register that only RV32 has.
const S11: Register = Register(27);

/// A save or restore of the registers of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub is_save: bool,
    /// The address of R4 or s11.
    pub slot: u32,
}

impl Context {
    /// Returns the context if `instruction` saves or restores all of R4 to R11, or s11. `address`
    /// is the lowest address that it accesses, or 0 if unknown.
    #[must_use]
    pub fn from_instruction(instruction: &Instruction, address: u32) -> Option<Context> {
        let slot = address;
        match instruction.class {
            Class::Store if instruction.sources.contains(S11) => Some(Context {
                is_save: true,
                slot,
            }),
            Class::Load if instruction.results.contains(S11) => Some(Context {
                is_save: false,
                slot,
            }),
            _ => Context::from_multiple(instruction, address),
        }
    }

    fn from_multiple(instruction: &Instruction, address: u32) -> Option<Context> {
        let (is_save, registers) = match instruction.class {
            Class::StoreMultiple => (true, instruction.sources),
            Class::LoadMultiple => (false, instruction.results),
            _ => return None,
        };
        let is_whole = registers.0 & CALLEE_SAVED == CALLEE_SAVED;
        let is_stack = instruction.base.contains(register::SP);
        let in_front = Registers(registers.0 & BELOW & !instruction.base.0);
        (is_whole && !is_stack).then(|| Context {
            is_save,
            slot: address.wrapping_add(4 * u32::from(in_front.count())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ticklab_armv7m::decode_block;

    fn context_of(encoding: [u8; 4]) -> Option<Context> {
        Context::from_instruction(&decode_block(0, &encoding)[0], 0x100)
    }

    #[test]
    fn a_switch_moves_all_callee_saved_registers() {
        // STMDB R0!, {R4-R11, LR}; LDMIA R0!, {R4-R11, LR}.
        let (save, restore) = ([0x20, 0xE9, 0xF0, 0x4F], [0xB0, 0xE8, 0xF0, 0x4F]);
        let context = |is_save, slot| Some(Context { is_save, slot });
        assert_eq!(context_of(save), context(true, 0x100));
        assert_eq!(context_of(restore), context(false, 0x100));
        // STMIA R1, {R2, R4-R11, LR}: R2 is stored before R4.
        assert_eq!(context_of([0x81, 0xE8, 0xF4, 0x4F]), context(true, 0x104));
    }

    #[test]
    fn on_rv32_a_switch_moves_the_last_callee_saved_register() {
        let context_of = |word: u32| {
            Context::from_instruction(&ticklab_rv32::decode_block(0, &word.to_le_bytes())[0], 8)
        };
        let context = |is_save| Some(Context { is_save, slot: 8 });
        assert_eq!(context_of(0x05B1_2223), context(true)); // sw s11, 68(sp)
        assert_eq!(context_of(0x0441_2D83), context(false)); // lw s11, 68(sp)
        assert_eq!(context_of(0x05A1_2223), None); // sw s10, 68(sp)
    }

    #[test]
    fn other_transfers_are_no_switch() {
        // PUSH {R4-R11, LR}; LDMIA R0, {R4-R7}.
        assert_eq!(context_of([0x2D, 0xE9, 0xF0, 0x4F]), None);
        assert_eq!(context_of([0x90, 0xE8, 0xF0, 0x00]), None);
    }
}
