// SPDX-License-Identifier: MIT
//! Describes an instruction that saves or restores registers of a task, from which task switches
//! are recognised.
//!
//! A kernel that switches in a handler saves the callee-saved registers of one task and restores
//! those of another. A kernel that switches in thread mode calls a function, which pushes the
//! callee-saved registers to the task's own stack, as any function does; the switch itself moves
//! only the stack pointer to and from the tasks' control blocks.

/// The registers that an instruction saves or restores. They determine whether it can be part of a
/// switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Callee-saved registers. They are part of a switch only in a handler, because in thread mode
    /// every function saves and restores them.
    CalleeSaved,
    /// The stack pointer, on processors whose handlers have a stack pointer of their own. It is
    /// part of a switch only in thread mode.
    StackPointer,
    /// The stack pointer, on processors whose handlers use the stack pointer of the tasks. It is
    /// part of a switch in any mode.
    Task,
}

/// A save or restore of a task's registers. Registers are restored from the address to which they
/// were saved, so the address identifies the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub is_save: bool,
    /// The address of one of the saved registers, which the instruction set chooses.
    pub slot: u32,
    pub moves: Moves,
}

impl Context {
    /// Returns whether the instruction may be part of a switch.
    #[must_use]
    pub fn is_switch(self, in_exception: bool) -> bool {
        match self.moves {
            Moves::CalleeSaved => in_exception,
            Moves::StackPointer => !in_exception,
            Moves::Task => true,
        }
    }
}
