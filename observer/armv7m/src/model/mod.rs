// SPDX-License-Identifier: MIT
//! Computes the tallies of instructions, control-flow edges and exceptions: the cycle model.
//!
//! The caller adds these tallies in the order of execution: [`Model::block`] for the executed
//! instructions of a block, [`Model::executed`] for each conditional access among them that was
//! performed, and either [`Model::edge`] or [`Model::exception`] for the transition to the next
//! block. [`MemorySystem`] adds the stalls of memory.

mod lanes;
mod rules;

use crate::memory::{Begin, Fetches, MemorySystem};
pub(crate) use lanes::{Assumption, Lanes};
use rules::Rules;
use std::str::FromStr;
use ticklab_isa::{
    accesses, counted, takes, Exception, Flash, Frame, Instruction, Lane, Profile, ProfileError,
    Tally,
};

/// A processor core that has a cycle model.
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

/// Tail-chaining takes six cycles (DDI 0439D, 3.9.1).
const TAIL_CHAIN: u32 = 6;
/// The additional cycles of a frame with floating-point state: entry takes 29 instead of 12, exit
/// 27 instead of 10 (3.9.1).
const FLOAT_CONTEXT: u32 = 17;

/// The rules of one core with one timing profile. Without a profile, the model only counts.
#[derive(Clone, Debug)]
pub struct Model {
    rules: Option<Rules>,
    flash: Option<Flash>,
}

impl Model {
    /// Returns a model that counts instructions and accesses but no cycles.
    #[must_use]
    pub fn counting() -> Model {
        Model {
            rules: None,
            flash: None,
        }
    }

    /// # Errors
    /// The profile has a number outside its range, or describes devices.
    pub fn new(core: Core, profile: &Profile) -> Result<Model, ProfileError> {
        profile.check()?;
        if profile.devices.is_some() {
            let message = "timing profile: devices are modelled on ibex only; take them out";
            return Err(ProfileError(message.to_owned()));
        }
        let rules = Rules::new(core, Lanes::new(core, profile));
        Ok(Model {
            rules: Some(rules),
            flash: profile.flash.clone(),
        })
    }

    /// Returns the timing lanes: lane `COUNTED` of a tally and the lanes after it.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        self.rules.as_ref().map_or(&[], |rules| rules.lanes.list())
    }

    /// Returns the tallies of the block's first 0, 1, 2 … n instructions, without the transition to
    /// the next block. Conditional accesses are counted as skipped; see [`Model::executed`].
    #[must_use]
    pub fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for index in 0..block.len() {
            sum += self.in_block(block, index);
            sums.push(sum);
        }
        sums
    }

    fn in_block(&self, block: &[Instruction], index: usize) -> Tally {
        let instruction = &block[index];
        let mut tally = Tally::one(counted::INSTRUCTIONS);
        if !instruction.conditional {
            tally += accesses(instruction);
        }
        if let Some(rules) = &self.rules {
            let before = index.checked_sub(1).map(|index| &block[index]);
            tally += rules.maybe_skipped(before, instruction);
            if is_third_split(&block[..=index]) {
                tally = rules.lanes.count(tally, Assumption::SplitFetch, 1);
            }
        }
        tally
    }

    /// Returns the tally to add to a block's sum for a conditional load or store that was executed.
    #[must_use]
    pub fn executed(&self, instruction: &Instruction) -> Tally {
        let tally = accesses(instruction);
        match &self.rules {
            Some(rules) => {
                let mut tally = tally;
                tally += rules.beyond_skipped(instruction);
                tally
            }
            None => tally,
        }
    }

    /// Returns the tally of the transition from the last executed instruction of one block to the
    /// first instruction of the next: the pipeline refill after a taken branch, otherwise the
    /// overlap of the two instructions, which may be negative.
    #[must_use]
    pub fn edge(&self, from: &Instruction, to: &Instruction) -> Tally {
        match &self.rules {
            Some(rules) if takes(from, to) => rules.refill(from, to),
            Some(rules) => rules.maybe_skipped(Some(from), to) - rules.maybe_skipped(None, to),
            None => Tally::ZERO,
        }
    }

    /// Returns the cycles of an exception, in place of [`Model::edge`]. The caller adds the counted
    /// lanes.
    #[must_use]
    pub fn exception(&self, exception: Exception, frame: Frame) -> Tally {
        self.rules
            .as_ref()
            .map_or(Tally::ZERO, |rules| rules.exception(exception, frame))
    }

    /// Returns the fetches of `block`, for [`MemorySystem::fetch`].
    #[must_use]
    pub fn fetches(&self, block: &[Instruction]) -> Fetches {
        match (&self.rules, &self.flash) {
            (Some(rules), Some(flash)) => {
                let sums = self.block(block);
                let begins = sums.iter().map(|sum| Begin {
                    soonest: rules.lanes.low(sum),
                    latest: rules.lanes.high(sum),
                });
                Fetches::new(flash, block, &begins.collect::<Vec<_>>())
            }
            _ => Fetches::default(),
        }
    }

    /// Returns the memories in their state after reset, or `None` if no memory has wait states.
    #[must_use]
    pub fn memory(&self) -> Option<MemorySystem> {
        let (rules, flash) = (self.rules.as_ref()?, self.flash.as_ref()?);
        MemorySystem::new(flash, &rules.lanes)
    }
}

