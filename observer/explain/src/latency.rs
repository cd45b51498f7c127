// SPDX-License-Identifier: MIT
//! Computes the latencies of interrupts in instructions, from the moment at which an interrupt
//! becomes pending: to the first instruction of its handler, and, if another task runs afterwards
//! than the interrupted one, to the first instruction of that task.
//!
//! A target reports when the state of an interrupt changes. If several interrupts are taken before
//! a task runs again, the task's first instruction ends the latency of each of them, because it is
//! not known which of them woke the task. An interrupt that is pended before it is enabled has no
//! latency, because it waits for the application and not for the kernel.

use crate::analysis::Analysis;
use crate::timer::{Timer, TIMER};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use ticklab_isa::{counted, Flow, Instruction};
use ticklab_replay::{BlockId, Core};

/// Exceptions with lower numbers are caused by the processor itself (Armv7-M).
const FIRST_INTERRUPT: u16 = 16;

/// A change of the state of an interrupt, by its exception number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The interrupt became pending while it was enabled.
    Pending(u16),
    /// The interrupt may have become pending: software wrote an unknown value to a register that
    /// pends interrupts.
    Perhaps(u16),
    /// Software cleared the interrupt before it was taken, so it is no longer pending.
    Cleared(u16),
    /// The line of the interrupt has this level. While the level is high, the interrupt becomes
    /// pending again each time its handler returns.
    Line(u16, bool),
    /// The handler of the interrupt is about to begin.
    Taken(u16),
    /// The handler that serves all interrupts has read from the controller which interrupt was
    /// taken.
    Acknowledged(u16),
    /// The timer's interrupt becomes pending when the clock reaches this value.
    Comparand(u64),
    /// The guest set the clock, so it is not known when the timer's interrupt becomes pending.
    ClockLost,
}

impl Change {
    /// The number given to interrupt 0 of a controller whose interrupts have no exceptions of their
    /// own.
    pub const FIRST_OF_CONTROLLER: u16 = 32;
}

/// A moment at which an interrupt became pending.
#[derive(Clone, Copy)]
struct Moment {
    /// The number of instructions executed so far.
    instructions: u32,
    /// The address of the last instruction before the moment; `None` at the start of the run.
    address: Option<u32>,
}

/// The latencies of one interrupt, either to its handler or to the next task.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    /// For each latency, how often it occurred.
    pub counts: BTreeMap<u32, u64>,
    /// The address of the last instruction before the interrupt with the longest latency became
    /// pending.
    pub longest_after: Option<u32>,
}

