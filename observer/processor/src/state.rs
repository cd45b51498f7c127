// SPDX-License-Identifier: MIT
//! The state in which a processor executes code, such as A32 or T32, and the facts from which the
//! state is derived.
//!
//! Armv7-A decodes the same bytes as A32 or as T32, by a bit of its status register that no target
//! reports. An instruction set with one encoding has only the default state.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CodeState(pub u8);

/// A block that a target fetched, with the facts from which its state is derived.
pub struct Fetched<'a> {
    pub start: u32,
    /// The bytes of each instruction, as the target divides the block. The last may have too many
    /// bytes if the block ends at the end of a page.
    pub instructions: Vec<&'a [u8]>,
    /// The state that the image declares for this address.
    pub declared: Option<CodeState>,
    /// The state of an instruction that was decoded earlier at this address, or of one that ends at
    /// this address.
    pub known: Option<CodeState>,
}
