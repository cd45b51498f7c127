// SPDX-License-Identifier: MIT
//! Lists the named assumptions of the cycle model: the cost of one event of each kind, with its
//! source.
//!
//! Costs that the code determines are counted in lane `cycles`. A cost that depends on something
//! that the code does not show has a lane of its own. docs/explanation/cycle-model-cv32e40s.md has
//! the same table; a test compares them.

use super::super::lane;
use ticklab_isa::Lane;

/// One assumption, which has one timing lane: the lanes after `cycles`, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    Divisor = 1,
    HiddenWait,
    InterruptEntry,
}

/// The lanes, in the order of [`Assumption`].
pub const LANES: [Lane; 4] = [
    lane("cycles", 1, 1, "by definition"),
    lane("divisor", 0, 32, "cv32e40s_div.sv, DIV_DIVIDE"),
    lane(
        "hidden_wait",
        0,
        1,
        "cv32e40s_controller_bypass.sv, csr_stall",
    ),
    lane(
        "interrupt_entry",
        3,
        7,
        "cv32e40s_controller_fsm.sv, interrupt_allowed",
    ),
];
