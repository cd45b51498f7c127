// SPDX-License-Identifier: MIT
//! The shadow of the exception stack: which exceptions are active, inferred from where execution
//! goes.
//!
//! A target shows blocks, no exceptions. An exception was entered if a handler begins that the
//! instruction before does not lead to; it was left if its handler returns without a caller. The
//! calls of each active exception are therefore kept, and only those: in thread mode no return
//! leaves an exception.
//!
//! What Armv7-M forbids, an exception that is active twice, shows that the shadow missed an exit;
//! it is then made good. Not seen: a handler pre-empted before its first instruction. It counts
//! when it begins, as the tail-chained exception that it is in hardware (late arrival, DDI 0403E,
//! B1.5.13).

use crate::block::leads_to;
use crate::jump::Jump;
use ticklab_armv7m::{Flow, Instruction};

/// One active exception.
#[derive(Clone, Debug)]
struct Active {
    exception: u16,
    /// Where execution would have gone instead, if that was known.
    interrupted: Option<u32>,
    /// Return addresses of the functions that its handler has called.
    calls: Vec<u32>,
    /// Behind the BLX that perhaps called the handler, as if it were a function.
    called_from: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct ExceptionStack {
    active: Vec<Active>,
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
    const NONE: Passage = Passage {
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

    pub fn step(&mut self, step: &Step) -> Passage {
        if leads_to(step.from, step.to) {
            self.follow(step.from, step.to);
            return Passage::NONE;
        }
        match (step.from.flow, step.handler) {
            (Flow::Return, _) if !self.active.is_empty() => self.jump(step),
            (flow, Some(exception)) => {
                let passage = self.enter(exception, expected(step.from));
                let called_from = (flow == Flow::IndirectCall).then(|| step.from.end());
                self.active
                    .iter_mut()
                    .last()
                    .expect("just entered")
                    .called_from = called_from;
                passage
            }
            _ => {
                self.follow(step.from, step.to);
                Passage::NONE
            }
        }
    }

    /// A plain step: only calls matter, and only inside an exception.
    #[inline]
    pub fn follow(&mut self, from: &Instruction, to: u32) {
        let is_call = matches!(from.flow, Flow::Call { .. } | Flow::IndirectCall);
        if is_call && (to != from.end() || !from.conditional) {
            if let Some(active) = self.active.last_mut() {
                active.calls.push(from.end());
            }
        }
    }

    /// A computed jump inside an exception: a return, a call through a pointer, or the exception's
    /// end.
    fn jump(&mut self, step: &Step) -> Passage {
        let Some(active) = self.active.last_mut() else {
            return Passage::NONE;
        };
        if step.jump == Some(Jump::ExceptionReturn) {
            return self.leave(step.handler);
        }
        if let Some(caller) = active.calls.iter().rposition(|&call| call == step.to) {
            active.calls.truncate(caller);
            return Passage::NONE;
        }
        if active.calls.is_empty() && active.called_from == Some(step.to) {
            let retracted = Some(active.exception);
            self.active.pop();
            return Passage {
                retracted,
                ..Passage::NONE
            };
        }
        match (step.jump, step.handler) {
            // The function returned, and before its caller went on an exception came in.
            (Some(Jump::Return), Some(exception)) if !active.calls.is_empty() => {
                let caller = active.calls.pop();
                self.enter(exception, caller)
            }
            (Some(Jump::Pointer), None) if !active.ends_at(step) => Passage::NONE,
            _ => self.leave(step.handler),
        }
    }

    fn leave(&mut self, next: Option<u16>) -> Passage {
        let ended = self.active.pop();
        let left = u32::from(ended.is_some());
        let Some(exception) = next else {
            return Passage {
                left,
                ..Passage::NONE
            };
        };
        let entry = self.enter(exception, ended.and_then(|active| active.interrupted));
        Passage {
            left: left + entry.left,
            tail_chained: left > 0,
            ..entry
        }
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

impl Active {
    /// Whether a jump through a pointer ends the exception. A handler may well end in a tail call;
    /// what is neither a function nor inside its own is code that was interrupted.
    fn ends_at(&self, step: &Step) -> bool {
        self.interrupted == Some(step.to) || !step.is_plausible_jump
    }
}

/// Where `instruction` leads, if that is one place.
fn expected(instruction: &Instruction) -> Option<u32> {
    match instruction.flow {
        Flow::Next | Flow::Wait | Flow::Breakpoint | Flow::SupervisorCall => {
            Some(instruction.end())
        }
        Flow::Branch { target } | Flow::Call { target } if !instruction.conditional => Some(target),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ticklab_armv7m::decode_block;

    const PENDSV: u16 = 14;
    const SYSTICK: u16 = 15;

    /// One instruction at 0x100.
    fn instruction(encoding: &[u8]) -> Instruction {
        decode_block(0x100, encoding)[0]
    }

    fn nop() -> Instruction {
        instruction(&[0x00, 0xBF])
    }

    /// BL to 0x104 + 0x100.
    fn call() -> Instruction {
        instruction(&[0x00, 0xF0, 0x80, 0xF8])
    }

    fn bx_lr() -> Instruction {
        instruction(&[0x70, 0x47])
    }

    fn go(stack: &mut ExceptionStack, from: Instruction, to: u32, handler: Option<u16>) -> Passage {
        let jump = (from.flow == Flow::Return).then_some(Jump::Return);
        let is_plausible_jump = false;
        stack.step(&Step {
            from: &from,
            jump,
            to,
            handler,
            is_plausible_jump,
        })
    }

    fn entered(exception: u16) -> Passage {
        Passage {
            entered: Some(exception),
            ..Passage::NONE
        }
    }

    fn left() -> Passage {
        Passage {
            left: 1,
            ..Passage::NONE
        }
    }

    #[test]
    fn a_handler_out_of_the_blue_is_an_entry_and_its_return_an_exit() {
        let mut stack = ExceptionStack::default();
        assert_eq!(go(&mut stack, nop(), 0x800, Some(PENDSV)), entered(PENDSV));
        assert_eq!(stack.running(), PENDSV);
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), left());
        assert_eq!(stack.running(), 0);
    }

    #[test]
    fn a_handler_that_code_leads_to_is_no_entry() {
        let mut stack = ExceptionStack::default();
        assert_eq!(go(&mut stack, call(), 0x204, Some(PENDSV)), Passage::NONE);
        assert_eq!(go(&mut stack, nop(), 0x102, Some(PENDSV)), Passage::NONE);
        assert_eq!(stack.running(), 0);
    }

    #[test]
    fn a_handler_called_through_a_pointer_is_an_entry_until_it_returns() {
        let mut stack = ExceptionStack::default();
        let blx_r3 = instruction(&[0x98, 0x47]);
        assert_eq!(go(&mut stack, blx_r3, 0x800, Some(PENDSV)), entered(PENDSV));
        let retracted = Some(PENDSV);
        let passage = Passage {
            retracted,
            ..Passage::NONE
        };
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), passage);
        assert_eq!(stack.running(), 0);
    }

    #[test]
    fn an_entry_that_is_on_record_is_left_and_not_retracted() {
        let mut stack = ExceptionStack::default();
        let blx_r3 = instruction(&[0x98, 0x47]);
        go(&mut stack, blx_r3, 0x800, Some(PENDSV));
        stack.stand();
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), left());
    }

    #[test]
    fn functions_of_a_handler_return_to_it() {
        let mut stack = ExceptionStack::default();
        go(&mut stack, nop(), 0x800, Some(PENDSV));
        assert_eq!(go(&mut stack, call(), 0x204, None), Passage::NONE);
        assert_eq!(go(&mut stack, bx_lr(), 0x104, None), Passage::NONE);
        assert_eq!(go(&mut stack, bx_lr(), 0x900, None), left());
    }

    #[test]
    fn a_return_to_another_handler_is_tail_chained() {
        let mut stack = ExceptionStack::default();
        go(&mut stack, nop(), 0x800, Some(SYSTICK));
        let passage = go(&mut stack, bx_lr(), 0x900, Some(PENDSV));
        assert_eq!(
            passage,
            Passage {
                left: 1,
                tail_chained: true,
                ..entered(PENDSV)
            }
        );
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), left());
    }

    #[test]
    fn an_interrupt_between_a_return_and_the_caller_nests() {
        let mut stack = ExceptionStack::default();
        go(&mut stack, nop(), 0x800, Some(PENDSV));
        go(&mut stack, call(), 0x204, None);
        assert_eq!(
            go(&mut stack, bx_lr(), 0x900, Some(SYSTICK)),
            entered(SYSTICK)
        );
        assert_eq!(go(&mut stack, bx_lr(), 0x104, None), left());
        assert_eq!(stack.running(), PENDSV);
    }

    #[test]
    fn an_exception_active_twice_shows_a_missed_exit() {
        let mut stack = ExceptionStack::default();
        go(&mut stack, nop(), 0x800, Some(PENDSV));
        go(&mut stack, nop(), 0x900, Some(SYSTICK));
        let passage = go(&mut stack, nop(), 0x800, Some(PENDSV));
        assert_eq!(
            passage,
            Passage {
                left: 2,
                ..entered(PENDSV)
            }
        );
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), left());
        assert_eq!(stack.running(), 0);
    }
}
