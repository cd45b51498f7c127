// SPDX-License-Identifier: MIT
//! Names the core registers with a special role: SP, LR and PC (DDI 0403E, B1.4.1).

use ticklab_isa::Register;

pub const SP: Register = Register(13);
pub const LR: Register = Register(14);
pub const PC: Register = Register(15);
