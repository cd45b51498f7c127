// SPDX-License-Identifier: MIT
//! The named assumptions: what one event of each kind may cost, and who says so.
//!
//! What the pipeline does in any case adds to lane `cycles`. What depends on something that no
//! block shows is a lane of its own. docs/cycle-model-ibex.md shows the same table; a test compares
//! them.

use ticklab_isa::{Cycles, Lane, Tally, COUNTED};

/// One timing lane. The order is that of the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    Cycles,
    InterruptEntry,
    RefusedAccess,
}

const fn row(name: &'static str, low: u32, high: u32, source: &'static str) -> Lane {
    Lane {
        name,
        low: Cycles(low),
        high: Cycles(high),
        source,
    }
}

/// In the order of [`Assumption`].
pub const LANES: [Lane; 3] = [
    row("cycles", 1, 1, "by definition"),
    row(
        "interrupt_entry",
        2,
        4,
        "ibex_controller.sv, DECODE and IRQ_TAKEN; the ends were observed",
    ),
    row(
        "refused_access",
        0,
        1,
        "ibex_load_store_unit.sv, WAIT_GNT: protection grants no access",
    ),
];

/// `tally` with `count` more events of `assumption`.
pub fn count(tally: Tally, assumption: Assumption, count: u32) -> Tally {
    tally.plus(COUNTED + assumption as usize, count)
}

pub fn cycles(cycles: u32) -> Tally {
    count(Tally::ZERO, Assumption::Cycles, cycles)
}