/// Returns whether the last instruction is the third consecutive 32-bit instruction that lies
/// across two words. A run of three or more such instructions waits once for the fetch unit
/// (measured, see docs/explanation/cycle-model.md).
fn is_third_split(executed: &[Instruction]) -> bool {
    let run = executed
        .iter()
        .rev()
        .take_while(|instruction| instruction.is_split());
    run.count() == 3
}

impl Rules {
    /// Returns the cost of an instruction in a block, where a conditional instruction may be
    /// skipped. Every instruction whose condition fails takes one cycle (3.3.1).
    /// [`Model::executed`] adds the rest for an access; any other conditional instruction costs
    /// between one cycle and its full cost.
    fn maybe_skipped(&self, before: Option<&Instruction>, instruction: &Instruction) -> Tally {
        if !instruction.conditional {
            return self.cost(before, instruction);
        }
        let skipped = self.lanes.count(Tally::ZERO, Assumption::Cycles, 1);
        if instruction.accesses_memory() {
            return skipped;
        }
        let most = self.lanes.high(&self.cost(before, instruction));
        self.lanes.count(skipped, Assumption::Condition, most - 1)
    }

    /// Returns the cost of an executed conditional access minus the cycle of a skipped access.
    /// Whether the access overlapped with a preceding load is left open.
    fn beyond_skipped(&self, access: &Instruction) -> Tally {
        const LESS_ONE: u32 = 1u32.wrapping_neg();
        let beyond = self
            .lanes
            .count(self.cost(None, access), Assumption::Cycles, LESS_ONE);
        if !access.class.may_overlap_load() {
            return beyond;
        }
        let overlapped = self.lanes.count(beyond, Assumption::Cycles, LESS_ONE);
        self.lanes.count(overlapped, Assumption::LoadPairing, 1)
    }

    /// Returns the pipeline refill after a taken branch.
    fn refill(&self, from: &Instruction, to: &Instruction) -> Tally {
        if !from.early {
            return self.lanes.count(Tally::ZERO, Assumption::BranchLate, 1);
        }
        let tally = self.lanes.count(Tally::ZERO, Assumption::BranchEarly, 1);
        self.lanes
            .count(tally, Assumption::SplitFetch, to.is_split().into())
    }

    fn exception(&self, exception: Exception, frame: Frame) -> Tally {
        let (assumption, count) = match exception {
            Exception::Entry => (Assumption::ExceptionEntry, 1),
            Exception::TailChain => (Assumption::Cycles, TAIL_CHAIN),
            Exception::Exit => (Assumption::ExceptionExit, 1),
        };
        let tally = self.lanes.count(Tally::ZERO, assumption, count);
        match (exception, frame) {
            (Exception::TailChain, _) | (_, Frame::Basic) => tally,
            _ => self
                .lanes
                .count(tally, Assumption::FloatContext, FLOAT_CONTEXT),
        }
    }
}
