// SPDX-License-Identifier: MIT
//! The shadow of the exception stack: which exceptions are active, inferred from where execution
//! goes.
//!
//! A target shows blocks, no exceptions. What a step from one block to the next means is the
//! processor's to say (processor/); here is what it changes.
//!
//! An exception that is active twice, which Armv7-M forbids and no kernel for RISC-V does, shows
//! that the shadow missed an exit; it is then made good.

use ticklab_isa::Instruction;

/// What a computed jump at the end of a block may be, as far as its code tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// Back to the caller, or out of the exception if there is none.
    Return,
    /// Out of the exception for certain.
    ExceptionReturn,
    /// The target comes from memory or from an earlier block: a tail call through a pointer, a jump
    /// table, or an exception return.
    Pointer,
}

/// One active exception.
#[derive(Clone, Debug)]
pub struct Active {
    pub exception: u16,
    /// Where execution would have gone instead, if that was known.
    pub interrupted: Option<u32>,
    /// Return addresses of the functions that its handler has called.
    pub calls: Vec<u32>,
    /// Behind the call that perhaps called the handler, as if it were a function.
    pub called_from: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct ExceptionStack {
    pub active: Vec<Active>,
}

/// Execution goes from one block to the next.
pub struct Step<'a> {
    /// The last instruction executed.
    pub from: &'a Instruction,
    /// How it jumps, if that is computed.
    pub jump: Option<Jump>,
    pub to: u32,
    /// The exception whose handler begins at `to`.
    pub handler: Option<u16>,
    /// Whether code at `from` plausibly jumps to `to`: the start of a function, or inside its own.
    pub is_plausible_jump: bool,
}

/// What a step did to the exception stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// Exceptions left: more than one only where exits were missed before.
    pub left: u32,
    pub entered: Option<u16>,
    /// The exception entered took over from the one left.
    pub tail_chained: bool,
    /// An entry that was none: the handler returned to a caller.
    pub retracted: Option<u16>,
}

impl Passage {
    pub const NONE: Passage = Passage {
        left: 0,
        entered: None,
        tail_chained: false,
        retracted: None,
    };
}

impl ExceptionStack {
    /// What was found out so far is on record: an entry in it is no longer retracted.
    pub fn stand(&mut self) {
        for active in &mut self.active {
            active.called_from = None;
        }
    }

    /// The number of the running exception; 0 in thread mode.
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

    /// After a reset nothing is active.
    pub fn reset(&mut self) {
        self.active.clear();
    }

    /// `exception` comes in, in place of what is at `interrupted`.
    pub fn enter(&mut self, exception: u16, interrupted: Option<u32>) -> Passage {
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
            calls: Vec::new(),
            called_from: None,
        });
        Passage {
            left,
            entered: Some(exception),
            ..Passage::NONE
        }
    }
}
