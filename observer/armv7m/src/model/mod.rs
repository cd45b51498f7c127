// SPDX-License-Identifier: MIT
//! The cycle model: what instructions, branches and exceptions add to a tally.
//!
//! A caller adds, in the order of execution: [`Model::block`] for the instructions of a block that
//! were executed, [`Model::executed`] for each conditional access among them that was seen to
//! happen, and for the way to the next block either [`Model::leave`] or [`Model::exception`].
//! [`MemorySystem`] comes on top.

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

/// Tail-chaining takes six cycles (DDI 0439D, 3.9.1).
const TAIL_CHAIN: u32 = 6;
/// What a frame with floating-point state takes longer, entry from 12 to 29 and exit from 10 to 27
/// (3.9.1).
const FLOAT_CONTEXT: u32 = 17;

/// The rules of one core with one timing profile; without a profile it only counts.
#[derive(Clone, Debug)]
pub struct Model {
    rules: Option<Rules>,
    flash: Option<Flash>,
}

impl Model {
    /// Counts instructions and accesses, and models no cycles.
    #[must_use]
    pub fn counting() -> Model {
        Model {
            rules: None,
            flash: None,
        }
    }

    /// # Errors
    /// The profile holds a number that cannot be modelled.
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

    /// The timing lanes in use: lane `COUNTED` and those behind it.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        self.rules.as_ref().map_or(&[], |rules| rules.lanes.list())
    }

    /// Sums over the block's first 0, 1, 2 … instructions, n + 1 entries, up to but without the way
    /// to whatever comes after. A conditional access is counted as skipped; see
    /// [`Model::executed`].
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

    /// What a conditional load or store adds to its block's sum because it did execute.
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

    /// What the way from the last instruction executed in one block to the first of the next adds:
    /// the refill behind a taken branch, else the overlap of neighbours, which may be negative.
    #[must_use]
    pub fn leave(&self, from: &Instruction, to: &Instruction) -> Tally {
        match &self.rules {
            Some(rules) if takes(from, to) => rules.refill(from, to),
            Some(rules) => rules.maybe_skipped(Some(from), to) - rules.maybe_skipped(None, to),
            None => Tally::ZERO,
        }
    }

    /// What an exception adds in cycles; the counted lanes are the caller's. It comes in place of
    /// [`Model::leave`].
    #[must_use]
    pub fn exception(&self, exception: Exception, frame: Frame) -> Tally {
        self.rules
            .as_ref()
            .map_or(Tally::ZERO, |rules| rules.exception(exception, frame))
    }

    /// What `block` fetches, for [`MemorySystem::fetch`].
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

    /// The memories after reset; none if nothing has wait states.
    #[must_use]
    pub fn memory(&self) -> Option<MemorySystem> {
        let (rules, flash) = (self.rules.as_ref()?, self.flash.as_ref()?);
        MemorySystem::new(flash, &rules.lanes)
    }
}

/// The third of neighbouring 32-bit instructions that each lie across two words: a run of three or
/// more waits once for the fetch unit (measured, see docs/cycle-model.md).
fn is_third_split(executed: &[Instruction]) -> bool {
    let run = executed
        .iter()
        .rev()
        .take_while(|instruction| instruction.is_split());
    run.count() == 3
}

impl Rules {
    /// The cost in a block, where a conditional instruction may be skipped: one cycle, as every
    /// instruction whose condition fails (3.3.1). An access is settled by [`Model::executed`];
    /// other instructions may cost anything up to their full price.
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

    /// What a conditional access costs beyond the cycle of a skipped one. Whether it overlapped
    /// with a load in front of it is left open.
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

    /// The refill of the pipeline behind a taken branch.
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
