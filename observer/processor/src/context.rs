// SPDX-License-Identifier: MIT
//! Describes where the registers of a task are saved and restored, which identifies the task.
//!
//! A handler moves the callee-saved registers of the tasks between which it switches. A kernel that
//! switches in thread mode calls a function, which pushes them to the task's own stack as any
//! function does, and moves only the stack pointer to and from the task's control block.

/// A save or restore of the registers of a task. They are restored from where they were saved, so
/// the address identifies the task meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub is_save: bool,
    /// The address of one register that the instruction set chooses.
    pub slot: u32,
    /// Whether that register is the stack pointer: a switch in thread mode.
    pub is_stack_pointer: bool,
}

impl Context {
    /// Returns whether the instruction may be part of a switch. In a handler, the stack pointer is
    /// not that of a task; in thread mode, any function moves callee-saved registers.
    #[must_use]
    pub fn is_switch(self, in_exception: bool) -> bool {
        self.is_stack_pointer != in_exception
    }
}
