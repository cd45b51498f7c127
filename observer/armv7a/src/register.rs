// SPDX-License-Identifier: MIT
//! Names the core registers that have a special role: SP, LR and PC (A2.3).

use ticklab_isa::Register;

pub const SP: Register = Register(13);
pub const LR: Register = Register(14);
pub const PC: Register = Register(15);
