// SPDX-License-Identifier: MIT
//! The shadow exception stack: the active exceptions, inferred from the flow of execution.
//!
//! A target reports executed blocks, but no exceptions. The instruction set's crate (armv7m,
//! armv7a, rv32) decides what the transition from one block to the next means; this file applies
//! the result to the stack.
//!
//! Only one activation of each exception can exist: Armv7-M forbids more, and no RISC-V kernel has
//! more. So if an exception is entered while it is active, the shadow stack has missed an exit, and
//! corrects itself.

use ticklab_isa::Instruction;

/// The possible meanings of the computed jump at the end of a block, as its code shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A return to the caller, or, if no call is active, from the exception.
    Return,
    /// Certainly a return from the exception.
    ExceptionReturn,
    /// A jump to an address from memory or from an earlier block: a tail call through a pointer, a
    /// jump table, or an exception return.
    Pointer,
}

/// One active exception.
#[derive(Clone, Debug)]
pub struct Active {
    pub exception: u16,
    /// The address of the interrupted code, if known.
    pub interrupted: Option<u32>,
    /// Return addresses of the functions that the handler has called.
    pub calls: Vec<u32>,
    /// The address after the call, if the handler may have been called as a function.
    pub called_from: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct ExceptionStack {
    pub active: Vec<Active>,
    /// The number of interrupts that software requested and that were not entered yet.
    requests: u32,
    /// An empty list whose memory is reused for the calls of the next exception.
    no_calls: Vec<u32>,
}

/// A transition from one block to the next.
pub struct Transition<'a> {
    /// The last instruction executed.
    pub from: &'a Instruction,
    /// The possible meaning of the last instruction, if it is a computed jump.
    pub jump: Option<Jump>,
    pub to: u32,
    /// The exception whose handler begins at `to`.
    pub handler: Option<u16>,
    /// Whether `from` may jump to `to`: `to` is the start of a function, or in the same function.
    pub is_plausible_jump: bool,
}

/// The effect of a transition on the exception stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExceptionChange {
    /// The number of exceptions that were left. It is more than one only if the observer missed
    /// exits before.
    pub left: u32,
    pub entered: Option<u16>,
    /// Whether the exception was entered by tail-chaining from the one that was left.
    pub tail_chained: bool,
    /// The exception whose earlier entry turns out to have been a function call, because its
    /// handler returned to the caller.
    pub retracted: Option<u16>,
}

impl ExceptionChange {
    pub const NONE: ExceptionChange = ExceptionChange {
        left: 0,
        entered: None,
        tail_chained: false,
        retracted: None,
    };
}

impl ExceptionStack {
    /// Confirms all entries of exceptions so far, because a record is written, and entries in a
    /// record can no longer be retracted.
    pub fn confirm(&mut self) {
        for active in &mut self.active {
            active.called_from = None;
        }
    }

    /// Returns the number of the running exception; 0 in thread mode.
    pub fn running(&self) -> u16 {
        self.active.last().map_or(0, |active| active.exception)
    }

    pub fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    pub fn is_active(&self, exception: u16) -> bool {
        self.active
            .iter()
            .any(|active| active.exception == exception)
    }

    /// Notes that software requested an interrupt.
    pub fn request(&mut self) {
        self.requests = self.requests.saturating_add(1);
    }

    /// Returns whether an interrupt that software requested was outstanding. If so, removes one
    /// request.
    pub fn take_request(&mut self) -> bool {
        let is_requested = self.requests > 0;
        self.requests = self.requests.saturating_sub(1);
        is_requested
    }

    /// Clears the stack at a reset.
    pub fn reset(&mut self) {
        self.active.clear();
        self.requests = 0;
    }

    /// Enters `exception`, which interrupted the execution at `interrupted`.
    pub fn enter(&mut self, exception: u16, interrupted: Option<u32>) -> ExceptionChange {
        let missed = self
            .active
            .iter()
            .position(|active| active.exception == exception);
        let kept = missed.unwrap_or(self.active.len());
        let left = (self.active.len() - kept) as u32;
        self.active.truncate(kept);
        self.active.push(Active {
            exception,
            interrupted,
            calls: std::mem::take(&mut self.no_calls),
            called_from: None,
        });
        ExceptionChange {
            left,
            entered: Some(exception),
            ..ExceptionChange::NONE
        }
    }

    /// Leaves the running exception. Returns the interrupted address, if known, or `None` if no
    /// exception was active.
    pub fn leave(&mut self) -> Option<Option<u32>> {
        let ended = self.active.pop()?;
        self.no_calls = ended.calls;
        self.no_calls.clear();
        Some(ended.interrupted)
    }
}
