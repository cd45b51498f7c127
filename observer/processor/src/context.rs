// SPDX-License-Identifier: MIT
//! Describes where the registers of a task are saved and restored, which identifies the task.
//!
//! A handler moves the callee-saved registers of the tasks between which it switches. A kernel that
//! switches in thread mode calls a function, which pushes them to the task's own stack as any
//! function does, and moves only the stack pointer to and from the task's control block.

/// The part of a task that an instruction moves, which says where it can be part of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Callee-saved registers: in a handler. In thread mode any function moves them.
    CalleeSaved,
    /// The stack pointer: in thread mode. In a handler it is not that of a task.
    StackPointer,
    /// The stack pointer, which handlers share with tasks: anywhere.
    Task,
}

/// A save or restore of the registers of a task. They are restored from where they were saved, so
/// the address identifies the task meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub is_save: bool,
    /// The address of one register that the instruction set chooses.
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
