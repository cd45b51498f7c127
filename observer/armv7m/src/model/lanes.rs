// SPDX-License-Identifier: MIT
//! The named assumptions: what one event of each kind may cost, and who says so.
//!
//! A manual's statement that fixes a number adds to lane `cycles`. Whatever a manual leaves open,
//! or two sources tell differently, is a lane of its own with both ends. docs/cycle-model.md shows
//! the same table; a test compares them.

use super::Core;
use ticklab_isa::{Cycles, Lane, Profile, Tally, COUNTED, LANES};

/// One timing lane. The order is that of the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumption {
    Cycles,
    BranchEarly,
    BranchLate,
    SplitFetch,
    ItFold,
    LoadPairing,
    AddressDependency,
    LiteralContention,
    EarlyTermination,
    StatusRegister,
    Barrier,
    Condition,
    ExceptionEntry,
    ExceptionExit,
    FloatLatency,
    FloatContext,
    FlashMiss,
    FlashPossibleMiss,
    FlashHiddenStall,
    LiteralMiss,
}

/// How many assumptions there are.
const COUNT: usize = Assumption::LiteralMiss as usize + 1;

const _: () = assert!(COUNTED + COUNT <= LANES, "a tally must hold every lane");

/// What the processor and the memories must have for an assumption to matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    FloatingPoint,
    Flash,
}

struct Row {
    name: &'static str,
    needs: Needs,
    low: Bound,
    high: Bound,
    source: &'static str,
}

/// An end of an interval: a number, or one that follows from the flash memory's wait states w.
#[derive(Clone, Copy)]
enum Bound {
    Cycles(u32),
    /// w: one read of the array.
    Read,
    /// 2w + 1: one read behind another that is already under way.
    TwoReads,
}

use Bound::{Cycles as Is, Read, TwoReads};
use Needs::{Flash, FloatingPoint, Nothing};

const fn row(
    name: &'static str,
    needs: Needs,
    low: Bound,
    high: Bound,
    source: &'static str,
) -> Row {
    Row {
        name,
        needs,
        low,
        high,
        source,
    }
}

/// In the order of [`Assumption`].
const TABLE: [Row; COUNT] = [
    row("cycles", Nothing, Is(1), Is(1), "by definition"),
    row(
        "branch_early",
        Nothing,
        Is(1),
        Is(2),
        "DDI 0439D 3.3.1 (P); DDI 0337G 15.3",
    ),
    row(
        "branch_late",
        Nothing,
        Is(2),
        Is(3),
        "DDI 0439D 3.3.1 (P), 3.3.2; DDI 0337G 15.3",
    ),
    row("split_fetch", Nothing, Is(0), Is(1), "DDI 0337G 12.3"),
    row("it_fold", Nothing, Is(0), Is(1), "DDI 0439D 3.3.1"),
    row("load_pairing", Nothing, Is(0), Is(1), "DDI 0439D 3.3.2"),
    row(
        "address_dependency",
        Nothing,
        Is(0),
        Is(1),
        "DDI 0439D 3.3.2; DDI 0337E 1.4",
    ),
    row(
        "literal_contention",
        Nothing,
        Is(0),
        Is(1),
        "DDI 0439D 3.3.2",
    ),
    row(
        "early_termination",
        Nothing,
        Is(0),
        Is(1),
        "DDI 0439D 3.3.1; DDI 0337I 3.3.1",
    ),
    row("status_register", Nothing, Is(0), Is(1), "DDI 0439D 3.3.1"),
    row(
        "barrier",
        Nothing,
        Is(0),
        Is(3),
        "DDI 0439D 3.3.1 (B), 3.5; the high end is ours",
    ),
    row("condition", Nothing, Is(0), Is(1), "DDI 0439D 3.3.1"),
    row(
        "exception_entry",
        Nothing,
        Is(10),
        Is(12),
        "DDI 0439D 3.9.1; the low end is ours",
    ),
    row(
        "exception_exit",
        Nothing,
        Is(10),
        Is(12),
        "DDI 0439D 3.9.1; SLAU356I 1.5.8",
    ),
    row(
        "float_latency",
        FloatingPoint,
        Is(0),
        Is(1),
        "DDI 0439D 7.2.3",
    ),
    row(
        "float_context",
        FloatingPoint,
        Is(0),
        Is(1),
        "DDI 0439D 3.9.1",
    ),
    row(
        "flash_miss",
        Flash,
        Read,
        TwoReads,
        "RM0394 3.3.4; the high end is ours",
    ),
    row(
        "flash_possible_miss",
        Flash,
        Is(0),
        TwoReads,
        "RM0394 3.3.4; the high end is ours",
    ),
    row(
        "flash_hidden_stall",
        Flash,
        Is(0),
        Is(1),
        "RM0394 3.3.4; DDI 0439D 3.9.1",
    ),
    row(
        "literal_miss",
        Flash,
        Read,
        TwoReads,
        "RM0394 3.3.4; the high end is ours",
    ),
];

impl Bound {
    fn cycles(self, wait_states: u32) -> Cycles {
        Cycles(match self {
            Is(cycles) => cycles,
            Read => wait_states,
            TwoReads => 2 * wait_states + 1,
        })
    }
}

/// The assumptions in use, and the lane of each.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    list: Vec<Lane>,
    /// The lane of each assumption.
    place: [Option<usize>; COUNT],
}

impl Lanes {
    pub(crate) fn new(core: Core, profile: &Profile) -> Lanes {
        let wait_states = profile.flash.as_ref().map(|flash| flash.wait_states);
        let mut lanes = Lanes {
            list: Vec::new(),
            place: [None; COUNT],
        };
        for (row, place) in TABLE.iter().zip(&mut lanes.place) {
            let used = match row.needs {
                Nothing => true,
                FloatingPoint => core == Core::CortexM4F,
                Flash => wait_states.is_some(),
            };
            if used {
                *place = Some(COUNTED + lanes.list.len());
                lanes.list.push(row.lane(wait_states.unwrap_or(0)));
            }
        }
        lanes
    }

    pub(crate) fn list(&self) -> &[Lane] {
        &self.list
    }

    /// Where `assumption` is counted; none if this core with these memories never needs it.
    pub(crate) fn place(&self, assumption: Assumption) -> Option<usize> {
        self.place[assumption as usize]
    }

    /// `tally` with `count` more events of `assumption`.
    pub(crate) fn count(&self, tally: Tally, assumption: Assumption, count: u32) -> Tally {
        match self.place(assumption) {
            Some(lane) => tally.plus(lane, count),
            None => tally,
        }
    }

    /// The cycles of `tally` with every assumption at its low end.
    pub(crate) fn low(&self, tally: &Tally) -> u32 {
        let counts = &tally.0[COUNTED..];
        let lanes = self.list.iter().zip(counts);
        lanes.map(|(lane, count)| lane.low.0 * count).sum()
    }

    /// The cycles of `tally` with every assumption at its high end.
    pub(crate) fn high(&self, tally: &Tally) -> u32 {
        let counts = &tally.0[COUNTED..];
        self.list
            .iter()
            .zip(counts)
            .map(|(lane, count)| lane.high.0 * count)
            .sum()
    }
}

impl Row {
    fn lane(&self, wait_states: u32) -> Lane {
        Lane {
            name: self.name,
            low: self.low.cycles(wait_states),
            high: self.high.cycles(wait_states),
            source: self.source,
        }
    }
}
