// SPDX-License-Identifier: MIT
//! Describes a processor core that executes an instruction set. Plans and board.toml use the core's
//! name.

/// One core of an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    pub name: &'static str,
    pub has_fpu: bool,
    /// Whether the core has a cycle model. Without a model, a run has counts only.
    pub has_model: bool,
}
