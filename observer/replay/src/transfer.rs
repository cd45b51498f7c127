// SPDX-License-Identifier: MIT
//! From one block to the next: how far the one ran, what came between, and what it all adds.

use crate::block::{leads_to, Block};
use crate::core::{BlockId, Core, Entry};
use crate::exceptions::{Jump, Passage, Step};
use crate::log::RecordKind;
use crate::processor::{Change, Processor};
use crate::ways::{is_computed, Way};
use std::io::Write;
use ticklab_armv7m::Arrival;
use ticklab_isa::{counted, Exception, Flow, Frame, Instruction, Tally};

/// How the running block ended.
enum End {
    /// After so many instructions, one at least.
    Ran(usize),
    /// With this exception, a fault of this instruction, which did not complete.
    Faulted(usize, u16),
}

impl<W: Write> Core<W> {
    #[inline(never)]
    pub(crate) fn conclude(&mut self, next: BlockId, reached: u32) {
        if self.blocks[next.0].block.is_float {
            self.frame = Frame::MaybeExtended;
        }
        let Some(running) = self.running else { return };
        let end = self.end(running, next, reached);
        let (End::Ran(executed) | End::Faulted(executed, _)) = end;
        let is_whole = executed == self.blocks[running.0].block.instructions.len();
        self.was_plain = is_whole && self.added == 0 && self.accessed.is_empty();
        self.add(running, executed);
        self.fetch(running, executed);
        match end {
            End::Ran(_) => self.go_on(running, executed, next),
            End::Faulted(_, exception) => self.fault(running, executed, exception, next),
        }
        self.accessed.clear();
    }

    #[inline]
    fn end(&self, running: BlockId, next: BlockId, reached: u32) -> End {
        let (from, to) = (&self.blocks[running.0].block, &self.blocks[next.0]);
        let start = to.block.start();
        let last = from.instructions.len() - 1;
        match from.stopped_at(reached) {
            // A device access, which the target executed by itself, after all.
            Some(stop) if from.instructions[stop].end() == start => End::Ran(stop + 1),
            Some(stop) => match self.fault_at(&from.instructions[stop], to) {
                Some(exception) => End::Faulted(stop, exception),
                // The same, and then an interrupt.
                None => End::Ran(stop + 1),
            },
            None => match last_fault(&*self.processor, from, to) {
                Some(exception) => End::Faulted(last, exception),
                None => End::Ran(last + 1),
            },
        }
    }

    /// The fault of an instruction that stopped its block, if its handler is `to`.
    fn fault_at(&self, stopped: &Instruction, to: &Entry) -> Option<u16> {
        let exception = self.processor.choose(&to.handler_of, stopped, true)?;
        self.processor.is_fault(exception).then_some(exception)
    }

    /// Adds the running block's instructions up to `executed`.
    #[inline]
    pub(crate) fn add(&mut self, running: BlockId, executed: usize) {
        let block = &self.blocks[running.0].block;
        self.tally += &block.sums[executed];
        if self.added > 0 {
            self.tally = self.tally - block.sums[self.added];
        }
        for (index, tally) in &block.conditional {
            let is_new = (self.added..executed).contains(index);
            if is_new && self.accessed.contains(&block.instructions[*index].address) {
                self.tally += tally;
            }
        }
        self.added = executed;
    }

    #[inline]
    fn fetch(&mut self, running: BlockId, executed: usize) {
        if let Some(memory) = &mut self.memory {
            let fetches = &self.blocks[running.0].block.fetches;
            memory.fetch(fetches, executed, self.arrival, &mut self.tally);
        }
    }

    /// From the last of `executed` instructions to `next`, an exception perhaps between.
    #[inline]
    fn go_on(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let from = &self.blocks[running.0].block.instructions[executed - 1];
        let to = self.blocks[next.0].block.start();
        let is_handler = !self.blocks[next.0].handler_of.is_empty();
        if leads_to(from, to) || (is_computed(from) && !is_handler && self.stack.is_empty()) {
            self.processor.follow(&mut self.stack, from, to);
            if let Some(frames) = &mut self.frames {
                frames.step(from, to);
            }
            return self.go_plainly(running, executed, next);
        }
        let active = self.stack.running();
        let passage = self.step(running, executed, next);
        let from = self.blocks[running.0].block.instructions[executed - 1];
        if passage == Passage::default() {
            if let Some(frames) = &mut self.frames {
                frames.step(&from, to);
            }
            self.go_plainly(running, executed, next);
        } else {
            if let Some(frames) = &mut self.frames {
                frames.change(&passage, &from, true, to);
            }
            self.pass(&passage, active, &from, next);
        }
    }

    fn go_plainly(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let from = &self.blocks[running.0];
        let is_whole = executed == from.block.instructions.len();
        if let Some(way) = from.ways.to(next).filter(|_| is_whole) {
            self.arrival = way.arrival;
            self.tally += &(way.tally - from.block.sums[executed]);
        } else {
            self.go_a_new_way(running, executed, next);
        }
    }

    fn go_a_new_way(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let to = self.blocks[next.0].block.instructions[0];
        let from = &mut self.blocks[running.0];
        let last = &from.block.instructions[executed - 1];
        self.arrival = if last.end() == to.address {
            Arrival::Sequential
        } else {
            Arrival::Branch
        };
        let mut tally = self.processor.leave(last, &to);
        self.tally += &tally;
        if executed == from.block.instructions.len() {
            self.short_cuts[running.0].learn(next);
            tally += &from.block.sums[executed];
            let arrival = self.arrival;
            from.ways.learn(next, Way { arrival, tally });
        }
    }