/// The latencies of one interrupt: to its handler, and to the next task.
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
    /// The interrupts that were taken since a task last ran, each with the moment at which it
    /// became pending.
    taken: Vec<(u16, Moment)>,
    /// The task that ran before the active exceptions.
    interrupted: Option<usize>,
    /// The moment of the last exception entry, if the handler has not yet read which interrupt was
    /// taken.
    entered: Option<Moment>,
    is_acknowledging: bool,
    timer: Timer,
    /// The number of instructions at which the timer is assumed to have ended a wait.
    woken_at: Option<u32>,
    /// An interrupt that may have become pending, and the moment. It has become pending if it is
    /// taken before anything else happens.
    perhaps: Option<(u16, Moment)>,
    pub found: BTreeMap<u16, Waits>,
    /// Whether the entries of handlers, and not reported changes, show which interrupts are taken.
    has_few_events: bool,
    /// Whether the reported changes do not show when some interrupt became pending or was taken.
    pub needs_more: bool,
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

    /// Returns the number of latencies that were observed.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the lower median of the latencies; 0 if there are none.
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
    /// Creates the state at reset. `instruction_ns` is the virtual time that one instruction takes.
    pub fn new(has_few_events: bool, instruction_ns: u64) -> Interrupts {
        Interrupts {
            has_few_events,
            timer: Timer::new(instruction_ns),
            ..Interrupts::default()
        }
    }

    fn change(&mut self, change: Change, now: Moment) {
        self.needs_more |= self.perhaps.is_some() && !matches!(change, Change::Taken(_));
        match change {
            Change::Pending(number) => {
                self.pending.entry(number).or_insert(now);
            }
            Change::Perhaps(number) => {
                self.needs_more |= self.has_pending_exception();
                self.perhaps = Some((number, now));
            }
            Change::Cleared(number) => {
                self.pending.remove(&number);
            }
            Change::Line(number, is_high) => {
                self.high.insert(number, is_high);
            }
            Change::Taken(number) => self.take(number, now),
            Change::Acknowledged(number) => self.acknowledge(number, now),
            Change::Comparand(comparand) => {
                self.pending.remove(&TIMER);
                self.timer.set(comparand, now.instructions);
                self.ring(now, false);
            }
            Change::ClockLost => self.timer.lose(),
        }
    }

    /// Makes the timer's interrupt pending if it is due. `has_waited` says whether the processor
    /// has just waited for an interrupt.
    fn ring(&mut self, now: Moment, has_waited: bool) {
        let has_waited = has_waited && self.pending.is_empty();
        if self.timer.is_due(now.instructions, has_waited) {
            self.timer.ring(now.instructions);
            self.pending.insert(TIMER, now);
            self.woken_at = has_waited.then_some(now.instructions);
        }
    }

    /// Ends the latency of an interrupt whose number the handler has read. The latency ends at the
    /// entry of the exception or, if the interrupt became pending after the entry, now.
    fn acknowledge(&mut self, number: u16, now: Moment) {
        self.is_acknowledging = true;
        let since = self.pending.get(&number).map(|since| since.instructions);
        let entered = self.entered.take().filter(|entered| {
            since.is_none_or(|since| entered.instructions.wrapping_sub(since) as i32 >= 0)
        });
        self.take(number, entered.unwrap_or(now));
    }

    /// Handles the return of the handler of `exception`, which may be the handler of all
    /// interrupts.
    fn leave(&mut self, exception: u16, now: Moment) {
        let is_served = |&number: &u16| {
            number == exception || number >= Change::FIRST_OF_CONTROLLER && self.is_acknowledging
        };
        let high = self.high.iter().filter(|(_, &is_high)| is_high);
        for number in high.map(|(&number, _)| number).filter(is_served) {
            self.pending.entry(number).or_insert(now);
        }
    }

    /// Handles the entry of an exception. `task` is the task that ran last.
    fn enter(&mut self, now: Moment, task: usize) {
        self.interrupted.get_or_insert(task);
        self.entered = Some(now);
    }

    /// Returns whether an exception is pending that a write of unknown values may have cleared.
    fn has_pending_exception(&self) -> bool {
        self.pending.keys().any(|&number| number < FIRST_INTERRUPT)
    }

    fn take(&mut self, number: u16, now: Moment) {
        if number != TIMER && self.woken_at == Some(now.instructions) {
            // Something other than the timer ended the wait, after an unknown time.
            self.timer.lose();
            self.pending.remove(&TIMER);
        }
        if let Some((perhaps, since)) = self.perhaps.take() {
            self.needs_more |= perhaps != number;
            self.pending.insert(number, since);
        }
        let waits = self.found.entry(number).or_default();
        waits.taken += 1;
        let is_high = self.high.get(&number).copied().unwrap_or(false);
        let since = self.pending.remove(&number).or(is_high.then_some(now));
        let Some(since) = since else { return };
        let latency = now.instructions.wrapping_sub(since.instructions);
        waits.entry.add(latency, since.address);
        self.taken.push((number, since));
    }

    /// Ends the latencies to the next task: `task` executes its first instruction after interrupts
    /// were taken.
    fn reach(&mut self, task: usize, instructions: u32) {
        let interrupted = self.interrupted.take();
        for (number, since) in self.taken.drain(..) {
            if interrupted.is_some_and(|interrupted| interrupted != task) {
                let latency = instructions.wrapping_sub(since.instructions);
                let waits = self.found.entry(number).or_default();
                waits.wake.add(latency, since.address);
            }
        }
    }
}

