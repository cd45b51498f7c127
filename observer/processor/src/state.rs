// SPDX-License-Identifier: MIT
//! The state in which a processor executes code, and the evidence for it.
//!
//! Armv7-A decodes the same bytes as A32 or as T32, by a bit of its status register that no target
//! reports. An instruction set with one encoding has only the default state.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CodeState(pub u8);

/// A block that a target fetched, and what is known of its state.
pub struct Fetched<'a> {
    pub start: u32,
    /// The bytes of each instruction as the target divides them. At the end of a page the last may
    /// have more bytes than its instruction.
    pub instructions: Vec<&'a [u8]>,
    /// The state that the image declares for this address.
    pub declared: Option<CodeState>,
    /// The state of the known instruction at this address, or of that which ends there.
    pub known: Option<CodeState>,
}