    /// What going where no instruction says did to the exception stack.
    fn step(&mut self, running: BlockId, executed: usize, next: BlockId) -> Passage {
        let block = &self.blocks[running.0].block;
        let from = block.instructions[executed - 1];
        let is_whole = executed == block.instructions.len();
        let jump = block.jump.filter(|_| is_whole);
        let to = self.start(next);
        if self.handlers.reset == Some(to) && !matches!(from.flow, Flow::IndirectCall) {
            self.stack.reset();
            if let Some(frames) = &mut self.frames {
                frames.reset();
            }
            return Passage::default();
        }
        let handler = self.handler(&from, next);
        let is_plausible_jump =
            jump == Some(Jump::Pointer) && self.is_plausible_jump(from.address, to);
        let step = Step {
            from: &from,
            jump,
            to,
            handler,
            is_plausible_jump,
        };
        self.processor.step(&mut self.stack, &step)
    }

    /// The exception whose handler begins at `next`, which `from` does not lead to for certain.
    fn handler(&mut self, from: &Instruction, next: BlockId) -> Option<u16> {
        let known = self
            .processor
            .choose(&self.blocks[next.0].handler_of, from, false);
        if known.is_some() || is_computed(from) {
            return known;
        }
        Some(self.learn(next, from.flow))
    }

    fn learn(&mut self, next: BlockId, flow: Flow) -> u16 {
        let start = self.start(next);
        let exception = self.processor.unknown(&self.image, start, flow);
        self.add_handler(start, exception);
        exception
    }

    fn is_plausible_jump(&self, from: u32, to: u32) -> bool {
        let place = |address| self.image.function(address).map(|(_, start)| start);
        place(to).is_some_and(|start| start == to || place(from) == Some(start))
    }

    /// Instruction `index` of the running block faulted.
    fn fault(&mut self, running: BlockId, index: usize, exception: u16, next: BlockId) {
        let from = self.blocks[running.0].block.instructions[index];
        let waited = self.waited(index);
        self.tally += &waited;
        let active = self.stack.running();
        let passage = self.stack.enter(exception, Some(from.address));
        if let Some(frames) = &mut self.frames {
            frames.change(&passage, &from, false, self.blocks[next.0].block.start());
        }
        self.pass(&passage, active, &from, next);
    }

    /// Adds what a change of exceptions counts and costs; `active` was active before.
    fn pass(&mut self, passage: &Passage, active: u16, from: &Instruction, next: BlockId) {
        if let Some(fault) = passage
            .entered
            .filter(|&exception| self.processor.is_fault(exception))
        {
            self.record(RecordKind::Fault, fault.into(), active);
        }
        self.was_plain = false;
        self.arrival = Arrival::Exception;
        let to = self.blocks[next.0].block.instructions[0];
        let exits = passage.left - u32::from(passage.tail_chained);
        for _ in 0..exits {
            self.tally += self.cost(Exception::Exit, active, from, &to);
        }
        self.tally[counted::LEFT] += passage.left;
        if let Some(exception) = passage.entered {
            self.count_entry(exception, passage.tail_chained, from, &to);
        }
        if let Some(exception) = passage.retracted {
            self.retract_entry(exception, from, &to);
        }
    }

    fn cost(&self, kind: Exception, exception: u16, from: &Instruction, to: &Instruction) -> Tally {
        self.processor.exception(&Change {
            kind,
            exception,
            frame: self.frame,
            from,
            to,
        })
    }

    /// Takes back what [`Core::count_entry`] added since the last record.
    fn retract_entry(&mut self, exception: u16, from: &Instruction, to: &Instruction) {
        self.arrival = Arrival::Branch;
        self.tally = self.tally - self.cost(Exception::Entry, exception, from, to);
        for lane in [counted::ENTERED, self.processor.lane(exception)] {
            self.tally[lane] = self.tally[lane].wrapping_sub(1);
        }
    }

    fn count_entry(
        &mut self,
        exception: u16,
        tail_chained: bool,
        from: &Instruction,
        to: &Instruction,
    ) {
        let kind = if tail_chained {
            Exception::TailChain
        } else {
            Exception::Entry
        };
        self.tally += self.cost(kind, exception, from, to);
        self.tally[counted::ENTERED] += 1;
        self.tally[counted::TAIL_CHAINED] += u32::from(tail_chained);
        let lane = self.processor.lane(exception);
        self.tally[lane] += 1;
        self.note_entry(lane);
        if let Some(memory) = &mut self.memory {
            memory.vector(
                self.handlers.table + 4 * u32::from(exception),
                &mut self.tally,
            );
        }
    }
}

/// The fault of a block's last instruction: that is no jump, and a fault's handler follows.
#[inline]
fn last_fault(processor: &dyn Processor, from: &Block, to: &Entry) -> Option<u16> {
    if to.handler_of.is_empty() || leads_to(from.last(), to.block.start()) {
        return None;
    }
    let flow = from.last().flow;
    let may_fault = matches!(flow, Flow::Next | Flow::Undefined | Flow::Breakpoint);
    let exception = processor.choose(&to.handler_of, from.last(), false)?;
    (may_fault && processor.is_fault(exception)).then_some(exception)
}
