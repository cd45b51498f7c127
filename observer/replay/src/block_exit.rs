// SPDX-License-Identifier: MIT
//! Concludes a block when the next one begins: how far the block was executed, whether an exception
//! came between them, and the tally of both.

use crate::block::{may_continue_at, Block};
use crate::core::{BlockId, Core, KnownBlock};
use crate::edges::{is_computed, Edge};
use crate::exceptions::{ExceptionChange, Jump, Transition};
use crate::log::RecordKind;
use crate::processor::{ExceptionEvent, Processor};
use std::io::Write;
use ticklab_armv7m::Arrival;
use ticklab_isa::{counted, Exception, Flow, Frame, Instruction, Tally};

/// How the running block ended.
enum BlockEnd {
    /// After this number of instructions, at least one.
    Ran(usize),
    /// With this fault of this instruction, which did not complete.
    Faulted(usize, u16),
}

impl<W: Write> Core<W> {
    #[inline(never)]
    pub(crate) fn conclude(&mut self, next: BlockId, reached: u32) {
        if self.blocks[next.0].block.is_float {
            self.frame = Frame::MaybeExtended;
        }
        let Some(running) = self.running else { return };
        let end = self.find_end(running, next, reached);
        let (BlockEnd::Ran(executed) | BlockEnd::Faulted(executed, _)) = end;
        let is_whole = executed == self.blocks[running.0].block.instructions.len();
        self.was_plain = is_whole && self.added == 0 && self.accessed.is_empty();
        self.add(running, executed);
        self.fetch(running, executed);
        match end {
            BlockEnd::Ran(_) => self.continue_at(running, executed, next),
            BlockEnd::Faulted(_, exception) => self.fault(running, executed, exception, next),
        }
        self.accessed.clear();
    }

    #[inline]
    fn find_end(&self, running: BlockId, next: BlockId, reached: u32) -> BlockEnd {
        let (from, to) = (&self.blocks[running.0].block, &self.blocks[next.0]);
        let start = to.block.start();
        let last = from.instructions.len() - 1;
        match from.stopped_at(reached) {
            // A device access that the target executed after all, in a block of its own.
            Some(stop) if from.instructions[stop].end() == start => BlockEnd::Ran(stop + 1),
            Some(stop) => match self.fault_at(&from.instructions[stop], to) {
                Some(exception) => BlockEnd::Faulted(stop, exception),
                // The same, followed by an interrupt.
                None => BlockEnd::Ran(stop + 1),
            },
            None => match last_fault(&*self.processor, from, to) {
                Some(exception) => BlockEnd::Faulted(last, exception),
                None => BlockEnd::Ran(last + 1),
            },
        }
    }

    /// Returns the fault of the instruction that stopped its block, if `to` is the fault's handler.
    fn fault_at(&self, stopped: &Instruction, to: &KnownBlock) -> Option<u16> {
        let exception = self.processor.choose(&to.handler_of, stopped, true)?;
        self.processor.is_fault(exception).then_some(exception)
    }

    /// Adds the tally of the running block's instructions up to `executed`.
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

    /// Continues at `next` after the last of `executed` instructions, with a possible exception
    /// between them.
    #[inline]
    fn continue_at(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let from = &self.blocks[running.0].block.instructions[executed - 1];
        let to = self.blocks[next.0].block.start();
        let is_handler = !self.blocks[next.0].handler_of.is_empty();
        if may_continue_at(from, to) || (is_computed(from) && !is_handler && self.stack.is_empty())
        {
            self.processor.follow(&mut self.stack, from, to);
            if let Some(frames) = &mut self.frames {
                frames.step(from, to);
            }
            return self.continue_without_exception(running, executed, next);
        }
        let active = self.stack.running();
        let change = self.infer_change(running, executed, next);
        let from = self.blocks[running.0].block.instructions[executed - 1];
        if change == ExceptionChange::default() {
            if let Some(frames) = &mut self.frames {
                frames.step(&from, to);
            }
            self.continue_without_exception(running, executed, next);
        } else {
            if let Some(frames) = &mut self.frames {
                frames.change(&change, &from, true, to);
            }
            self.apply_change(&change, active, &from, next);
        }
    }

    fn continue_without_exception(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let from = &self.blocks[running.0];
        let is_whole = executed == from.block.instructions.len();
        if let Some(edge) = from.edges.to(next).filter(|_| is_whole) {
            self.arrival = edge.arrival;
            self.tally += &(edge.tally - from.block.sums[executed]);
        } else {
            self.add_edge(running, executed, next);
        }
    }

