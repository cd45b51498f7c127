// SPDX-License-Identifier: MIT
//! Computes the tallies of instructions, control-flow edges and traps on Ibex: the cycle model.

mod lanes;
mod rules;

use super::{before_retirement, cycles, devices, may_reach_devices, store_to_device};
use crate::traps;
use lanes::LANES;
use ticklab_isa::{
    accesses, counted, Devices, Exception, Flow, Instruction, Lane, Profile, ProfileError, Tally,
};
use ticklab_processor::{CycleModel, ExceptionEvent};

/// The cycle model of Ibex with one timing profile.
#[derive(Clone, Debug)]
pub struct Ibex {
    devices: Option<Devices>,
}

impl Ibex {
    /// # Errors
    /// The profile describes flash memory.
    pub fn new(profile: &Profile) -> Result<Ibex, ProfileError> {
        Ok(Ibex {
            devices: devices("ibex", profile)?,
        })
    }
}

impl CycleModel for Ibex {
    fn lanes(&self) -> &[Lane] {
        &LANES
    }

    fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for (index, instruction) in block.iter().enumerate() {
            sum += Tally::one(counted::INSTRUCTIONS);
            sum += accesses(instruction);
            sum += rules::own(instruction);
            if index > 0 {
                sum += self.edge(&block[..index], &block[index..]);
            }
            sums.push(sum);
        }
        sums
    }

    fn edge(&self, before: &[Instruction], to: &[Instruction]) -> Tally {
        let (from, to) = (&before[before.len() - 1], &to[0]);
        let refill = match from.flow {
            Flow::ExceptionReturn => rules::trap_return(to),
            _ => rules::between(from, to),
        };
        cycles(refill)
    }

    fn needs_address(&self, instruction: &Instruction) -> bool {
        self.devices.is_some() && may_reach_devices(instruction)
    }

    fn has_history(&self) -> bool {
        self.devices.is_some()
    }

    fn access(&self, address: u32) -> Option<Tally> {
        store_to_device(self.devices.as_ref()?, address)
    }

    fn cycles_before_retirement(&self, sums: &[Tally], index: usize) -> Tally {
        before_retirement(sums, index)
    }

    fn exception(&self, event: &ExceptionEvent) -> Tally {
        match event.kind {
            Exception::Entry | Exception::TailChain => {
                rules::trap_entry(event.from, traps::is_synchronous(event.exception))
            }
            Exception::Exit if event.from.flow == Flow::ExceptionReturn => {
                cycles(rules::trap_return(event.to))
            }
            // The observer noticed late that a trap was left without MRET, so the exit has no cost
            // here.
            Exception::Exit => Tally::ZERO,
        }
    }
}
