// SPDX-License-Identifier: MIT
//! Describes a core, by the name that plans and board.toml use.

/// One core of an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    pub name: &'static str,
    pub has_fpu: bool,
    /// Whether the core has a cycle model. A run without a model only counts.
    pub has_model: bool,
}
