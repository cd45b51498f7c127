// SPDX-License-Identifier: MIT
//! Lists the named assumptions of the cycle model: the cost of one event of each kind, with its
//! source.
//!
//! A cost that a manual fixes is counted in lane `cycles`. A cost that a manual leaves open, or on
//! which two sources differ, has a lane of its own with a low and a high value.
//! docs/explanation/cycle-model.md has the same table; a test compares them.

use super::Core;
use ticklab_isa::{Cycles, Lane, Profile, Tally, COUNTED, LANES};
use ticklab_memory::StallLanes;

/// One assumption, which has one timing lane. Lanes are in the order of this enumeration.
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

const COUNT: usize = Assumption::LiteralMiss as usize + 1;

const _: () = assert!(COUNTED + COUNT <= LANES, "a tally must hold every lane");

/// The hardware that a core or its memory must have for an assumption to matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    FloatingPoint,
    Flash,
}

struct Definition {
    name: &'static str,
    needs: Needs,
    low: Bound,
    high: Bound,
    source: &'static str,
}

/// A bound in cycles: a number, or a formula in the wait states w of the flash memory.
#[derive(Clone, Copy)]
enum Bound {
    Cycles(u32),
    /// w cycles: one read of the flash array.
    Read,
    /// 2w + 1 cycles: a read of the flash array that waits for another read in progress.
    TwoReads,
}

use Bound::{Cycles as Is, Read, TwoReads};
use Needs::{Flash, FloatingPoint, Nothing};

const fn define(
    name: &'static str,
    needs: Needs,
    low: Bound,
    high: Bound,
    source: &'static str,
) -> Definition {
    Definition {
        name,
        needs,
        low,
        high,
        source,
    }
}

/// The rows have the order of [`Assumption`].
const TABLE: [Definition; COUNT] = [
    define("cycles", Nothing, Is(1), Is(1), "by definition"),
    define(
        "branch_early",
        Nothing,
        Is(1),
        Is(2),
        "DDI 0439D 3.3.1 (P); DDI 0337G 15.3",
    ),
    define(
        "branch_late",
        Nothing,
        Is(2),
        Is(3),
        "DDI 0439D 3.3.1 (P), 3.3.2; DDI 0337G 15.3",
    ),
    define("split_fetch", Nothing, Is(0), Is(1), "DDI 0337G 12.3"),
    define("it_fold", Nothing, Is(0), Is(1), "DDI 0439D 3.3.1"),
    define("load_pairing", Nothing, Is(0), Is(1), "DDI 0439D 3.3.2"),
    define(
        "address_dependency",
        Nothing,
        Is(0),
        Is(1),
        "DDI 0439D 3.3.2; DDI 0337E 1.4",
    ),
    define(
        "literal_contention",
        Nothing,
        Is(0),
        Is(1),
        "DDI 0439D 3.3.2",
    ),
    define(
        "early_termination",
        Nothing,
        Is(0),
        Is(1),
        "DDI 0439D 3.3.1; DDI 0337I 3.3.1",
    ),
    define("status_register", Nothing, Is(0), Is(1), "DDI 0439D 3.3.1"),
    define(
        "barrier",
        Nothing,
        Is(0),
        Is(3),
        "DDI 0439D 3.3.1 (B), 3.5; the high end is ours",
    ),
    define("condition", Nothing, Is(0), Is(1), "DDI 0439D 3.3.1"),
    define(
        "exception_entry",
        Nothing,
        Is(10),
        Is(12),
        "DDI 0439D 3.9.1; the low end is ours",
    ),
    define(
        "exception_exit",
        Nothing,
        Is(10),
        Is(12),
        "DDI 0439D 3.9.1; SLAU356I 1.5.8",
    ),
    define(
        "float_latency",
        FloatingPoint,
        Is(0),
        Is(1),
        "DDI 0439D 7.2.3",
    ),
    define(
        "float_context",
        FloatingPoint,
        Is(0),
        Is(1),
        "DDI 0439D 3.9.1",
    ),
    define(
        "flash_miss",
        Flash,
        Read,
        TwoReads,
        "RM0394 3.3.4; the high end is ours",
    ),
    define(
        "flash_possible_miss",
        Flash,
        Is(0),
        TwoReads,
        "RM0394 3.3.4; the high end is ours",
    ),
    define(
        "flash_hidden_stall",
        Flash,
        Is(0),
        Is(1),
        "RM0394 3.3.4; DDI 0439D 3.9.1",
    ),
    define(
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

/// The assumptions that a core with its memories needs. Each is counted in a lane.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    list: Vec<Lane>,
    /// For each assumption the index of its lane, or `None` if it is not needed.
    index: [Option<usize>; COUNT],
}

impl Lanes {
    pub(crate) fn new(core: Core, profile: &Profile) -> Lanes {
        let wait_states = profile.flash.as_ref().map(|flash| flash.wait_states);
        let mut lanes = Lanes {
            list: Vec::new(),
            index: [None; COUNT],
        };
        for (definition, index) in TABLE.iter().zip(&mut lanes.index) {
            let used = match definition.needs {
                Nothing => true,
                FloatingPoint => core == Core::CortexM4F,
                Flash => wait_states.is_some(),
            };
            if used {
                *index = Some(COUNTED + lanes.list.len());
                lanes.list.push(definition.lane(wait_states.unwrap_or(0)));
            }
        }
        lanes
    }

    pub(crate) fn list(&self) -> &[Lane] {
        &self.list
    }

    /// Returns the lane of `assumption`, or `None` if this core with these memories never needs it.
    pub(crate) fn index(&self, assumption: Assumption) -> Option<usize> {
        self.index[assumption as usize]
    }

    /// Returns the lanes that count the stalls of flash memory, if the profile describes one.
    pub(crate) fn stalls(&self) -> Option<StallLanes> {
        Some(StallLanes {
            cycles: self.index(Assumption::Cycles)?,
            miss: self.index(Assumption::FlashMiss)?,
            possible_miss: self.index(Assumption::FlashPossibleMiss)?,
            hidden_stall: self.index(Assumption::FlashHiddenStall)?,
            literal_miss: self.index(Assumption::LiteralMiss)?,
        })
    }

    /// Returns `tally` with `count` more events in the lane of `assumption`.
    pub(crate) fn count(&self, tally: Tally, assumption: Assumption, count: u32) -> Tally {
        match self.index(assumption) {
            Some(lane) => tally.plus(lane, count),
            None => tally,
        }
    }

    /// Returns the cycles of `tally` with every assumption at its low end.
    pub(crate) fn low(&self, tally: &Tally) -> u32 {
        let counts = &tally.0[COUNTED..];
        let lanes = self.list.iter().zip(counts);
        lanes.map(|(lane, count)| lane.low.0 * count).sum()
    }

    /// Returns the cycles of `tally` with every assumption at its high end.
    pub(crate) fn high(&self, tally: &Tally) -> u32 {
        let counts = &tally.0[COUNTED..];
        self.list
            .iter()
            .zip(counts)
            .map(|(lane, count)| lane.high.0 * count)
            .sum()
    }
}

impl Definition {
    fn lane(&self, wait_states: u32) -> Lane {
        Lane {
            name: self.name,
            low: self.low.cycles(wait_states),
            high: self.high.cycles(wait_states),
            source: self.source,
        }
    }
}
