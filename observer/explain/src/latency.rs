// SPDX-License-Identifier: MIT
//! Computes the latencies of interrupts in instructions, from the moment at which an interrupt
//! becomes pending: to the first instruction of its handler, and, if another task runs afterwards
//! than the interrupted one, to the first instruction of that task.
//!
//! A target reports when the state of an interrupt changes. If several interrupts are taken before
//! a task runs again, the task's first instruction ends the latency of each of them, because it is
//! not known which of them woke the task. An interrupt that was pending before it was enabled has
//! no latency: it waited for the program and not for the kernel.

use crate::analysis::Analysis;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use ticklab_isa::counted;
use ticklab_replay::{BlockId, Core};

/// A change of the state of an interrupt, by its exception number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It became pending, while it was enabled.
    Pending(u16),
    /// It was cleared: it is no longer pending, and was not taken.
    Cleared(u16),
    /// Its line has this level. While the level is high, the interrupt becomes pending again each
    /// time its handler returns.
    Line(u16, bool),
    /// Its handler is about to begin.
    Taken(u16),
}

/// A moment at which an interrupt became pending.
#[derive(Clone, Copy)]
struct Moment {
    /// The core's count of instructions.
    instructions: u32,
    /// The last instruction that was executed before the moment; `None` at the start.
    address: Option<u32>,
}

/// One kind of latency of one interrupt.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    /// How often each latency occurred.
    pub counts: BTreeMap<u32, u64>,
    /// The last instruction before the longest latency began.
    pub longest_after: Option<u32>,
}

/// Both latencies of one interrupt.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    pub taken: u64,
    pub entry: Latencies,
    pub wake: Latencies,
}

#[derive(Default)]
pub struct Interrupts {
    pending: FxHashMap<u16, Moment>,
    high: FxHashMap<u16, bool>,
    /// The interrupts taken since a task ran, and the task that they interrupted.
    taken: Vec<(u16, Moment)>,
    interrupted: usize,
    pub found: BTreeMap<u16, Waits>,
    /// Whether entries of handlers tell what is taken.
    has_few_events: bool,
    /// Whether an entry did not tell which interrupt was taken.
    pub needs_all: bool,
}

impl Latencies {
    fn add(&mut self, latency: u32, after: Option<u32>) {
        let is_longest = self
            .counts
            .last_key_value()
            .is_none_or(|(&l, _)| latency > l);
        if is_longest {
            self.longest_after = after;
        }
        *self.counts.entry(latency).or_default() += 1;
    }

    /// Returns the number of latencies.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the lower median; 0 if there are none.
    #[must_use]
    pub fn median(&self) -> u32 {
        let mut left = self.count().div_ceil(2);
        for (&latency, &count) in &self.counts {
            if left <= count {
                return latency;
            }
            left -= count;
        }
        0
    }
}

impl Interrupts {
    pub fn new(has_few_events: bool) -> Interrupts {
        Interrupts {
            has_few_events,
            ..Interrupts::default()
        }
    }

    fn change(&mut self, change: Change, now: Moment, task: usize) {
        match change {
            Change::Pending(number) => {
                self.pending.entry(number).or_insert(now);
            }
            Change::Cleared(number) => {
                self.pending.remove(&number);
            }
            Change::Line(number, is_high) => {
                self.high.insert(number, is_high);
            }
            Change::Taken(number) => self.take(number, now, task),
        }
    }

    fn take(&mut self, number: u16, now: Moment, task: usize) {
        let waits = self.found.entry(number).or_default();
        waits.taken += 1;
        let is_high = self.high.get(&number).copied().unwrap_or(false);
        let since = self.pending.remove(&number).or(is_high.then_some(now));
        let Some(since) = since else { return };
        let latency = now.instructions.wrapping_sub(since.instructions);
        waits.entry.add(latency, since.address);
        if self.taken.is_empty() {
            self.interrupted = task;
        }
        self.taken.push((number, since));
    }

    /// Ends the latencies to a task at the first instruction that `task` executes after interrupts.
    fn reach(&mut self, task: usize, instructions: u32) {
        for (number, since) in self.taken.drain(..) {
            if task != self.interrupted {
                let latency = instructions.wrapping_sub(since.instructions);
                let waits = self.found.entry(number).or_default();
                waits.wake.add(latency, since.address);
            }
        }
    }
}