    fn add_edge(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let to = self.blocks[next.0].block.instructions[0];
        let from = &mut self.blocks[running.0];
        let last = &from.block.instructions[executed - 1];
        self.arrival = if last.end() == to.address {
            Arrival::Sequential
        } else {
            Arrival::Branch
        };
        let mut tally = self.processor.edge(last, &to);
        self.tally += &tally;
        if executed == from.block.instructions.len() {
            self.fast_paths[running.0].learn(next);
            tally += &from.block.sums[executed];
            let arrival = self.arrival;
            from.edges.learn(next, Edge { arrival, tally });
        }
    }

    /// Returns the effect on the exception stack of a transition that no instruction explains.
    fn infer_change(
        &mut self,
        running: BlockId,
        executed: usize,
        next: BlockId,
    ) -> ExceptionChange {
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
            return ExceptionChange::default();
        }
        let handler = self.handler(&from, next);
        let is_plausible_jump =
            jump == Some(Jump::Pointer) && self.is_plausible_jump(from.address, to);
        let transition = Transition {
            from: &from,
            jump,
            to,
            handler,
            is_plausible_jump,
        };
        self.processor.apply(&mut self.stack, &transition)
    }

    /// Returns the exception whose handler begins at `next`, where `from` does not certainly lead.
    fn handler(&mut self, from: &Instruction, next: BlockId) -> Option<u16> {
        let known = self
            .processor
            .choose(&self.blocks[next.0].handler_of, from, false);
        if known.is_some() || is_computed(from) {
            return known;
        }
        Some(self.learn_handler(next, from.flow))
    }

    fn learn_handler(&mut self, next: BlockId, flow: Flow) -> u16 {
        let start = self.start(next);
        let exception = self.processor.guess(&self.image, start, flow);
        self.add_handler(start, exception);
        exception
    }

    fn is_plausible_jump(&self, from: u32, to: u32) -> bool {
        let function = |address| self.image.function(address).map(|(_, start)| start);
        function(to).is_some_and(|start| start == to || function(from) == Some(start))
    }

    /// Enters `exception`, a fault of instruction `index` of the running block.
    fn fault(&mut self, running: BlockId, index: usize, exception: u16, next: BlockId) {
        let from = self.blocks[running.0].block.instructions[index];
        let waited = self.cycles_before_retirement(index);
        self.tally += &waited;
        let active = self.stack.running();
        let change = self.stack.enter(exception, Some(from.address));
        if let Some(frames) = &mut self.frames {
            frames.change(&change, &from, false, self.blocks[next.0].block.start());
        }
        self.apply_change(&change, active, &from, next);
    }

    /// Adds the counts and costs of a change of exceptions. `active` was active before it.
    fn apply_change(
        &mut self,
        change: &ExceptionChange,
        active: u16,
        from: &Instruction,
        next: BlockId,
    ) {
        if let Some(fault) = change
            .entered
            .filter(|&exception| self.processor.is_fault(exception))
        {
            self.record(RecordKind::Fault, fault.into(), active);
        }
        self.was_plain = false;
        self.arrival = Arrival::Exception;
        let to = self.blocks[next.0].block.instructions[0];
        let exits = change.left - u32::from(change.tail_chained);
        for _ in 0..exits {
            self.tally += self.cost(Exception::Exit, active, from, &to);
        }
        self.tally[counted::LEFT] += change.left;
        if let Some(exception) = change.entered {
            self.count_entry(exception, change.tail_chained, from, &to);
        }
        if let Some(exception) = change.retracted {
            self.retract_entry(exception, from, &to);
        }
    }

    fn cost(&self, kind: Exception, exception: u16, from: &Instruction, to: &Instruction) -> Tally {
        self.processor.exception(&ExceptionEvent {
            kind,
            exception,
            frame: self.frame,
            from,
            to,
        })
    }

    /// Subtracts what [`Core::count_entry`] added since the last record.
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

/// Returns the fault of a block's last instruction: the instruction is no jump, and the handler of
/// a fault follows.
#[inline]
fn last_fault(processor: &dyn Processor, from: &Block, to: &KnownBlock) -> Option<u16> {
    if to.handler_of.is_empty() || may_continue_at(from.last(), to.block.start()) {
        return None;
    }
    let flow = from.last().flow;
    let may_fault = matches!(flow, Flow::Next | Flow::Undefined | Flow::Breakpoint);
    let exception = processor.choose(&to.handler_of, from.last(), false)?;
    (may_fault && processor.is_fault(exception)).then_some(exception)
}
