// SPDX-License-Identifier: MIT
//! Lists the named assumptions of the cycle model: the cost of one event of each kind, with its
//! source.
//!
//! Costs that the code determines are counted in lane `cycles`. A cost that depends on something
//! that the code does not show has a lane of its own. docs/explanation/cycle-model-ibex.md has the
//! same table; a test compares them.

use ticklab_isa::{Cycles, Lane, Tally, COUNTED};

/// One assumption, which has one timing lane. Lanes are in the order of this enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    Cycles,
    InterruptEntry,
    RefusedAccess,
}

const fn lane(name: &'static str, low: u32, high: u32, source: &'static str) -> Lane {
    Lane {
        name,
        low: Cycles(low),
        high: Cycles(high),
        source,
    }
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

/// Returns `tally` with `count` more events of `assumption`.
pub fn count(tally: Tally, assumption: Assumption, count: u32) -> Tally {
    tally.plus(COUNTED + assumption as usize, count)
}

pub fn cycles(cycles: u32) -> Tally {
    count(Tally::ZERO, Assumption::Cycles, cycles)
}
