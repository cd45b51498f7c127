// SPDX-License-Identifier: MIT
//! Follows the execution of a guest from block to block: calls, exceptions, tasks and interrupt
//! masks, and what is added to the listing and the timeline.

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
use ticklab_replay::{BlockId, Core};

/// The names of kernel services, as the porting contract defines them, begin with this prefix.
const SERVICE: &str = "bench_";

/// The exception number of the NMI. A return from the NMI keeps FAULTMASK set, unlike a return from
/// any other exception.
const NMI: u16 = 2;

impl Analysis<'_> {
    /// Follows the execution to block `next`. `from` is the block before and the number of its
    /// instructions that were executed.
    #[inline]
    pub(crate) fn follow(
        &mut self,
        core: &Core,
        from: Option<(BlockId, usize)>,
        next: usize,
        delta: &Tally,
    ) {
        let is_exceptional = delta[counted::ENTERED] != 0 || delta[counted::LEFT] != 0;
        if self.is_new_stack && self.exceptions.is_empty() {
            self.change_stack(core);
        }
        match from {
            Some((block, to)) if to > 0 && !is_exceptional => self.transfer(core, block, to, next),
            None => self.resume(core, next),
            Some(_) => self.cross_exception(core, from, next, delta),
        }
    }

    #[inline]
    pub(crate) fn transfer(&mut self, core: &Core, block: BlockId, to: usize, next: usize) {
        let from = core.code(block).instructions()[to - 1];
        let target = &self.code.blocks[next];
        let is_within = !from.is_branch() && target.start == from.end();
        if is_within && self.stack().function() == Some(target.function) {
            return;
        }
        let change = self.apply(&from, Some((block, to - 1)), next, Stack::transfer);
        self.stack_changed(core, change, &from);
    }

    /// Applies a transfer of control to the running call stack. `position` is the block and the
    /// index of the instruction `from`.
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

    /// Updates the running task and service after frames of the call stack were entered or left.
    #[inline]
    pub(crate) fn stack_changed(&mut self, core: &Core, change: StackChange, from: &Instruction) {
        let StackChange::Entered(function) = change else {
            if change != StackChange::None {
                self.end_services(core);
            }
            return;
        };
        if self.exceptions.is_empty() {
            self.name_task(function, from);
        }
        self.end_services(core);
        self.begin_service(core, function);
    }

    /// Names the running task after the function in which it began. If this function only calls
    /// another through a pointer, or continues into the next function, it is a trampoline, and the
    /// other function gives the name. Code outside the image, such as a boot ROM, gives no name.
    fn name_task(&mut self, function: FunctionId, from: &Instruction) {
        let task = self.tasks.running();
        let is_passing_on = matches!(from.flow, Flow::IndirectCall | Flow::Next)
            || task
                .began_in
                .is_some_and(|id| !self.functions.is_of_image(id));
        if task.began_in.is_none() || (task.is_beginning && is_passing_on) {
            task.began_in = Some(function);
        } else {
            task.is_beginning = false;
        }
    }

    /// Updates the call stacks when exceptions are entered or left.
    fn cross_exception(
        &mut self,
        core: &Core,
        from: Option<(BlockId, usize)>,
        next: usize,
        delta: &Tally,
    ) {
        let entered = delta[counted::ENTERED] as i32;
        let left = delta[counted::LEFT] as i32;
        if entered < 0 {
            self.exceptions.pop();
            self.retract_interrupt();
            return self.resume(core, next);
        }
        for _ in 0..left {
            if let Some((exception, stack)) = self.exceptions.pop() {
                self.handlers
                    .entry(exception)
                    .or_default()
                    .merge(&stack.depth);
                self.left = Some(self.tree.child(None, Role::Exception(exception)));
                self.note_exception(core, Kind::ExceptionLeave, exception);
                self.leave_interrupt(core, exception);
                if exception != NMI {
                    self.clear_faultmask(core, from);
                }
            }
        }
        // The task is resumed also if another exception is tail-chained, because its handler may
        // save the registers that were just restored.
        if left > 0 && self.is_new_stack && self.exceptions.is_empty() {
            self.change_stack(core);
        } else if left > 0 {
            self.resume_task(core);
        }
        if entered > 0 {
            return self.enter_exception(core, from.filter(|_| left == 0), next);
        }
        self.resume(core, next);
    }

    /// Clears FAULTMASK. `from` is the block that left the exception, and the number of its
    /// executed instructions.
    fn clear_faultmask(&mut self, core: &Core, from: Option<(BlockId, usize)>) {
        let address = from.and_then(|(block, to)| {
            let instructions = core.code(block).instructions();
            Some(instructions[to.checked_sub(1)?].address)
        });
        let total = core.total();
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

    fn enter_exception(&mut self, core: &Core, from: Option<(BlockId, usize)>, next: usize) {
        if let Some((block, to)) = from {
            self.expect_callee(core, block, to);
        }
        let exception = core.exception();
        let root = self.tree.child(None, Role::Exception(exception));
        self.tree.get(root).calls += self.windows.weight;
        self.exceptions.push((exception, Stack::new(root)));
        self.take_interrupt(core, exception, next);
        self.resume(core, next);
        self.note_exception(core, Kind::ExceptionEnter, exception);
    }

    /// Enters a function whose call was executed, but whose first instruction was not, because an
    /// exception came first. The function begins when the exception returns.
    fn expect_callee(&mut self, core: &Core, block: BlockId, to: usize) {
        let instructions = core.code(block).instructions();
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
            self.stack_changed(core, change, &from);
        }
    }

    /// Continues at block `next` on the running call stack, wherever its last instruction was.
    fn resume(&mut self, core: &Core, next: usize) {
        let start = core.code(BlockId(next)).instructions()[0];
        let change = self.apply(&start, None, next, Stack::resume);
        self.stack_changed(core, change, &start);
    }

    fn resume_task(&mut self, core: &Core) {
        let before = self.tasks.current;
        if self.tasks.resume() {
            self.switched(core, before);
        }
    }

    /// Continues with the task whose registers were restored on another stack of thread mode. If
    /// there is none, begins a new task.
    fn change_stack(&mut self, core: &Core) {
        self.is_new_stack = false;
        if self.tasks.is_switching() {
            return self.resume_task(core);
        }
        let before = self.tasks.current;
        self.tasks.enter_new();
        self.switched(core, before);
    }

    fn switched(&mut self, core: &Core, before: usize) {
        for task in self.threads.len()..self.tasks.list.len() {
            let root = self.tree.child(None, Role::Task(task));
            self.threads.push(Stack::new(root));
        }
        let (task, total) = (self.tasks.current, core.total());
        let root = self.threads[task].root;
        self.tree.get(root).calls += self.windows.weight;
        if self.timeline.is_some() {
            let now = self.timestamp(&total);
            self.note(Kind::TaskSwitch, Name::Task(task), before, now);
        }
    }

    /// Applies the effects of instructions of the running block on stack depth and interrupt masks.
    #[inline]
    pub(crate) fn execute_effects(&mut self, core: &Core, running: BlockId, range: Range<usize>) {
        if !self.code.blocks[running.0].growths.is_empty() {
            self.grow_stack(core, running, &range);
        }
        for effect in 0..self.code.blocks[running.0].effects.len() {
            let masks = self.code.blocks[running.0].effects[effect];
            if range.contains(&masks.index) {
                self.execute(core, running, masks);
            }
        }
    }

    /// Applies the changes of SP by instructions of the running block. A conditional instruction
    /// counts as executed if its memory access was reported.
    fn grow_stack(&mut self, core: &Core, running: BlockId, range: &Range<usize>) {
        for growth in 0..self.code.blocks[running.0].growths.len() {
            let (index, bytes) = self.code.blocks[running.0].growths[growth];
            let instruction = core.code(running).instructions()[index];
            let may_be_skipped = instruction.conditional;
            if range.contains(&index)
                && (!may_be_skipped || self.accessed.contains(&instruction.address))
            {
                let leaf = self.stack().leaf();
                self.stack_mut().depth.grow(bytes, leaf);
            }
        }
    }

    fn execute(&mut self, core: &Core, running: BlockId, masks: EffectAt) {
        self.is_new_stack |= masks.effect == MaskEffect::Stack;
        let block = core.code(running);
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

    /// Adds the instructions of the running block up to `to` to the listing, and applies their
    /// effects.
    pub(crate) fn list(&mut self, core: &Core, running: BlockId, to: usize) {
        let role = match self.exceptions.last() {
            Some(&(exception, _)) => Role::Exception(exception),
            None => Role::Task(self.tasks.current),
        };
        for index in self.from..to {
            let row = self.row(core, running, index);
            if let Some(listing) = &mut self.listing {
                let context = listing.context(role);
                listing.rows.push(ListingRow { context, ..row });
            }
            self.execute_effects(core, running, index..index + 1);
        }
    }

    fn row(&self, core: &Core, running: BlockId, index: usize) -> ListingRow {
        let block = core.code(running);
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

    /// Handles a mark that is passed at instruction `index` of the running block, which is about to
    /// execute.
    pub fn mark(&mut self, core: &Core, mark: usize, index: usize) {
        let total = core.total();
        let delta = total - self.before;
        if let Some(running) = self.running {
            self.attribute(core, running, index, &delta, false);
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

    /// Attributes the cost of the executed part of the last block.
    pub fn end(&mut self, core: &Core) {
        let total = core.total();
        let delta = total - self.before;
        if let Some(running) = self.running {
            let to = self.from + delta[counted::INSTRUCTIONS] as usize;
            self.attribute(core, running, to, &delta, false);
        }
        if self.span.whole {
            let (weight, sample) = (self.windows.weight, self.windows.sample);
            self.masking.cut(&total, weight, sample);
            self.suspension.cut(&total, weight, sample);
        }
    }

    /// Returns the point in time at which the core's total counts are `total`.
    pub(crate) fn timestamp(&mut self, total: &Tally) -> Timestamp {
        let grown = *total - self.counted;
        self.counted = *total;
        let count = |lane: usize| i64::from(grown[lane] as i32);
        let mut now = self.now;
        now.instructions = now
            .instructions
            .wrapping_add_signed(count(counted::INSTRUCTIONS));
        for (index, lane) in self.lanes.iter().enumerate() {
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

    fn note_exception(&mut self, core: &Core, kind: Kind, exception: u16) {
        if self.timeline.is_some() {
            let total = core.total();
            let now = self.timestamp(&total);
            let name = Name::Text(self.exception_name(core, exception));
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
        let name = self.marks[mark].clone();
        self.note(Kind::Mark, Name::Text(name), task, now);
    }

    fn begin_service(&mut self, core: &Core, function: FunctionId) {
        if self.timeline.is_none() || !self.functions.get(function).name.starts_with(SERVICE) {
            return;
        }
        let total = core.total();
        let (now, task) = (self.timestamp(&total), self.tasks.current);
        let stack = self.stack_mut();
        let depth = stack.frames.len();
        stack.services.push((depth, function));
        self.note(Kind::ServiceCall, self.name(function), task, now);
    }

    /// Ends the services whose frames are no longer in the call stack.
    fn end_services(&mut self, core: &Core) {
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
            let total = core.total();
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
