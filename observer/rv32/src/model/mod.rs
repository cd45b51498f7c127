// SPDX-License-Identifier: MIT
//! Computes the tallies of instructions, control-flow edges and traps on Ibex: the cycle model.

mod lanes;
mod rules;

use crate::traps;
use lanes::LANES;
use ticklab_isa::{
    accesses, counted, Devices, Exception, Flow, Instruction, Lane, Profile, ProfileError, Tally,
    COUNTED,
};
use ticklab_processor::{CycleModel, ExceptionEvent};

/// The cycle model of Ibex with one timing profile.
#[derive(Clone, Debug)]
pub struct Model {
    devices: Option<Devices>,
}

impl Model {
    /// # Errors
    /// The profile describes flash memory.
    pub fn new(profile: &Profile) -> Result<Model, ProfileError> {
        if profile.flash.is_some() {
            return Err(ProfileError(
                "timing profile: ibex has no flash memory; take ibex-node".to_owned(),
            ));
        }
        Ok(Model {
            devices: profile.devices.clone(),
        })
    }
}

impl CycleModel for Model {
    fn lanes(&self) -> &[Lane] {
        &LANES
    }

    fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for (index, instruction) in block.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &block[index]);
            sum += Tally::one(counted::INSTRUCTIONS);
            sum += accesses(instruction);
            sum += rules::own(instruction);
            sum += before.map_or(Tally::ZERO, |before| self.edge(before, instruction));
            sums.push(sum);
        }
        sums
    }

    fn edge(&self, from: &Instruction, to: &Instruction) -> Tally {
        let cycles = match from.flow {
            Flow::ExceptionReturn => rules::trap_return(to),
            _ => rules::between(from, to),
        };
        lanes::cycles(cycles)
    }

    fn needs_address(&self, instruction: &Instruction) -> bool {
        self.devices.is_some() && rules::may_reach_devices(instruction)
    }

    fn has_history(&self) -> bool {
        self.devices.is_some()
    }

    /// Returns the additional cost of a store to `address`, or `None` if no slow device is there.
    fn access(&self, address: u32) -> Option<Tally> {
        let devices = self.devices.as_ref()?;
        let is_slow = devices.has(address);
        is_slow.then(|| lanes::cycles(devices.store_cycles))
    }

    /// Returns the cycles of an instruction before the cycle in which it retires: all but the last.
    /// A mark is observed at retirement, so these cycles come before the mark.
    fn cycles_before_retirement(&self, sums: &[Tally], index: usize) -> Tally {
        let mut own = sums[index + 1] - sums[index];
        own.0[..COUNTED].fill(0);
        own - lanes::cycles(1)
    }

    fn exception(&self, event: &ExceptionEvent) -> Tally {
        match event.kind {
            Exception::Entry | Exception::TailChain => {
                rules::trap_entry(event.from, traps::is_synchronous(event.exception))
            }
            Exception::Exit if event.from.flow == Flow::ExceptionReturn => {
                lanes::cycles(rules::trap_return(event.to))
            }
            // The observer noticed late that a trap was left without MRET, so the exit has no cost
            // here.
            Exception::Exit => Tally::ZERO,
        }
    }
}
