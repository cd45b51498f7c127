// SPDX-License-Identifier: MIT
//! Names the registers that have a role in the calling convention (RISC-V unprivileged
//! specification, chapter 25).

use ticklab_isa::Register;

/// x0 reads as 0 and ignores writes, so no instruction depends on another through x0.
pub const ZERO: Register = Register(0);
pub const RA: Register = Register(1);
pub const SP: Register = Register(2);
/// The link register of functions that must preserve ra, such as compilers' save and restore
/// routines.
pub const T0: Register = Register(5);

/// The last callee-saved register.
pub const S11: Register = Register(27);

/// Returns whether a jump that writes `register` is a call, and a jump that reads it a return
/// (2.5.1, table 2.1).
pub(crate) fn is_link(register: Register) -> bool {
    register == RA || register == T0
}
