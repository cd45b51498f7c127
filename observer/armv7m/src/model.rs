// SPDX-License-Identifier: MIT
//! The cycle model: what instructions, branches and exceptions add to a tally.

use crate::instruction::Instruction;
use crate::memory::{Fetches, MemorySystem};
use crate::profile::{Profile, ProfileError};
use crate::tally::{counted, Tally};
use std::str::FromStr;

/// A processor core whose instructions are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    CortexM3,
    CortexM4,
    CortexM4F,
}

impl FromStr for Core {
    type Err = ProfileError;

    fn from_str(name: &str) -> Result<Core, ProfileError> {
        match name {
            "cortex-m3" => Ok(Core::CortexM3),
            "cortex-m4" => Ok(Core::CortexM4),
            "cortex-m4f" => Ok(Core::CortexM4F),
            _ => Err(ProfileError(format!(
                "core {name:?} has no cycle model; take cortex-m3, cortex-m4 or cortex-m4f"
            ))),
        }
    }
}

/// Processor clock cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycles(pub u32);

/// One timing lane: an event that a rule counts, and what one such event may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub name: &'static str,
    pub low: Cycles,
    pub high: Cycles,
    /// The manual and section that say so.
    pub source: &'static str,
}

/// What the processor did at an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// Saved a frame and took a handler's first instruction.
    Entry,
    /// Left one handler for another without restoring the frame.
    TailChain,
    /// Restored a frame and went back.
    Exit,
}

/// Which frame is on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Eight words: no floating-point instruction was executed so far.
    Basic,
    /// Eight words or 26: floating-point state may be part of it, saved now, later or never.
    MaybeExtended,
}

/// The rules of one core with one timing profile; without a profile it only counts.
#[derive(Clone, Debug)]
pub struct Model {
    lanes: Vec<Lane>,
}

impl Model {
    /// Counts instructions and accesses, and models no cycles.
    #[must_use]
    pub fn counting() -> Model {
        Model { lanes: Vec::new() }
    }

    /// # Errors
    /// The profile contradicts itself or needs more lanes than a tally has.
    pub fn new(_core: Core, _profile: &Profile) -> Result<Model, ProfileError> {
        Ok(Model::counting())
    }

    /// The timing lanes in use: lane `COUNTED` and those behind it.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Sums over the block's first 0, 1, 2 … instructions, n + 1 entries, up to but without the move to
    /// whatever comes after. A conditional instruction is counted as skipped where memory accesses can
    /// tell; see [`Model::executed`].
    #[must_use]
    pub fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for instruction in block {
            sum[counted::INSTRUCTIONS] += 1;
            if !instruction.conditional {
                sum += self.executed(instruction);
            }
            sums.push(sum);
        }
        sums
    }

    /// What a conditional load or store adds to its block's sum because it did execute.
    #[must_use]
    pub fn executed(&self, instruction: &Instruction) -> Tally {
        Tally::ZERO
            .plus(counted::READS, instruction.reads.into())
            .plus(counted::WRITES, instruction.writes.into())
    }

    /// What moving from the last instruction executed in one block to the first of the next adds: the
    /// refill of a taken branch, or the overlap of neighbours.
    #[must_use]
    pub fn leave(&self, _from: &Instruction, _to: &Instruction) -> Tally {
        Tally::ZERO
    }

    /// What an exception adds in cycles; the counted lanes are the caller's. It comes in place of
    /// [`Model::leave`].
    #[must_use]
    pub fn exception(&self, _exception: Exception, _frame: Frame) -> Tally {
        Tally::ZERO
    }

    /// What `block` fetches, for [`MemorySystem::fetch`].
    #[must_use]
    pub fn fetches(&self, _block: &[Instruction]) -> Fetches {
        Fetches::default()
    }

    /// The memories after reset, or none if the profile has no wait states.
    #[must_use]
    pub fn memory(&self) -> Option<MemorySystem> {
        None
    }
}
