// SPDX-License-Identifier: MIT
//! The registers that the calling convention gives a role (RISC-V unprivileged specification,
//! chapter 25).

use ticklab_isa::Register;

/// x0 reads as 0 and takes nothing: it makes no instruction wait for another.
pub const ZERO: Register = Register(0);
pub const RA: Register = Register(1);
pub const SP: Register = Register(2);
/// The link of functions that may not change ra, as compilers' save and restore routines.
pub const T0: Register = Register(5);

/// Whether a jump that writes it is a call, and one that reads it a return (2.5.1, table 2.1).
pub(crate) fn is_link(register: Register) -> bool {
    register == RA || register == T0
}
