// SPDX-License-Identifier: MIT
//! Shadow call stacks: which call of a function runs, in which task or active exception.
//!
//! Two marks belong to the same call if they were passed in the same frame. A mark at the first
//! instruction of a function may ask for another mark where that call returns.
//!
//! A call pushes its return address, and a computed jump to the return address of a frame leaves
//! that frame. A function that was jumped to (a tail call) runs in the frame of the function that
//! jumped. A computed jump to the address at which an earlier call returned (`longjmp`) leaves all
//! calls that were made since. Each task and each active exception has a stack of its own; tasks.rs
//! finds out which task runs.

use crate::core::Core;
use crate::log::LogRecordKind;
use crate::tasks::TaskSwitches;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use ticklab_isa::{Flow, Instruction};
use ticklab_processor::{Context, ExceptionChange};

/// The greatest number of frames in a stack. Older frames are dropped, because code that calls and
/// never returns would fill the memory.
const DEEPEST: usize = 1 << 15;

/// One call of a function that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The number of the task, or of the activation of an exception. No number is used twice.
    pub stack: u32,
    /// The number of the call. No number is used twice.
    pub frame: u32,
    /// The number of nested calls in the stack.
    pub depth: u16,
}

struct CallFrame {
    number: u32,
    /// The return address; `None` for the outermost frame.
    back: Option<u32>,
    /// Marks that are passed when this call returns.
    awaited: Vec<usize>,
}

struct Stack {
    number: u32,
    /// The frame with which the task or handler began.
    outermost: CallFrame,
    calls: Vec<CallFrame>,
    /// For each return address, the frame that last made a call with it.
    callers: FxHashMap<u32, u32>,
    /// The address of the function in which the task or handler began. A function that calls
    /// another through a pointer, before it calls any by name, is a trampoline; then this is the
    /// address of the called function.
    began_in: Option<u32>,
    may_pass_on: bool,
    /// A call or computed jump that was executed, but whose target was not reached before an
    /// exception was taken.
    pending: Option<Instruction>,
}

pub struct Frames {
    tasks: TaskSwitches,
    threads: Vec<Stack>,
    /// The tasks that a reset ended: number, and address of the function in which the task began.
    ended: Vec<(u32, u32)>,
    exceptions: Vec<Stack>,
    /// Whether a handler has changed the stack of thread mode.
    is_new_stack: bool,
    numbers: u32,
    /// For each mark at the first instruction of a function, the mark at which the function's calls
    /// return.
    calls: BTreeMap<usize, usize>,
    /// Marks to be passed because calls have just returned, each with the activation of its call.
    returned: VecDeque<(usize, Activation)>,
}

impl Frames {
    pub fn new(calls: BTreeMap<usize, usize>) -> Frames {
        let mut frames = Frames {
            tasks: TaskSwitches::default(),
            threads: Vec::new(),
            ended: Vec::new(),
            exceptions: Vec::new(),
            is_new_stack: false,
            numbers: 0,
            calls,
            returned: VecDeque::new(),
        };
        let first = frames.begin();
        frames.threads.push(first);
        frames
    }

    /// Returns the mark to be passed next because a call returned, for [`Frames::pass`].
    pub fn returned(&self) -> Option<usize> {
        self.returned.front().map(|&(mark, _)| mark)
    }

    /// Passes `mark`. Returns the activation in which it is passed.
    pub fn pass(&mut self, mark: usize) -> Activation {
        if self.returned() == Some(mark) {
            if let Some((_, activation)) = self.returned.pop_front() {
                return activation;
            }
        }
        let awaited = self.calls.get(&mark).copied();
        let top = self.running().top();
        // If the mark is passed again in the same frame, by a loop or a tail call, it is the same
        // call.
        top.awaited
            .extend(awaited.filter(|mark| !top.awaited.contains(mark)));
        self.running().activation()
    }

    /// Handles a save or a restore of a task's registers.
    pub fn context(&mut self, context: Context) {
        let in_exception = !self.exceptions.is_empty();
        if !context.is_switch(in_exception) {
            return;
        }
        self.tasks.switch(context);
        if !in_exception {
            self.resume_task();
        }
    }

    /// Continues at `to` with another stack of thread mode, at once or when the exceptions are
    /// left. If no task was restored, a new task begins.
    pub fn change_stack(&mut self, to: u32) {
        self.is_new_stack = true;
        if self.exceptions.is_empty() {
            self.resume_task();
            self.running().began_in.get_or_insert(to);
        }
    }

    /// Returns the number of each task, and the address of the function in which it began.
    pub fn tasks(&self) -> Vec<(u32, u32)> {
        let running = self.threads.iter();
        let named = running.filter_map(|stack| Some((stack.number, stack.began_in?)));
        self.ended.iter().copied().chain(named).collect()
    }

    /// Follows the execution from `from` to `to`, without an exception between them.
    pub fn step(&mut self, from: &Instruction, to: u32) {
        self.running().began_in.get_or_insert(from.address);
        match from.flow {
            Flow::Call { .. } | Flow::IndirectCall if to != from.end() || !from.conditional => {
                self.call(from, to);
            }
            Flow::Return | Flow::IndirectBranch => self.leave(to),
            _ => {}
        }
    }

    /// Applies the entry and exit of exceptions between `from` and `to`. `completed` is false if
    /// `from` faulted.
    pub fn change(
        &mut self,
        change: &ExceptionChange,
        from: &Instruction,
        completed: bool,
        to: u32,
    ) {
        for _ in 0..change.left {
            self.leave_exception();
        }
        if change.retracted.is_some() {
            self.leave_exception();
            self.running().pending = None;
        }
        if self.exceptions.is_empty() && change.left > 0 {
            self.resume_task();
        }
        match change.entered {
            Some(_) => self.enter(change, from, completed),
            None => self.resume(to),
        }
    }

