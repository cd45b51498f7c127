// SPDX-License-Identifier: MIT
//! Finds critical sections: from the instruction that masks the application's interrupts to the
//! instruction that unmasks them.
//!
//! A target reports no register values. So the effect of an instruction on a mask is derived from
//! the code before it (`InstructionSet::mask_effect`). An instruction that restores a mask restores
//! the state that the mask had when it was saved.

use crate::functions::FunctionId;
use crate::tree::Sum;
use rustc_hash::FxHashMap;
use ticklab_isa::{counted, Tally};
use ticklab_processor::{Mask, MaskEffect};

/// The addresses of the instructions at which a critical section begins and ends. `ends` is `None`
/// if the sample ends first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extent {
    pub begins: u32,
    pub caller: Option<u32>,
    pub ends: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Sections {
    pub count: i64,
    pub own: Sum,
    /// The length of the longest section in instructions, and the number of its sample.
    pub longest: u64,
    pub longest_in: usize,
}

struct Open {
    begins: u32,
    caller: Option<FunctionId>,
    /// The core's total counts when the section began.
    since: Tally,
}

#[derive(Default)]
pub struct Masking {
    /// Whether each mask register is set.
    set: [bool; Mask::COUNT],
    /// The number of suspensions of the scheduler that have not been resumed.
    suspended: usize,
    /// For each function and mask, whether the mask was set when the function saved it.
    saved: FxHashMap<(FunctionId, Mask), bool>,
    open: Option<Open>,
    pub rows: FxHashMap<Extent, Sections>,
    pub enters: i64,
    pub leaves: i64,
    pub unknown: i64,
}

/// An instruction that changes or saves a mask, and that was executed.
pub struct Execution {
    pub effect: MaskEffect,
    pub address: u32,
    pub function: FunctionId,
    pub caller: Option<FunctionId>,
    /// The core's total after the instruction.
    pub total: Tally,
}

impl Masking {
    pub fn is_masked(&self) -> bool {
        self.set.contains(&true) || self.suspended > 0
    }

    /// Applies an executed instruction to the masks. `weight` is how often a section counts in the
    /// sums. Returns whether a critical section begins or ends.
    pub fn execute(&mut self, execution: &Execution, weight: i64, sample: usize) -> bool {
        let before = self.is_masked();
        self.apply(execution, weight);
        match (before, self.is_masked()) {
            (false, true) => self.begin(execution),
            (true, false) => self.end(Some(execution.address), &execution.total, weight, sample),
            _ => return false,
        }
        true
    }

    fn apply(&mut self, execution: &Execution, weight: i64) {
        match execution.effect {
            MaskEffect::Mask(mask) => {
                self.enters += weight;
                self.set[mask.0] = true;
            }
            MaskEffect::Unmask(mask) => {
                self.leaves += weight;
                self.set[mask.0] = false;
            }
            MaskEffect::Save(mask) => {
                self.saved
                    .insert((execution.function, mask), self.set[mask.0]);
            }
            MaskEffect::Restore(mask) => {
                self.leaves += weight;
                let saved = self.saved.get(&(execution.function, mask));
                self.set[mask.0] = saved.copied().unwrap_or(false);
            }
            MaskEffect::Unknown(mask) => {
                self.unknown += weight;
                self.set[mask.0] = false;
            }
            MaskEffect::Suspend => {
                self.enters += weight;
                self.suspended += 1;
            }
            MaskEffect::Resume => {
                self.leaves += weight;
                self.suspended = self.suspended.saturating_sub(1);
            }
            MaskEffect::Stack => {}
        }
    }

    /// Clears FAULTMASK because the instruction at `address` left an exception (DDI 0403E, B1.5.8).
    /// Returns whether that ends a critical section.
    pub fn leave_exception(
        &mut self,
        address: Option<u32>,
        total: &Tally,
        weight: i64,
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

    fn begin(&mut self, execution: &Execution) {
        self.open = Some(Open {
            begins: execution.address,
            caller: execution.caller,
            since: execution.total,
        });
    }

    /// Divides an open critical section at the begin or the end of a sample, so that each sample
    /// counts its own part of it.
    pub fn cut(&mut self, total: &Tally, weight: i64, sample: usize) {
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

    fn end(&mut self, ends: Option<u32>, total: &Tally, weight: i64, sample: usize) {
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
        if weight > 0 && length > row.longest {
            (row.longest, row.longest_in) = (length, sample);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exception_return_clears_faultmask() {
        let mut masking = Masking::default();
        let masks = Execution {
            effect: MaskEffect::Mask(Mask::FAULTMASK),
            address: 0x100,
            function: FunctionId(0),
            caller: None,
            total: Tally::ZERO,
        };
        assert!(masking.execute(&masks, 1, 0));
        let total = Tally::ZERO.plus(counted::INSTRUCTIONS, 3);
        assert!(masking.leave_exception(Some(0x106), &total, 1, 0));
        assert!(!masking.is_masked());
        let (extent, row) = masking.rows.iter().next().unwrap();
        assert_eq!((extent.ends, row.longest), (Some(0x106), 3));
    }

    #[test]
    fn suspensions_nest() {
        let mut masking = Masking::default();
        let effects = [
            MaskEffect::Suspend,
            MaskEffect::Suspend,
            MaskEffect::Resume,
            MaskEffect::Resume,
        ];
        let changes = effects.map(|effect| {
            let execution = Execution {
                effect,
                address: 0x100,
                function: FunctionId(0),
                caller: None,
                total: Tally::ZERO,
            };
            masking.execute(&execution, 1, 0)
        });
        assert_eq!(changes, [true, false, false, true]);
    }
}