impl Analysis<'_> {
    /// Handles a change of an interrupt's state that follows the running block.
    pub(crate) fn interrupt(&mut self, core: &Core, change: Change) {
        let now = self.moment(core);
        if let Some(interrupts) = &mut self.interrupts {
            interrupts.change(change, now);
        }
    }

    /// Makes the timer's interrupt pending if it is due at the end of the running block.
    #[inline]
    pub(crate) fn pass_time(&mut self, core: &Core) {
        let Some(interrupts) = &self.interrupts else {
            return;
        };
        let now = core.total()[counted::INSTRUCTIONS];
        let last = self.last_executed(core);
        let has_waited = last.is_some_and(|last| last.flow == Flow::Wait);
        if interrupts.timer.is_due(now, has_waited) {
            let moment = self.moment(core);
            if let Some(interrupts) = &mut self.interrupts {
                interrupts.ring(moment, has_waited);
            }
        }
    }

    /// Handles the entry of an exception's handler at block `next`.
    pub(crate) fn take_interrupt(&mut self, core: &Core, exception: u16, next: usize) {
        let task = self.tasks.current;
        let now = Moment {
            instructions: core.total()[counted::INSTRUCTIONS],
            address: None,
        };
        let Some(interrupts) = &mut self.interrupts else {
            return;
        };
        interrupts.enter(now, task);
        if !interrupts.has_few_events {
            return;
        }
        if !core.knows_exception(BlockId(next)) {
            interrupts.needs_more = true;
        } else if core.instruction_set().is_interrupt(exception) {
            interrupts.take(exception, now);
        }
    }

    /// Undoes an entry of a handler that turned out to be a function call.
    pub(crate) fn retract_interrupt(&mut self) {
        if let Some(interrupts) = &mut self.interrupts {
            interrupts.needs_more = interrupts.has_few_events;
        }
    }

    fn moment(&self, core: &Core) -> Moment {
        Moment {
            instructions: core.total()[counted::INSTRUCTIONS],
            address: self.last_executed(core).map(|last| last.address),
        }
    }

    fn last_executed<'a>(&self, core: &'a Core) -> Option<&'a Instruction> {
        let executed = (core.total() - self.before)[counted::INSTRUCTIONS] as usize;
        let instructions = core.code(self.running?).instructions();
        instructions.get((self.from + executed).checked_sub(1)?)
    }

    /// Handles the return of an exception's handler. An interrupt whose line is still high becomes
    /// pending again.
    pub(crate) fn leave_interrupt(&mut self, core: &Core, exception: u16) {
        let now = Moment {
            instructions: core.total()[counted::INSTRUCTIONS],
            address: None,
        };
        if let Some(interrupts) = &mut self.interrupts {
            interrupts.leave(exception, now);
        }
    }

    /// Ends the latencies to the task that runs next, unless a handler runs next.
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
        interrupts.change(Change::Pending(20), at(100));
        interrupts.change(Change::Pending(20), at(105));
        interrupts.enter(at(112), 1);
        interrupts.change(Change::Taken(20), at(112));
        interrupts.change(Change::Pending(14), at(120));
        interrupts.change(Change::Taken(14), at(125));
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
        interrupts.change(Change::Pending(15), at(u32::MAX));
        interrupts.enter(at(2), 1);
        interrupts.change(Change::Taken(15), at(2));
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
        interrupts.change(Change::Pending(20), at(1));
        interrupts.change(Change::Cleared(20), at(2));
        interrupts.change(Change::Taken(20), at(90));
        assert_eq!(interrupts.found[&20].taken, 1);
        assert_eq!(interrupts.found[&20].entry.count(), 0);
    }

    #[test]
    fn an_acknowledged_interrupt_was_taken_by_the_entry_before_if_it_was_pending() {
        let mut interrupts = Interrupts::default();
        interrupts.change(Change::Pending(59), at(10));
        interrupts.enter(at(12), 0);
        interrupts.change(Change::Pending(60), at(15));
        interrupts.change(Change::Acknowledged(59), at(20));
        interrupts.change(Change::Acknowledged(60), at(40));
        assert_eq!(counts(&interrupts.found[&59].entry), [(2, 1)]);
        assert_eq!(counts(&interrupts.found[&60].entry), [(25, 1)], "no entry");
    }

    #[test]
    fn a_line_that_stays_high_pends_again_when_all_interrupts_handler_returns() {
        let mut interrupts = Interrupts::default();
        for change in [
            Change::Line(59, true),
            Change::Pending(59),
            Change::Acknowledged(59),
        ] {
            interrupts.change(change, at(5));
        }
        interrupts.leave(6, at(30));
        interrupts.enter(at(33), 0);
        interrupts.change(Change::Acknowledged(59), at(40));
        assert_eq!(counts(&interrupts.found[&59].entry), [(0, 1), (3, 1)]);
    }

    #[test]
    fn a_timer_is_taken_after_its_moment_and_not_after_a_wait_for_something_else() {
        let taken = |is_external: bool| {
            let mut interrupts = Interrupts::new(false, 100);
            interrupts.change(Change::Comparand(10), at(0));
            interrupts.ring(at(5), true);
            if is_external {
                interrupts.change(Change::Taken(27), at(5));
            }
            interrupts.change(Change::Taken(TIMER), at(12));
            counts(&interrupts.found[&TIMER].entry)
        };
        assert_eq!(taken(false), [(7, 1)]);
        assert_eq!(taken(true), []);
    }

    #[test]
    fn what_may_be_pending_was_if_it_is_taken_next() {
        let after = |changes: &[Change]| {
            let mut interrupts = Interrupts::default();
            for (now, &change) in changes.iter().enumerate() {
                interrupts.change(change, at(now as u32));
            }
            interrupts
        };
        let (perhaps, taken) = (Change::Perhaps(14), Change::Taken(14));
        let exact = after(&[perhaps, taken]);
        assert_eq!(counts(&exact.found[&14].entry), [(1, 1)]);
        assert!(!exact.needs_more);
        for ambiguous in [
            [perhaps, perhaps],
            [perhaps, Change::Pending(14)],
            [perhaps, Change::Taken(15)],
            [perhaps, Change::Cleared(14)],
            [Change::Pending(15), perhaps],
        ] {
            assert!(after(&ambiguous).needs_more, "{ambiguous:?}");
        }
        assert!(!after(&[Change::Pending(20), perhaps, taken]).needs_more);
    }

    #[test]
    fn an_interrupt_of_a_high_line_is_taken_again_at_once() {
        let mut interrupts = Interrupts::default();
        interrupts.change(Change::Line(20, true), at(1));
        interrupts.change(Change::Pending(20), at(1));
        for now in [4, 9] {
            interrupts.change(Change::Taken(20), at(now));
        }
        assert_eq!(counts(&interrupts.found[&20].entry), [(0, 1), (3, 1)]);
        assert_eq!(interrupts.found[&20].entry.median(), 0);
    }
}