    /// Clears all stacks at a reset.
    pub fn reset(&mut self) {
        self.ended = self.tasks();
        let first = self.begin();
        self.exceptions.clear();
        self.is_new_stack = false;
        self.threads = vec![first];
        self.tasks = TaskSwitches::default();
    }

    fn enter(&mut self, change: &ExceptionChange, from: &Instruction, completed: bool) {
        let is_jump = matches!(
            from.flow,
            Flow::Call { .. } | Flow::IndirectCall | Flow::Return | Flow::IndirectBranch
        );
        if completed && is_jump && change.left == 0 {
            self.running().pending = Some(*from);
        }
        let stack = self.begin();
        self.exceptions.push(stack);
    }

    /// Continues the call stack of a task or exception at `to`, after an exception.
    fn resume(&mut self, to: u32) {
        self.running().began_in.get_or_insert(to);
        if let Some(from) = self.running().pending.take() {
            self.step(&from, to);
        }
    }

    fn resume_task(&mut self) {
        if std::mem::take(&mut self.is_new_stack) && !self.tasks.is_switching() {
            self.tasks.begin();
        }
        self.tasks.resume();
        while self.threads.len() < self.tasks.count {
            let stack = self.begin();
            self.threads.push(stack);
        }
    }

    fn call(&mut self, from: &Instruction, to: u32) {
        let frame = self.frame(Some(from.end()));
        let stack = self.running();
        stack.name(from.flow, to);
        let caller = stack.top().number;
        stack.callers.insert(from.end(), caller);
        if stack.calls.len() == DEEPEST {
            stack.calls.drain(..DEEPEST / 2);
        }
        stack.calls.push(frame);
    }

    /// Leaves the innermost frame that returns to `to`, and all frames that it called.
    fn leave(&mut self, to: u32) {
        let stack = self.running();
        let innermost = stack.calls.iter().rposition(|call| call.back == Some(to));
        let Some(index) = innermost else {
            return stack.unwind(to);
        };
        stack.calls.truncate(index + 1);
        let activation = stack.activation();
        let awaited = stack.calls.pop().map(|frame| frame.awaited);
        self.pass_awaited(awaited.unwrap_or_default(), activation);
    }

    fn leave_exception(&mut self) {
        if let Some(mut stack) = self.exceptions.pop() {
            stack.calls.clear();
            let activation = stack.activation();
            self.pass_awaited(stack.outermost.awaited, activation);
        }
    }

    fn pass_awaited(&mut self, marks: Vec<usize>, activation: Activation) {
        let passed = marks.into_iter().rev().map(|mark| (mark, activation));
        self.returned.extend(passed);
    }

    fn running(&mut self) -> &mut Stack {
        match self.exceptions.last_mut() {
            Some(stack) => stack,
            None => &mut self.threads[self.tasks.current],
        }
    }

    fn begin(&mut self) -> Stack {
        Stack {
            number: self.number(),
            outermost: self.frame(None),
            calls: Vec::new(),
            callers: FxHashMap::default(),
            began_in: None,
            may_pass_on: true,
            pending: None,
        }
    }

    fn frame(&mut self, back: Option<u32>) -> CallFrame {
        CallFrame {
            number: self.number(),
            back,
            awaited: Vec::new(),
        }
    }

    fn number(&mut self) -> u32 {
        self.numbers = self.numbers.wrapping_add(1);
        self.numbers
    }
}

impl Stack {
    fn top(&mut self) -> &mut CallFrame {
        self.calls.last_mut().unwrap_or(&mut self.outermost)
    }

    /// Handles a call of `to`, which may be the function that names the task.
    fn name(&mut self, flow: Flow, to: u32) {
        if self.may_pass_on && flow == Flow::IndirectCall {
            self.began_in = Some(to);
        } else {
            self.may_pass_on = false;
        }
    }

    /// Handles a jump of `longjmp` to `to`: leaves the frames above the one whose call last
    /// returned to `to`. The calls of these frames never return, so marks at their returns are not
    /// passed.
    fn unwind(&mut self, to: u32) {
        let Some(&caller) = self.callers.get(&to) else {
            return;
        };
        if let Some(kept) = self.calls.iter().rposition(|call| call.number == caller) {
            self.calls.truncate(kept + 1);
        } else if self.outermost.number == caller {
            self.calls.clear();
        }
    }

    fn activation(&self) -> Activation {
        Activation {
            stack: self.number,
            frame: self.calls.last().unwrap_or(&self.outermost).number,
            depth: self.calls.len() as u16,
        }
    }
}

impl Core<'_> {
    /// Returns whether the target must call [`Core::context`].
    #[must_use]
    pub fn follows_calls(&self) -> bool {
        self.frames.is_some()
    }

    /// Returns the mark, for [`Core::mark`] at instruction 0, that is passed because a call
    /// returned to the running block. Call again after each mark.
    #[inline]
    #[must_use]
    pub fn returned(&self) -> Option<usize> {
        self.frames.as_ref().and_then(Frames::returned)
    }

    /// Reports that the registers of a task were saved or restored.
    pub fn context(&mut self, context: Context) {
        if let Some(frames) = &mut self.frames {
            frames.context(context);
        }
    }

    /// Records the activation in which `mark`, the mark just recorded, was passed.
    pub(crate) fn record_activation(&mut self, mark: usize) {
        let Some(frames) = &mut self.frames else {
            return;
        };
        let activation = frames.pass(mark);
        self.account
            .note(LogRecordKind::Frame, activation.frame, activation.depth);
        self.account.note(LogRecordKind::Stack, activation.stack, 0);
    }
}
