// SPDX-License-Identifier: MIT
//! Computes the tallies of instructions, control-flow edges and traps on CV32E40S: the cycle model.
//!
//! An instruction may wait for one that was executed two instructions earlier. When a block is
//! compiled, the block before it is unknown, so the wait of its second instruction is counted in
//! lane `hidden_wait`. A transition replaces that count by the exact wait if no mark lies between.

mod lanes;
mod rules;

use super::{before_retirement, count, cycles, devices, may_reach_devices, store_to_device};
use crate::traps;
use lanes::{Assumption, LANES};
use rules::Bounds;
use ticklab_isa::{
    accesses, counted, Class, Devices, Exception, Flow, Instruction, Lane, Profile, ProfileError,
    Tally,
};
use ticklab_processor::{CycleModel, ExceptionEvent};

/// The cycle model of CV32E40S with one timing profile.
#[derive(Clone, Debug)]
pub struct Cv32e40s {
    devices: Option<Devices>,
}

impl Cv32e40s {
    /// # Errors
    /// The profile describes flash memory.
    pub fn new(profile: &Profile) -> Result<Cv32e40s, ProfileError> {
        Ok(Cv32e40s {
            devices: devices("cv32e40s", profile)?,
        })
    }

    /// Returns the tally of the additional cycles of `instruction` after those in `before`.
    fn additional(&self, before: &[Instruction], instruction: &Instruction) -> Tally {
        let device = self.devices.as_ref().map_or(0, |each| each.store_cycles);
        let Bounds { low, high } = rules::additional(before, instruction, device);
        count(cycles(low), Assumption::HiddenWait as usize, high - low)
    }
}

impl CycleModel for Cv32e40s {
    fn lanes(&self) -> &[Lane] {
        &LANES
    }

    fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for (index, instruction) in block.iter().enumerate() {
            sum += Tally::one(counted::INSTRUCTIONS);
            sum += accesses(instruction);
            sum += cycles(rules::own(instruction));
            if instruction.class == Class::Divide {
                sum = count(sum, Assumption::Divisor as usize, 1);
            }
            sum += self.additional(&block[..index], instruction);
            sums.push(sum);
        }
        sums
    }

    fn edge(&self, before: &[Instruction], to: &[Instruction]) -> Tally {
        let mut edge = self.additional(before, &to[0]);
        let [passed, second, ..] = to else {
            return edge;
        };
        // The block may end before the second instruction if the first one accesses memory.
        if passed.accesses_memory() {
            return edge;
        }
        let known = [before, &[*passed]].concat();
        edge += self.additional(&known, second);
        edge - self.additional(&[*passed], second)
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
        let is_return = event.from.flow == Flow::ExceptionReturn;
        match event.kind {
            Exception::Entry | Exception::TailChain => {
                let entry = rules::trap_entry(event.to);
                if !traps::is_synchronous(event.exception) {
                    return count(cycles(0), Assumption::InterruptEntry as usize, 1);
                }
                // An instruction that faults is not counted as executed, but passes all stages.
                let retired = u32::from(traps::is_fault(event.exception));
                cycles(entry + retired)
            }
            Exception::Exit if is_return => self.additional(&[*event.from], event.to),
            // The observer noticed late that a trap was left without MRET, so the exit has no cost
            // here.
            Exception::Exit => Tally::ZERO,
        }
    }
}
