// SPDX-License-Identifier: MIT
//! Describes the effects of instructions on the processor's interrupt masks.

/// A mask register of a processor. Instruction sets without BASEPRI and FAULTMASK have only
/// [`Mask::ALL_INTERRUPTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask(pub usize);

impl Mask {
    /// The number of masks.
    pub const COUNT: usize = 3;
    /// PRIMASK, or mstatus.MIE.
    pub const ALL_INTERRUPTS: Mask = Mask(0);
    pub const BASEPRI: Mask = Mask(1);
    /// FAULTMASK, which an exception return clears.
    pub const FAULTMASK: Mask = Mask(2);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskEffect {
    Mask(Mask),
    Unmask(Mask),
    /// Reads a mask, to restore it later.
    Save(Mask),
    /// Writes a value that this function or its caller read before.
    Restore(Mask),
    /// Writes a value that the code does not determine.
    Unknown(Mask),
    /// Suspends task switches of the scheduler; suspensions nest.
    Suspend,
    /// Resumes task switches.
    Resume,
    /// Thread mode may continue with another stack.
    Stack,
}
