// SPDX-License-Identifier: MIT
//! Concludes a block when the next block begins: decides how far the block was executed and whether
//! an exception occurred between the two, and adds the tally of both.

use crate::block::BlockId;
use crate::core::Core;
use crate::edges::Edge;
use crate::log::LogRecordKind;
use ticklab_isa::{counted, Exception, ExceptionFrame, Flow, Instruction, Tally};
use ticklab_memory::Arrival;
use ticklab_processor::{ExceptionChange, ExceptionEvent, Jump, Transition};

/// How the running block ended.
enum BlockEnd {
    /// The block was executed up to this number of instructions, at least one.
    Ran(usize),
    /// This instruction of the block did not complete, because of this fault.
    Faulted(usize, u16),
}

impl Core<'_> {
    #[inline(never)]
    pub(crate) fn conclude(&mut self, next: BlockId, reached: u32) {
        if self.program.blocks[next.0].block.is_float {
            self.position.frame = ExceptionFrame::MaybeExtended;
        }
        let Some(running) = self.position.running else {
            return;
        };
        let end = self.find_end(running, next, reached);
        let (BlockEnd::Ran(executed) | BlockEnd::Faulted(executed, _)) = end;
        let is_whole = executed == self.program.blocks[running.0].block.instructions.len();
        self.position.was_plain =
            is_whole && self.position.added == 0 && self.position.accessed.is_empty();
        self.add(running, executed);
        self.fetch(running, executed);
        match end {
            BlockEnd::Ran(_) => self.continue_at(running, executed, next),
            BlockEnd::Faulted(_, exception) => self.fault(running, executed, exception, next),
        }
        self.position.accessed.clear();
        self.position.completed = None;
    }

    #[inline]
    fn find_end(&self, running: BlockId, next: BlockId, reached: u32) -> BlockEnd {
        let from = &self.program.blocks[running.0].block;
        let start = self.program.start(next);
        let last = from.instructions.len() - 1;
        match from.stopped_at(reached) {
            // The target did execute the device access, in a block of its own.
            Some(stop) if from.instructions[stop].end() == start => BlockEnd::Ran(stop + 1),
            Some(stop) => match self.fault_at(&from.instructions[stop], next) {
                Some(exception) => BlockEnd::Faulted(stop, exception),
                // The target did execute the device access, and then took an interrupt.
                None => BlockEnd::Ran(stop + 1),
            },
            None => match self.last_fault(running, next) {
                Some(exception) => BlockEnd::Faulted(last, exception),
                None => BlockEnd::Ran(last + 1),
            },
        }
    }

    /// Returns the fault of the instruction that stopped its block, if `next` is the fault's
    /// handler.
    fn fault_at(&self, stopped: &Instruction, next: BlockId) -> Option<u16> {
        if self.position.completed == Some(stopped.address) {
            return None;
        }
        let exception = self.program.choose(stopped, next, true)?;
        let stops = self.program.set.stops(exception, stopped);
        stops.then_some(exception)
    }

    /// Returns the fault that the last instruction of a block took, if this instruction is no jump
    /// and the handler of a fault follows.
    #[inline]
    fn last_fault(&self, running: BlockId, next: BlockId) -> Option<u16> {
        let from = self.program.blocks[running.0].block.last();
        let to = &self.program.blocks[next.0];
        if to.handler_of.is_empty() || from.may_continue_at(to.block.start()) {
            return None;
        }
        let may_fault = matches!(from.flow, Flow::Next | Flow::Undefined | Flow::Breakpoint);
        let exception = self.program.choose(from, next, false)?;
        (may_fault && self.program.set.stops(exception, from)).then_some(exception)
    }

    /// Adds the tally of the running block's instructions up to `executed`.
    #[inline]
    pub(crate) fn add(&mut self, running: BlockId, executed: usize) {
        let block = &self.program.blocks[running.0].block;
        self.account.tally += &block.sums[executed];
        if self.position.added > 0 {
            self.account.tally = self.account.tally - block.sums[self.position.added];
        }
        for (index, tally) in &block.conditional {
            let is_new = (self.position.added..executed).contains(index);
            if is_new
                && self
                    .position
                    .accessed
                    .contains(&block.instructions[*index].address)
            {
                self.account.tally += tally;
            }
        }
        self.position.added = executed;
    }

    #[inline]
    fn fetch(&mut self, running: BlockId, executed: usize) {
        if let Some(memory) = &mut self.memory {
            let fetches = &self.program.blocks[running.0].block.fetches;
            memory.fetch(
                fetches,
                executed,
                self.position.arrival,
                &mut self.account.tally,
            );
        }
    }

    /// Continues at `next` after the last of `executed` instructions, with a possible exception
    /// between them.
    #[inline]
    fn continue_at(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let block = &self.program.blocks[running.0].block;
        let from = &block.instructions[executed - 1];
        let to = self.program.blocks[next.0].block.start();
        if let Some(frames) = &mut self.frames {
            if block.stack_change.is_some_and(|index| index < executed) {
                frames.change_stack(to);
            }
        }
        let is_handler = !self.program.blocks[next.0].handler_of.is_empty();
        if from.may_continue_at(to)
            || (from.is_computed_jump() && !is_handler && self.stack.is_empty())
        {
            self.program.set.follow(&mut self.stack, from, to);
            if let Some(frames) = &mut self.frames {
                frames.step(from, to);
            }
            return self.continue_without_exception(running, executed, next);
        }
        let active = self.stack.running();
        let change = self.infer_change(running, executed, next);
        let from = self.program.blocks[running.0].block.instructions[executed - 1];
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
        let from = &self.program.blocks[running.0];
        let is_whole = executed == from.block.instructions.len();
        if let Some(edge) = from.edges.to(next).filter(|_| is_whole) {
            self.position.arrival = edge.arrival;
            self.account.tally += &edge.tally;
            self.account.tally -= &from.block.sums[executed];
            // Restores the usual successor of the block: a successor that occurs rarely, such as a
            // shorter translation of the usual one, may have replaced it.
            self.program.fast_paths[running.0].learn(next);
        } else {
            self.add_edge(running, executed, next);
        }
    }

    fn add_edge(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let before = &self.program.blocks[running.0].block.instructions[..executed];
        let to = &self.program.blocks[next.0].block.instructions;
        let marked = to.iter().position(|i| self.marks.contains_key(&i.address));
        let until_mark = &to[..marked.map_or(to.len(), |index| index + 1)];
        self.position.arrival = if before[executed - 1].end() == to[0].address {
            Arrival::Sequential
        } else {
            Arrival::Branch
        };
        let mut tally = self.program.model.edge(before, until_mark);
        self.account.tally += &tally;
        let from = &mut self.program.blocks[running.0];
        if executed == from.block.instructions.len() {
            self.program.fast_paths[running.0].learn(next);
            tally += &from.block.sums[executed];
            let arrival = self.position.arrival;
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
        let block = &self.program.blocks[running.0].block;
        let from = block.instructions[executed - 1];
        let is_whole = executed == block.instructions.len();
        let jump = block.jump.filter(|_| is_whole);
        let to = self.program.start(next);
        if self.program.handlers.reset == Some(to) && !matches!(from.flow, Flow::IndirectCall) {
            self.stack.reset();
            if let Some(frames) = &mut self.frames {
                frames.reset();
            }
            return ExceptionChange::default();
        }
        let handler = self.program.handler(&from, next);
        let is_plausible_jump =
            jump == Some(Jump::Pointer) && self.program.is_plausible_jump(from.address, to);
        let transition = Transition {
            from: &from,
            jump,
            to,
            handler,
            is_plausible_jump,
        };
        self.program.set.apply(&mut self.stack, &transition)
    }

    /// Enters `exception`, a fault of instruction `index` of the running block.
    fn fault(&mut self, running: BlockId, index: usize, exception: u16, next: BlockId) {
        let from = self.program.blocks[running.0].block.instructions[index];
        let waited = self.cycles_before_retirement(index);
        self.account.tally += &waited;
        let active = self.stack.running();
        let to = self.program.start(next);
        let change = self
            .program
            .set
            .enter(&mut self.stack, exception, &from, to);
        if let Some(frames) = &mut self.frames {
            frames.change(&change, &from, false, to);
        }
        self.apply_change(&change, active, &from, next);
    }

    /// Adds the counts and costs of entering or leaving exceptions. `active` is the exception that
    /// was active before.
    fn apply_change(
        &mut self,
        change: &ExceptionChange,
        active: u16,
        from: &Instruction,
        next: BlockId,
    ) {
        if let Some(fault) = change
            .entered
            .filter(|&exception| self.program.set.is_fault(exception))
        {
            self.record(LogRecordKind::Fault, fault.into(), active);
        }
        self.position.was_plain = false;
        self.position.arrival = Arrival::Exception;
        let to = self.program.blocks[next.0].block.instructions[0];
        let exits = change.left - u32::from(change.tail_chained);
        for _ in 0..exits {
            self.add_cost(Exception::Exit, active, from, &to);
        }
        self.account.tally[counted::LEFT] += change.left;
        if let Some(exception) = change.entered {
            self.count_entry(exception, change.tail_chained, from, &to);
        }
        if let Some(exception) = change.retracted {
            self.retract_entry(exception, from, &to);
        }
    }

    /// Adds the cycles of entering or leaving an exception. There are none without a cycle model.
    fn add_cost(&mut self, kind: Exception, exception: u16, from: &Instruction, to: &Instruction) {
        if self.is_modelling {
            self.account.tally += self.cost(kind, exception, from, to);
        }
    }

    fn cost(&self, kind: Exception, exception: u16, from: &Instruction, to: &Instruction) -> Tally {
        self.program.model.exception(&ExceptionEvent {
            kind,
            exception,
            frame: self.position.frame,
            from,
            to,
        })
    }

    /// Subtracts what [`Core::count_entry`] added to the current record, because the handler turned
    /// out to have been called as a function.
    fn retract_entry(&mut self, exception: u16, from: &Instruction, to: &Instruction) {
        self.position.arrival = Arrival::Branch;
        self.account.tally = self.account.tally - self.cost(Exception::Entry, exception, from, to);
        for lane in [counted::ENTERED, self.program.set.lane(exception)] {
            self.account.tally[lane] = self.account.tally[lane].wrapping_sub(1);
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
        self.add_cost(kind, exception, from, to);
        self.account.tally[counted::ENTERED] += 1;
        self.account.tally[counted::TAIL_CHAINED] += u32::from(tail_chained);
        let lane = self.program.set.lane(exception);
        self.account.tally[lane] += 1;
        self.position.entered = self.entries[lane];
        if let Some(memory) = &mut self.memory {
            memory.vector(
                self.program.handlers.table + 4 * u32::from(exception),
                &mut self.account.tally,
            );
        }
    }
}
