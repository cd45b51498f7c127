// SPDX-License-Identifier: MIT
//! Computes the tallies of instructions, control-flow edges and exceptions: the cycle model.
//!
//! [`CycleModel`] says in which order the caller adds these tallies. [`MemorySystem`] adds the
//! stalls of memory.

mod lanes;
mod rules;

use crate::register;
pub(crate) use lanes::{Assumption, Lanes};
use rules::Rules;
use ticklab_isa::{
    accesses, counted, takes, Exception, ExceptionFrame, Flash, Instruction, Lane, Profile,
    ProfileError, Tally,
};
use ticklab_memory::{Begin, Fetches, MemorySystem};
use ticklab_processor::{CycleModel, ExceptionEvent};

/// A processor core that has a cycle model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    CortexM3,
    CortexM4,
    CortexM4F,
}

impl Core {
    /// Returns the core whose name in plans is `name`. The core must have a cycle model.
    pub(crate) fn named(name: &str) -> Core {
        match name {
            "cortex-m3" => Core::CortexM3,
            "cortex-m4" => Core::CortexM4,
            _ => Core::CortexM4F,
        }
    }
}

/// Tail-chaining takes six cycles (DDI 0439D, 3.9.1).
const TAIL_CHAIN: u32 = 6;
/// The additional cycles of a frame with floating-point state: entry takes 29 instead of 12, exit
/// 27 instead of 10 (3.9.1).
const FLOAT_CONTEXT: u32 = 17;

/// The cycle model of one core with one timing profile.
#[derive(Clone, Debug)]
pub struct Model {
    rules: Rules,
    flash: Option<Flash>,
}

impl Model {
    /// # Errors
    /// The profile has a number outside its range, or describes devices.
    pub fn new(core: Core, profile: &Profile) -> Result<Model, ProfileError> {
        profile.check()?;
        if profile.devices.is_some() {
            let message = "timing profile: devices are modelled on ibex only; take them out";
            return Err(ProfileError(message.to_owned()));
        }
        Ok(Model {
            rules: Rules::new(core, Lanes::new(core, profile)),
            flash: profile.flash.clone(),
        })
    }

    fn in_block(&self, block: &[Instruction], index: usize) -> Tally {
        let instruction = &block[index];
        let before = index.checked_sub(1).map(|index| &block[index]);
        let mut tally = Tally::one(counted::INSTRUCTIONS);
        if !instruction.conditional {
            tally += accesses(instruction);
        }
        tally += self.rules.maybe_skipped(before, instruction);
        if is_third_split(&block[..=index]) {
            tally = self.rules.lanes.count(tally, Assumption::SplitFetch, 1);
        }
        tally
    }
}

impl CycleModel for Model {
    fn lanes(&self) -> &[Lane] {
        self.rules.lanes.list()
    }

    fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for index in 0..block.len() {
            sum += self.in_block(block, index);
            sums.push(sum);
        }
        sums
    }

    fn executed(&self, instruction: &Instruction) -> Tally {
        let mut tally = accesses(instruction);
        tally += self.rules.beyond_skipped(instruction);
        tally
    }

    /// Returns the pipeline refill after a taken branch, otherwise the overlap of the two
    /// instructions, which may be negative.
    fn edge(&self, before: &[Instruction], to: &[Instruction]) -> Tally {
        let (from, to) = (&before[before.len() - 1], &to[0]);
        if takes(from, to) {
            self.rules.refill(from, to)
        } else {
            self.rules.maybe_skipped(Some(from), to) - self.rules.maybe_skipped(None, to)
        }
    }

    fn exception(&self, event: &ExceptionEvent) -> Tally {
        self.rules.exception(event.kind, event.frame)
    }

    fn fetches(&self, block: &[Instruction]) -> Fetches {
        let Some(flash) = &self.flash else {
            return Fetches::default();
        };
        let sums = self.block(block);
        let begins = sums.iter().map(|sum| Begin {
            soonest: self.rules.lanes.low(sum),
            latest: self.rules.lanes.high(sum),
        });
        Fetches::new(flash, block, &begins.collect::<Vec<_>>())
    }

    fn memory(&self) -> Option<MemorySystem> {
        let flash = self.flash.as_ref()?;
        Some(MemorySystem::new(flash, self.rules.lanes.stalls()?))
    }

    /// Literals have known addresses, and stacks are never in memory with wait states. So the
    /// target need not report the addresses of such accesses.
    fn needs_address(&self, instruction: &Instruction) -> bool {
        let is_known = instruction.literal.is_some() && !instruction.conditional;
        let is_stack = instruction.base.contains(register::SP);
        self.has_history() && instruction.reads > 0 && !is_known && !is_stack
    }

    fn has_history(&self) -> bool {
        self.flash.is_some()
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
    /// skipped. Every instruction whose condition fails takes one cycle (3.3.1). For a memory
    /// access that was executed, [`CycleModel::executed`] adds the rest. Any other conditional
    /// instruction costs between one cycle and its full cost.
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

    fn exception(&self, exception: Exception, frame: ExceptionFrame) -> Tally {
        let (assumption, count) = match exception {
            Exception::Entry => (Assumption::ExceptionEntry, 1),
            Exception::TailChain => (Assumption::Cycles, TAIL_CHAIN),
            Exception::Exit => (Assumption::ExceptionExit, 1),
        };
        let tally = self.lanes.count(Tally::ZERO, assumption, count);
        match (exception, frame) {
            (Exception::TailChain, _) | (_, ExceptionFrame::Basic) => tally,
            _ => self
                .lanes
                .count(tally, Assumption::FloatContext, FLOAT_CONTEXT),
        }
    }
}
