// SPDX-License-Identifier: MIT
//! Critical sections: from the instruction that makes the processor refuse interrupts of the
//! application's class to the one that admits them.
//!
//! Values in registers are not recorded. What an instruction does to a mask is read off the code in
//! front of it (effect.rs), and whether a restored mask was set off the state when it was saved.

mod effect;
mod rv32;

pub use effect::{Effect, Mask};

use crate::cells::Mixer;
use crate::code::Place;
use crate::functions::FunctionId;
use crate::tree::Sum;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use ticklab_isa::{counted, Instruction, Tally};
use ticklab_replay::Isa;

/// What an instruction of `bytes` does to the masks; `places` are those in front of it.
pub fn classify(
    isa: Isa,
    instruction: &Instruction,
    bytes: &[u8],
    places: &BTreeMap<u32, Place>,
) -> Option<Effect> {
    match isa {
        Isa::Armv7M => effect::classify(instruction, bytes, places),
        Isa::Rv32 => rv32::classify(bytes),
    }
}

/// Where a section begins and ends. No end: at the end of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extent {
    pub begins: u32,
    pub caller: Option<u32>,
    pub ends: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Sections {
    pub count: u64,
    pub own: Sum,
    /// Instructions, and in which sample.
    pub longest: u64,
    pub longest_in: usize,
}

struct Open {
    begins: u32,
    caller: Option<FunctionId>,
    /// Of the core.
    since: Tally,
}

#[derive(Default)]
pub struct Masking {
    /// One for each mask register.
    set: [bool; Mask::ALL],
    /// How often the scheduler was suspended and not resumed.
    suspended: usize,
    /// What a function saved of each register.
    saved: HashMap<(FunctionId, Mask), bool, BuildHasherDefault<Mixer>>,
    open: Option<Open>,
    pub rows: HashMap<Extent, Sections, BuildHasherDefault<Mixer>>,
    pub enters: u64,
    pub leaves: u64,
    pub unknown: u64,
}

/// A masking instruction that was executed.
pub struct Execution {
    pub effect: Effect,
    pub address: u32,
    pub function: FunctionId,
    pub caller: Option<FunctionId>,
    /// The core's, behind the instruction.
    pub total: Tally,
}

impl Masking {
    pub fn is_masked(&self) -> bool {
        self.set.contains(&true) || self.suspended > 0
    }

    /// `weight`: samples that the section counts for. True if this begins or ends a section.
    pub fn execute(&mut self, what: &Execution, weight: u64, sample: usize) -> bool {
        let before = self.is_masked();
        self.apply(what, weight);
        match (before, self.is_masked()) {
            (false, true) => self.begin(what),
            (true, false) => self.end(Some(what.address), &what.total, weight, sample),
            _ => return false,
        }
        true
    }

    fn apply(&mut self, what: &Execution, weight: u64) {
        match what.effect {
            Effect::Mask(mask) => {
                self.enters += weight;
                self.set[mask.0] = true;
            }
            Effect::Unmask(mask) => {
                self.leaves += weight;
                self.set[mask.0] = false;
            }
            Effect::Save(mask) => {
                self.saved.insert((what.function, mask), self.set[mask.0]);
            }
            Effect::Restore(mask) => {
                self.leaves += weight;
                let saved = self.saved.get(&(what.function, mask));
                self.set[mask.0] = saved.copied().unwrap_or(false);
            }
            Effect::Unknown(mask) => {
                self.unknown += weight;
                self.set[mask.0] = false;
            }
            Effect::Suspend => {
                self.enters += weight;
                self.suspended += 1;
            }
            Effect::Resume => {
                self.leaves += weight;
                self.suspended = self.suspended.saturating_sub(1);
            }
            Effect::Stack => {}
        }
    }

    /// An exception was left, and FAULTMASK with it (DDI 0403E, B1.5.8), by the instruction at
    /// `address`. True if that ends a section.
    pub fn leave_exception(
        &mut self,
        address: Option<u32>,
        total: &Tally,
        weight: u64,
        sample: usize,
    ) -> bool {
        let before = self.is_masked();
        self.set[Mask::FAULTMASK.0] = false;
        let is_end = before && !self.is_masked();
        if is_end {
            self.end(address, total, weight, sample);
        }
        is_end
    }

    fn begin(&mut self, what: &Execution) {
        self.open = Some(Open {
            begins: what.address,
            caller: what.caller,
            since: what.total,
        });
    }

    /// A sample begins or ends: an open section counts for each sample apart.
    pub fn cut(&mut self, total: &Tally, weight: u64, sample: usize) {
        if let Some(open) = &self.open {
            let (begins, caller) = (open.begins, open.caller);
            self.end(None, total, weight, sample);
            self.open = Some(Open {
                begins,
                caller,
                since: *total,
            });
        }
    }

    fn end(&mut self, ends: Option<u32>, total: &Tally, weight: u64, sample: usize) {
        let Some(open) = self.open.take() else { return };
        let own = *total - open.since;
        let length = u64::from(own[counted::INSTRUCTIONS]);
        if weight == 0 || length == 0 {
            return;
        }
        let extent = Extent {
            begins: open.begins,
            caller: open.caller.map(|function| function.0),
            ends,
        };
        let row = self.rows.entry(extent).or_default();
        row.count += weight;
        row.own.add(&own, weight);
        if length > row.longest {
            (row.longest, row.longest_in) = (length, sample);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ticklab_armv7m::decode_block;

    #[test]
    fn faultmask_goes_with_the_exception_that_set_it() {
        let mut masking = Masking::default();
        let masks = Execution {
            effect: Effect::Mask(Mask::FAULTMASK),
            address: 0x100,
            function: FunctionId(0),
            caller: None,
            total: Tally::ZERO,
        };
        assert!(masking.execute(&masks, 1, 0));
        let behind = Tally::ZERO.plus(counted::INSTRUCTIONS, 3);
        assert!(masking.leave_exception(Some(0x106), &behind, 1, 0));
        assert!(!masking.is_masked());
        let (extent, row) = masking.rows.iter().next().unwrap();
        assert_eq!((extent.ends, row.longest), (Some(0x106), 3));
    }

    #[test]
    fn suspensions_nest() {
        let mut masking = Masking::default();
        let effects = [
            Effect::Suspend,
            Effect::Suspend,
            Effect::Resume,
            Effect::Resume,
        ];
        let changes = effects.map(|effect| {
            let what = Execution {
                effect,
                address: 0x100,
                function: FunctionId(0),
                caller: None,
                total: Tally::ZERO,
            };
            masking.execute(&what, 1, 0)
        });
        assert_eq!(changes, [true, false, false, true]);
    }

    #[test]
    fn what_a_conditional_write_does_is_not_known() {
        // IT EQ; MSREQ BASEPRI, R3.
        let block = decode_block(0, &[0x08, 0xBF, 0x83, 0xF3, 0x11, 0x88]);
        let bytes = [0x83, 0xF3, 0x11, 0x88];
        let effect = classify(Isa::Armv7M, &block[1], &bytes, &Default::default());
        assert!(matches!(effect, Some(Effect::Unknown(_))), "{effect:?}");
    }
}
