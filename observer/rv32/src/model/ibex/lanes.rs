// SPDX-License-Identifier: MIT
//! Lists the named assumptions of the cycle model: the cost of one event of each kind, with its
//! source.
//!
//! Costs that the code determines are counted in lane `cycles`. A cost that depends on something
//! that the code does not show has a lane of its own. docs/explanation/cycle-model-ibex.md has the
//! same table; a test compares them.

use super::super::lane;
use ticklab_isa::Lane;

/// One assumption, which has one timing lane: the lanes after `cycles`, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    InterruptEntry = 1,
    RefusedAccess,
}

/// The lanes, in the order of [`Assumption`].
pub const LANES: [Lane; 3] = [
    lane("cycles", 1, 1, "by definition"),
    lane(
        "interrupt_entry",
        2,
        4,
        "ibex_controller.sv, DECODE and IRQ_TAKEN; the ends were observed",
    ),
    lane(
        "refused_access",
        0,
        1,
        "ibex_load_store_unit.sv, WAIT_GNT: protection grants no access",
    ),
];
