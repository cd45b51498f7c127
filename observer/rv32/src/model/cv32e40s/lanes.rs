// SPDX-License-Identifier: MIT
//! Lists the named assumptions of the cycle model: the cost of one event of each kind, with its
//! source.
//!
//! Costs that the code determines are counted in lane `cycles`. A cost that depends on something
//! that the code does not show has a lane of its own. docs/explanation/cycle-model-cv32e40s.md has
//! the same table; a test compares them.

use ticklab_isa::{Cycles, Lane, Tally, COUNTED};

/// One assumption, which has one timing lane. Lanes are in the order of this enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    Cycles,
    Divisor,
    HiddenWait,
    InterruptEntry,
}

const fn lane(name: &'static str, low: u32, high: u32, source: &'static str) -> Lane {
    Lane {
        name,
        low: Cycles(low),
        high: Cycles(high),
        source,
    }
}

/// In the order of [`Assumption`].
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

/// Returns `tally` with `count` more events of `assumption`.
pub fn count(tally: Tally, assumption: Assumption, count: u32) -> Tally {
    tally.plus(COUNTED + assumption as usize, count)
}

pub fn cycles(cycles: u32) -> Tally {
    count(Tally::ZERO, Assumption::Cycles, cycles)
}
