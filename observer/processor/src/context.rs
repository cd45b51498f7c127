// SPDX-License-Identifier: MIT
//! Describes where the registers of a task are saved and restored, which identifies the task.

/// A save or restore of the registers of a task. A task's registers are restored from where they
/// were saved, so the address identifies the task meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub is_save: bool,
    /// The address of one register that the instruction set chooses.
    pub slot: u32,
}
