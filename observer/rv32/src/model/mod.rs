// SPDX-License-Identifier: MIT
//! Computes the tallies of instructions, control-flow edges and traps on Ibex: the cycle model.

mod lanes;
mod rules;

use lanes::LANES;
use ticklab_isa::{
    accesses, counted, Devices, Exception, Flow, Instruction, Lane, Profile, ProfileError, Tally,
    COUNTED,
};

/// The rules of Ibex with one timing profile. Without a profile, the model only counts.
#[derive(Clone, Debug)]
pub struct Model {
    lanes: &'static [Lane],
    devices: Option<Devices>,
}

impl Model {
    /// Returns a model that counts instructions and accesses but no cycles.
    #[must_use]
    pub fn counting() -> Model {
        Model {
            lanes: &[],
            devices: None,
        }
    }

    /// # Errors
    /// The core has no cycle model, or the profile describes flash memory.
    pub fn new(core: &str, profile: &Profile) -> Result<Model, ProfileError> {
        if core != "ibex" {
            return Err(ProfileError(format!(
                "core {core:?} has no cycle model; take ibex"
            )));
        }
        if profile.flash.is_some() {
            return Err(ProfileError(
                "timing profile: ibex has no flash memory; take ibex-node".to_owned(),
            ));
        }
        Ok(Model {
            lanes: &LANES,
            devices: profile.devices.clone(),
        })
    }

    /// Returns the timing lanes: lane `COUNTED` of a tally and the lanes after it.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        self.lanes
    }

    /// Returns the tallies of the block's first 0, 1, 2 … n instructions, without the transition to
    /// the next block.
    #[must_use]
    pub fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for (index, instruction) in block.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &block[index]);
            sum += Tally::one(counted::INSTRUCTIONS);
            sum += accesses(instruction);
            sum += self.timing(rules::own(instruction));
            sum += before.map_or(Tally::ZERO, |before| self.edge(before, instruction));
            sums.push(sum);
        }
        sums
    }

    /// Returns the cycles of the transition from the last executed instruction of one block to the
    /// first instruction of the next.
    #[must_use]
    pub fn edge(&self, from: &Instruction, to: &Instruction) -> Tally {
        let cycles = match from.flow {
            Flow::ExceptionReturn => rules::trap_return(to),
            _ => rules::between(from, to),
        };
        self.timing(lanes::cycles(cycles))
    }

    /// Returns whether the cost of `instruction` depends on the address that it accesses.
    #[must_use]
    pub fn needs_address(&self, instruction: &Instruction) -> bool {
        self.devices.is_some() && rules::may_reach_devices(instruction)
    }

    /// Returns whether the cost of any access depends on its address.
    #[must_use]
    pub fn has_devices(&self) -> bool {
        self.devices.is_some()
    }

    /// Returns the additional cost of a store to `address`, or `None` if no slow device is there.
    #[must_use]
    pub fn access(&self, address: u32) -> Option<Tally> {
        let devices = self.devices.as_ref()?;
        let is_slow = devices.has(address);
        is_slow.then(|| lanes::cycles(devices.store_cycles))
    }

    /// Returns the cycles of an instruction before the cycle in which it retires: all but the last.
    /// A mark is observed at retirement, so these cycles come before the mark.
    #[must_use]
    pub fn cycles_before_retirement(&self, sums: &[Tally], index: usize) -> Tally {
        let mut own = sums[index + 1] - sums[index];
        own.0[..COUNTED].fill(0);
        self.timing(own - lanes::cycles(1))
    }

    /// Returns the cycles of a trap between `from` and `to`, in place of [`Model::edge`].
    #[must_use]
    pub fn exception(
        &self,
        exception: Exception,
        is_synchronous: bool,
        from: &Instruction,
        to: &Instruction,
    ) -> Tally {
        self.timing(match exception {
            Exception::Entry | Exception::TailChain => rules::trap_entry(from, is_synchronous),
            Exception::Exit if from.flow == Flow::ExceptionReturn => {
                lanes::cycles(rules::trap_return(to))
            }
            // The trap was left earlier, without MRET.
            Exception::Exit => Tally::ZERO,
        })
    }

    fn timing(&self, tally: Tally) -> Tally {
        if self.lanes.is_empty() {
            Tally::ZERO
        } else {
            tally
        }
    }
}
