// SPDX-License-Identifier: MIT
//! Follows the execution from block to block: calls, exceptions, tasks and masks, and the entries
//! of the listing and the timeline.

use crate::analysis::Analysis;
use crate::code::EffectAt;
use crate::functions::FunctionId;
use crate::listing::ListingRow;
use crate::masking::Execution;
use crate::stacks::{Stack, StackChange, Transfer};
use crate::timeline::{Kind, Name, Timestamp};
use crate::tree::{Role, Tree};
use std::ops::Range;
use ticklab_isa::{counted, Flow, Instruction, Tally};
use ticklab_processor::MaskEffect;
use ticklab_replay::{BlockId, Error, Event};

/// Prefix of the functions that are kernel services of the porting contract.
const SERVICE: &str = "bench_";

/// Returning from the NMI keeps FAULTMASK.
const NMI: u16 = 2;

impl Analysis<'_> {
    /// Follows the execution to block `next`. `from` is the block before and the number of its
    /// instructions that were executed.
    #[inline]
    pub(crate) fn follow(&mut self, from: Option<(BlockId, usize)>, next: usize, delta: &Tally) {
        let is_exceptional = delta[counted::ENTERED] != 0 || delta[counted::LEFT] != 0;
        if self.is_new_stack && self.exceptions.is_empty() {
            self.change_stack();
        }
        match from {
            Some((block, to)) if to > 0 && !is_exceptional => self.transfer(block, to, next),
            None => self.resume(next),
            Some(_) => self.cross_exception(from, next, delta),
        }
    }

    #[inline]
    pub(crate) fn transfer(&mut self, block: BlockId, to: usize, next: usize) {
        let from = self.player.core.code(block).instructions()[to - 1];
        let target = &self.code.blocks[next];
        let is_within = !from.is_branch() && target.start == from.end();
        if is_within && self.stack().function() == Some(target.function) {
            return;
        }
        let change = self.apply(&from, Some((block, to - 1)), next, Stack::transfer);
        self.stack_changed(change, &from);
    }

    /// Applies a transfer to the running stack. `position` is the block and index of instruction
    /// `from`.
    #[inline]
    fn apply(
        &mut self,
        from: &Instruction,
        position: Option<(BlockId, usize)>,
        next: usize,
        act: impl FnOnce(&mut Stack, &Transfer, &mut Tree) -> StackChange,
    ) -> StackChange {
        let target = &self.code.blocks[next];
        let inlined = position.map(|(block, index)| self.code.blocks[block.0].inlined(index));
        let transfer = Transfer {
            from,
            inlined: inlined.unwrap_or(&[]),
            to: target.start,
            function: target.function,
            is_start: target.is_start,
            weight: self.windows.weight,
        };
        let stack = match self.exceptions.last_mut() {
            Some((_, stack)) => stack,
            None => &mut self.threads[self.tasks.current],
        };
        act(stack, &transfer, &mut self.tree)
    }

    /// Updates tasks and services after frames were entered or left.
    #[inline]
    pub(crate) fn stack_changed(&mut self, change: StackChange, from: &Instruction) {
        let StackChange::Entered(function) = change else {
            if change != StackChange::None {
                self.end_services();
            }
            return;
        };
        if self.exceptions.is_empty() {
            self.name_task(function, from);
        }
        self.end_services();
        self.begin_service(function);
    }

    /// Names the running task after the function in which it began. A function that only calls
    /// another through a pointer, or continues into the next function, is a trampoline and does not
    /// give the name.
    fn name_task(&mut self, function: FunctionId, from: &Instruction) {
        let is_passing_on = matches!(from.flow, Flow::IndirectCall | Flow::Next);
        let task = self.tasks.running();
        if task.began_in.is_none() || (task.is_beginning && is_passing_on) {
            task.began_in = Some(function);
        } else {
            task.is_beginning = false;
        }
    }

    /// Handles the entry or the return of exceptions.
    fn cross_exception(&mut self, from: Option<(BlockId, usize)>, next: usize, delta: &Tally) {
        let entered = delta[counted::ENTERED] as i32;
        let left = delta[counted::LEFT] as i32;
        if entered < 0 {
            self.exceptions.pop();
            return self.resume(next);
        }
        for _ in 0..left {
            if let Some((exception, stack)) = self.exceptions.pop() {
                self.handlers
                    .entry(exception)
                    .or_default()
                    .merge(&stack.depth);
                self.left = Some(self.tree.child(None, Role::Exception(exception)));
                self.note_exception(Kind::ExceptionLeave, exception);
                if exception != NMI {
                    self.clear_faultmask(from);
                }
            }
        }
        // This is also needed if another exception is tail-chained, which may save what was just
        // restored.
        if left > 0 {
            self.resume_task();
        }
        if entered > 0 {
            return self.enter_exception(from.filter(|_| left == 0), next);
        }
        self.resume(next);
    }

    /// Clears FAULTMASK. `from` is the block, and the number of its executed instructions, that
    /// left the exception.
    fn clear_faultmask(&mut self, from: Option<(BlockId, usize)>) {
        let address = from.and_then(|(block, to)| {
            let instructions = self.player.core.code(block).instructions();
            Some(instructions[to.checked_sub(1)?].address)
        });
        let total = self.player.core.total();
        let (weight, sample) = (self.windows.weight, self.windows.sample);
        if self
            .masking
            .leave_exception(address, &total, weight, sample)
            && self.timeline.is_some()
        {
            let now = self.timestamp(&total);
            self.note(
                Kind::Unmasked,
                Name::Text("exception return".into()),
                self.tasks.current,
                now,
            );
        }
    }

    fn enter_exception(&mut self, from: Option<(BlockId, usize)>, next: usize) {
        if let Some((block, to)) = from {
            self.expect_callee(block, to);
        }
        let exception = self.player.core.exception();
        let root = self.tree.child(None, Role::Exception(exception));
        self.tree.get(root).calls += self.windows.weight;
        self.exceptions.push((exception, Stack::new(root)));
        self.resume(next);
        self.note_exception(Kind::ExceptionEnter, exception);
    }

    /// Enters the callee of a call that an exception interrupted before the callee's first
    /// instruction. The callee begins when the exception returns.
    fn expect_callee(&mut self, block: BlockId, to: usize) {
        let instructions = self.player.core.code(block).instructions();
        let Some(&from) = to.checked_sub(1).and_then(|last| instructions.get(last)) else {
            return;
        };
        let Flow::Call { target } = from.flow else {
            return;
        };
        if let Some(callee) = self
            .code
            .blocks
            .iter()
            .position(|block| block.start == target)
        {
            let change = self.apply(&from, Some((block, to - 1)), callee, Stack::transfer);
            self.stack_changed(change, &from);
        }
    }

    /// Continues at block `next` with the running stack, whatever the position before.
    fn resume(&mut self, next: usize) {
        let start = self.player.core.code(BlockId(next)).instructions()[0];
        let change = self.apply(&start, None, next, Stack::resume);
        self.stack_changed(change, &start);
    }

    fn resume_task(&mut self) {
        let before = self.tasks.current;
        if self.tasks.resume() {
            self.switched(before);
        }
    }

    /// Continues with the task whose stack pointer was restored in thread mode, or begins a task.
    fn change_stack(&mut self) {
        self.is_new_stack = false;
        if self.tasks.is_switching() {
            return self.resume_task();
        }
        let before = self.tasks.current;
        self.tasks.enter_new();
        self.switched(before);
    }

    fn switched(&mut self, before: usize) {
        for task in self.threads.len()..self.tasks.list.len() {
            let root = self.tree.child(None, Role::Task(task));
            self.threads.push(Stack::new(root));
        }
        let (task, total) = (self.tasks.current, self.player.core.total());
        let root = self.threads[task].root;
        self.tree.get(root).calls += self.windows.weight;
        if self.timeline.is_some() {
            let now = self.timestamp(&total);
            self.note(Kind::TaskSwitch, Name::Task(task), before, now);
        }
    }

    /// Applies the effects of these instructions of the running block on stack depth and masks.
    #[inline]
    pub(crate) fn execute_effects(&mut self, running: BlockId, range: Range<usize>) {
        if !self.code.blocks[running.0].growths.is_empty() {
            self.grow_stack(running, &range);
        }
        for effect in 0..self.code.blocks[running.0].effects.len() {
            let masks = self.code.blocks[running.0].effects[effect];
            if range.contains(&masks.index) {
                self.execute(running, masks);
            }
        }
    }

    /// Applies the changes of SP. A conditional instruction was executed if its memory access was
    /// reported.
    fn grow_stack(&mut self, running: BlockId, range: &Range<usize>) {
        for growth in 0..self.code.blocks[running.0].growths.len() {
            let (index, bytes) = self.code.blocks[running.0].growths[growth];
            let instruction = self.player.core.code(running).instructions()[index];
            let may_be_skipped = instruction.conditional;
            if range.contains(&index)
                && (!may_be_skipped || self.accessed.contains(&instruction.address))
            {
                let leaf = self.stack().leaf();
                self.stack_mut().depth.grow(bytes, leaf);
            }
        }
    }

    fn execute(&mut self, running: BlockId, masks: EffectAt) {
        self.is_new_stack |= masks.effect == MaskEffect::Stack;
        let block = self.player.core.code(running);
        let mut total = self.before - *block.sum(self.from);
        total += block.sum(masks.index + 1);
        let execution = Execution {
            effect: masks.effect,
            address: block.instructions()[masks.index].address,
            function: masks.function,
            caller: self.stack().caller(),
            total,
        };
        let (weight, sample) = (self.windows.weight, self.windows.sample);
        if matches!(masks.effect, MaskEffect::Suspend | MaskEffect::Resume) {
            self.suspension.execute(&execution, weight, sample);
        } else if self.masking.execute(&execution, weight, sample) && self.timeline.is_some() {
            let kind = if self.masking.is_masked() {
                Kind::Masked
            } else {
                Kind::Unmasked
            };
            let (now, name) = (self.timestamp(&total), self.name(masks.function));
            self.note(kind, name, self.tasks.current, now);
        }
    }

    /// Adds the running block up to `to` to the listing, and applies its effects.
    pub(crate) fn list(&mut self, running: BlockId, to: usize) {
        let role = match self.exceptions.last() {
            Some(&(exception, _)) => Role::Exception(exception),
            None => Role::Task(self.tasks.current),
        };
        for index in self.from..to {
            let row = self.row(running, index);
            if let Some(listing) = &mut self.listing {
                let context = listing.context(role);
                listing.rows.push(ListingRow { context, ..row });
            }
            self.execute_effects(running, index..index + 1);
        }
    }

    fn row(&self, running: BlockId, index: usize) -> ListingRow {
        let block = self.player.core.code(running);
        let address = block.instructions()[index].address;
        let info = &self.code.instructions[&address];
        let is_access = block.conditional().iter().any(|(known, _)| *known == index);
        ListingRow {
            address,
            context: 0,
            function: info.function(),
            depth: self.stack().frames.len() + info.chain.len() - 1,
            is_masked: self.masking.is_masked(),
            is_executed: !is_access || self.accessed.contains(&address),
        }
    }

    /// Handles a mark at instruction `index` of the running block, which is about to execute.
    pub(crate) fn mark(&mut self, mark: usize, index: usize) {
        let total = self.player.core.total();
        let delta = total - self.before;
        if let Some(running) = self.player.running() {
            self.attribute(running, index, &delta, false);
        }
        (self.before, self.from) = (total, index);
        let pass = self.passes;
        self.passes += 1;
        if self.windows.is_boundary(pass) {
            let (weight, sample) = (self.windows.weight, self.windows.sample);
            self.masking.cut(&total, weight, sample);
            self.suspension.cut(&total, weight, sample);
            self.windows.pass(pass);
        }
        if let Some(listing) = &mut self.listing {
            listing.pass(pass);
        }
        self.note_mark(mark, pass, &total);
    }

    pub(crate) fn end(&mut self, event: &Event) -> Result<(), Error> {
        self.player.play(event)?;
        let total = self.player.core.total();
        let delta = total - self.before;
        if let Some(running) = self.player.running() {
            let to = self.from + delta[counted::INSTRUCTIONS] as usize;
            self.attribute(running, to, &delta, false);
        }
        Ok(())
    }

    /// Returns the time at which the core's total is `total`.
    pub(crate) fn timestamp(&mut self, total: &Tally) -> Timestamp {
        let grown = *total - self.counted;
        self.counted = *total;
        let count = |lane: usize| i64::from(grown[lane] as i32);
        let mut now = self.now;
        now.instructions = now
            .instructions
            .wrapping_add_signed(count(counted::INSTRUCTIONS));
        for (index, lane) in self.subject.header.lanes.iter().enumerate() {
            let cycles = |each: Option<u32>| count(index) * i64::from(each.unwrap_or(0));
            now.cycles_low = now.cycles_low.wrapping_add_signed(cycles(lane.low));
            now.cycles_high = now.cycles_high.wrapping_add_signed(cycles(lane.high));
        }
        self.now = now;
        now
    }

    // --- Timeline -------------------------------------------------------------------------------

    fn name(&self, function: FunctionId) -> Name {
        Name::Text(self.functions.get(function).name.clone())
    }

    fn note(&mut self, kind: Kind, name: Name, task: usize, now: Timestamp) {
        if let Some(timeline) = &mut self.timeline {
            timeline.add(kind, name, task, now);
        }
    }

    fn note_exception(&mut self, kind: Kind, exception: u16) {
        if self.timeline.is_some() {
            let total = self.player.core.total();
            let now = self.timestamp(&total);
            let name = Name::Text(self.exception_name(exception));
            self.note(kind, name, self.tasks.current, now);
        }
    }

    fn note_mark(&mut self, mark: usize, pass: usize, total: &Tally) {
        if self.timeline.is_none() {
            return;
        }
        let (now, task) = (self.timestamp(total), self.tasks.current);
        let (ends, begins) = self.windows.ends_and_begins(pass);
        for (kind, count) in [(Kind::SpanEnd, ends), (Kind::SpanBegin, begins)] {
            for _ in 0..count {
                self.note(kind, Name::Text(self.span.name.clone()), task, now);
            }
        }
        let name = self.subject.header.marks[mark].clone();
        self.note(Kind::Mark, Name::Text(name), task, now);
    }

    fn begin_service(&mut self, function: FunctionId) {
        if self.timeline.is_none() || !self.functions.get(function).name.starts_with(SERVICE) {
            return;
        }
        let total = self.player.core.total();
        let (now, task) = (self.timestamp(&total), self.tasks.current);
        let stack = self.stack_mut();
        let depth = stack.frames.len();
        stack.services.push((depth, function));
        self.note(Kind::ServiceCall, self.name(function), task, now);
    }

    /// Ends the services whose frames are gone.
    fn end_services(&mut self) {
        if self.timeline.is_none() {
            return;
        }
        let stack = self.stack_mut();
        let depth = stack.frames.len();
        while let Some(&(at, service)) = self.stack_mut().services.last() {
            if at <= depth {
                break;
            }
            self.stack_mut().services.pop();
            let total = self.player.core.total();
            let now = self.timestamp(&total);
            self.note(
                Kind::ServiceReturn,
                self.name(service),
                self.tasks.current,
                now,
            );
        }
    }

    pub(crate) fn stack_mut(&mut self) -> &mut Stack {
        match self.exceptions.last_mut() {
            Some((_, stack)) => stack,
            None => &mut self.threads[self.tasks.current],
        }
    }
}
