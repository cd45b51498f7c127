// SPDX-License-Identifier: MIT
//! The cycle model of Ibex: what instructions, ways between blocks and traps add to a tally.

mod lanes;
mod rules;

use lanes::LANES;
use ticklab_isa::{
    accesses, counted, Devices, Exception, Flow, Instruction, Lane, Profile, ProfileError, Tally,
    COUNTED,
};

/// The rules of Ibex with one timing profile; without a profile it only counts.
#[derive(Clone, Debug)]
pub struct Model {
    lanes: &'static [Lane],
    devices: Option<Devices>,
}

impl Model {
    /// Counts instructions and accesses, and models no cycles.
    #[must_use]
    pub fn counting() -> Model {
        Model {
            lanes: &[],
            devices: None,
        }
    }

    /// # Errors
    /// The core has no cycle model, or not with such memories.
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

    /// The timing lanes in use: lane `COUNTED` and those behind it.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        self.lanes
    }

    /// Sums over the block's first 0, 1, 2 … instructions, n + 1 entries, up to but without the way
    /// to whatever comes after.
    #[must_use]
    pub fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for (index, instruction) in block.iter().enumerate() {
            let before = index.checked_sub(1).map(|index| &block[index]);
            sum += Tally::one(counted::INSTRUCTIONS);
            sum += accesses(instruction);
            sum += self.timing(rules::own(instruction));
            sum += before.map_or(Tally::ZERO, |before| self.leave(before, instruction));
            sums.push(sum);
        }
        sums
    }

    /// What passes between the last instruction executed in one block and the first of the next.
    #[must_use]
    pub fn leave(&self, from: &Instruction, to: &Instruction) -> Tally {
        let cycles = match from.flow {
            Flow::ExceptionReturn => rules::trap_return(to),
            _ => rules::between(from, to),
        };
        self.timing(lanes::cycles(cycles))
    }

    /// Whether what `instruction` costs depends on the address that it accesses.
    #[must_use]
    pub fn needs_address(&self, instruction: &Instruction) -> bool {
        self.devices.is_some() && rules::may_reach_devices(instruction)
    }

    /// Whether anything costs by its address.
    #[must_use]
    pub fn has_devices(&self) -> bool {
        self.devices.is_some()
    }

    /// What an access adds because of its address; none if that is any other.
    #[must_use]
    pub fn access(&self, address: u32) -> Option<Tally> {
        let devices = self.devices.as_ref()?;
        let is_slow = devices.has(address);
        is_slow.then(|| lanes::cycles(devices.store_cycles))
    }

    /// What of an instruction's own cycles has passed when it retires. A mark is seen then, so that
    /// they belong in front of it: all but the last.
    #[must_use]
    pub fn waited(&self, sums: &[Tally], index: usize) -> Tally {
        let mut own = sums[index + 1] - sums[index];
        own.0[..COUNTED].fill(0);
        self.timing(own - lanes::cycles(1))
    }

    /// What a trap adds in cycles between `from` and `to`, in place of [`Model::leave`].
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
            // Left long ago, without MRET.
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