impl Analysis<'_> {
    /// Handles a change of an interrupt's state, at the end of the running block.
    pub(crate) fn interrupt(&mut self, core: &Core, change: Change) {
        let (now, task) = (self.moment(core), self.tasks.current);
        if let Some(interrupts) = &mut self.interrupts {
            interrupts.change(change, now, task);
        }
    }

    /// Handles the entry of an exception's handler at block `next`.
    pub(crate) fn take_interrupt(&mut self, core: &Core, exception: u16, next: usize) {
        let task = self.tasks.current;
        let now = Moment {
            instructions: core.total()[counted::INSTRUCTIONS],
            address: None,
        };
        let Some(interrupts) = self.interrupts.as_mut().filter(|i| i.has_few_events) else {
            return;
        };
        if !core.knows_exception(BlockId(next)) {
            interrupts.needs_all = true;
        } else if core.instruction_set().is_interrupt(exception) {
            interrupts.take(exception, now, task);
        }
    }

    /// Handles an entry that was a call after all.
    pub(crate) fn retract_interrupt(&mut self) {
        if let Some(interrupts) = &mut self.interrupts {
            interrupts.needs_all = interrupts.has_few_events;
        }
    }

    fn moment(&self, core: &Core) -> Moment {
        let total = core.total();
        let executed = (total - self.before)[counted::INSTRUCTIONS] as usize;
        let last = self.running.and_then(|running| {
            let instructions = core.code(BlockId(running.0)).instructions();
            instructions.get((self.from + executed).checked_sub(1)?)
        });
        Moment {
            instructions: total[counted::INSTRUCTIONS],
            address: last.map(|last| last.address),
        }
    }

    /// Handles the return of an exception's handler: an interrupt whose line is still high is
    /// pending again.
    pub(crate) fn leave_interrupt(&mut self, core: &Core, exception: u16) {
        let now = Moment {
            instructions: core.total()[counted::INSTRUCTIONS],
            address: None,
        };
        if let Some(interrupts) = &mut self.interrupts {
            if interrupts.high.get(&exception) == Some(&true) {
                interrupts.pending.entry(exception).or_insert(now);
            }
        }
    }

    /// Ends the latencies to the task that is about to run, unless a handler is about to run.
    pub(crate) fn reach_task(&mut self, core: &Core) {
        let (task, total) = (self.tasks.current, core.total());
        if let Some(interrupts) = self
            .interrupts
            .as_mut()
            .filter(|_| self.exceptions.is_empty())
        {
            interrupts.reach(task, total[counted::INSTRUCTIONS]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(instructions: u32) -> Moment {
        Moment {
            instructions,
            address: Some(instructions),
        }
    }

    fn counts(latencies: &Latencies) -> Vec<(u32, u64)> {
        latencies.counts.iter().map(|(&l, &c)| (l, c)).collect()
    }

    #[test]
    fn an_interrupt_waits_from_its_first_pending_to_its_handler_and_to_another_task() {
        let mut interrupts = Interrupts::default();
        interrupts.change(Change::Pending(20), at(100), 1);
        interrupts.change(Change::Pending(20), at(105), 1);
        interrupts.change(Change::Taken(20), at(112), 1);
        interrupts.change(Change::Pending(14), at(120), 1);
        interrupts.change(Change::Taken(14), at(125), 1);
        interrupts.reach(2, 160);
        let (device, switch) = (&interrupts.found[&20], &interrupts.found[&14]);
        assert_eq!(counts(&device.entry), [(12, 1)]);
        assert_eq!(counts(&device.wake), [(60, 1)]);
        assert_eq!(device.entry.longest_after, Some(100));
        assert_eq!(counts(&switch.entry), [(5, 1)]);
        assert_eq!(counts(&switch.wake), [(40, 1)]);
    }

    #[test]
    fn an_interrupt_that_wakes_nobody_has_no_latency_to_a_task() {
        let mut interrupts = Interrupts::default();
        interrupts.change(Change::Pending(15), at(u32::MAX), 1);
        interrupts.change(Change::Taken(15), at(2), 1);
        interrupts.reach(1, 30);
        assert_eq!(
            counts(&interrupts.found[&15].entry),
            [(3, 1)],
            "counts wrap"
        );
        assert_eq!(interrupts.found[&15].wake.count(), 0);
        interrupts.reach(2, 60);
        assert_eq!(
            interrupts.found[&15].wake.count(),
            0,
            "a later switch is another's"
        );
    }

    #[test]
    fn what_was_cleared_or_pending_before_it_was_enabled_has_no_latency() {
        let mut interrupts = Interrupts::default();
        interrupts.change(Change::Pending(20), at(1), 0);
        interrupts.change(Change::Cleared(20), at(2), 0);
        interrupts.change(Change::Taken(20), at(90), 0);
        assert_eq!(interrupts.found[&20].taken, 1);
        assert_eq!(interrupts.found[&20].entry.count(), 0);
    }

    #[test]
    fn an_interrupt_of_a_high_line_is_taken_again_at_once() {
        let mut interrupts = Interrupts::default();
        interrupts.change(Change::Line(20, true), at(1), 0);
        interrupts.change(Change::Pending(20), at(1), 0);
        for now in [4, 9] {
            interrupts.change(Change::Taken(20), at(now), 0);
        }
        assert_eq!(counts(&interrupts.found[&20].entry), [(0, 1), (3, 1)]);
        assert_eq!(interrupts.found[&20].entry.median(), 0);
    }
}
