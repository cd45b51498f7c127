// SPDX-License-Identifier: MIT
//! Where the registers of a task are saved and restored, which is what tells tasks apart.
//!
//! Whatever a kernel calls its tasks, at a switch R4 to R11 of the one go to memory and those of
//! the other come from there, with a base other than SP: a handler runs on the main stack, tasks
//! on the process stack (DDI 0403E, B1.4.1). A task's registers are restored from where they were
//! saved, so that the address names it until then. That of R4 does, for a kernel may save more in
//! front than it restores by the same instruction.
//!
//! On RV32 registers move one by one, and the last callee-saved one, s11, stands for all of them. A
//! function of the kernel that saves it for itself restores it from there, which is no switch.

use ticklab_armv7m::register;
use ticklab_isa::{Class, Instruction, Register, Registers};

const CALLEE_SAVED: u32 = 0x0FF0;
const BELOW: u32 = 0x000F;
/// A register that only RV32 has.
const S11: Register = Register(27);

/// The registers of a task were saved or restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub is_save: bool,
    /// Where R4 or s11 is.
    pub slot: u32,
}

impl Context {
    /// What `instruction` does if it saves or restores all of R4 to R11, or s11; `address` is the
    /// lowest that it accesses, 0 if that is not known.
    #[must_use]
    pub fn of(instruction: &Instruction, address: u32) -> Option<Context> {
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
            _ => Context::of_many(instruction, address),
        }
    }

    fn of_many(instruction: &Instruction, address: u32) -> Option<Context> {
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

    fn of(encoding: [u8; 4]) -> Option<Context> {
        Context::of(&decode_block(0, &encoding)[0], 0x100)
    }

    #[test]
    fn a_switch_moves_all_callee_saved_registers() {
        // STMDB R0!, {R4-R11, LR}; LDMIA R0!, {R4-R11, LR}.
        let (save, restore) = ([0x20, 0xE9, 0xF0, 0x4F], [0xB0, 0xE8, 0xF0, 0x4F]);
        let context = |is_save, slot| Some(Context { is_save, slot });
        assert_eq!(of(save), context(true, 0x100));
        assert_eq!(of(restore), context(false, 0x100));
        // STMIA R1, {R2, R4-R11, LR}: R2 is in front.
        assert_eq!(of([0x81, 0xE8, 0xF4, 0x4F]), context(true, 0x104));
    }

    #[test]
    fn on_rv32_the_last_callee_saved_register_moves() {
        let of = |word: u32| Context::of(&ticklab_rv32::decode_block(0, &word.to_le_bytes())[0], 8);
        let context = |is_save| Some(Context { is_save, slot: 8 });
        assert_eq!(of(0x05B1_2223), context(true)); // sw s11, 68(sp)
        assert_eq!(of(0x0441_2D83), context(false)); // lw s11, 68(sp)
        assert_eq!(of(0x05A1_2223), None); // sw s10, 68(sp)
    }

    #[test]
    fn other_transfers_are_none() {
        // PUSH {R4-R11, LR}; LDMIA R0, {R4-R7}.
        assert_eq!(of([0x2D, 0xE9, 0xF0, 0x4F]), None);
        assert_eq!(of([0x90, 0xE8, 0xF0, 0x00]), None);
    }
}
