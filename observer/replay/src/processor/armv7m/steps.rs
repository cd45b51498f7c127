// SPDX-License-Identifier: MIT
//! What a step of execution does to the exception stack.
//!
//! An exception was entered if a handler begins that the instruction before does not lead to; it
//! was left if its handler returns without a caller. The calls of each active exception are
//! therefore kept, and only those: in thread mode no return leaves an exception.
//!
//! Not seen: a handler pre-empted before its first instruction. It counts when it begins, as the
//! tail-chained exception that it is in hardware (late arrival, DDI 0403E, B1.5.13).

use crate::block::leads_to;
use crate::exceptions::{Active, ExceptionStack, Jump, Passage, Step};
use ticklab_isa::{Flow, Instruction};

pub fn step(stack: &mut ExceptionStack, step: &Step) -> Passage {
    if leads_to(step.from, step.to) {
        follow(stack, step.from, step.to);
        return Passage::NONE;
    }
    match (step.from.flow, step.handler) {
        (Flow::Return, _) if !stack.is_empty() => jump(stack, step),
        (flow, Some(exception)) => {
            let passage = stack.enter(exception, expected(step.from));
            let called_from = (flow == Flow::IndirectCall).then(|| step.from.end());
            stack
                .active
                .iter_mut()
                .last()
                .expect("just entered")
                .called_from = called_from;
            passage
        }
        _ => {
            follow(stack, step.from, step.to);
            Passage::NONE
        }
    }
}

/// A plain step: only calls matter, and only inside an exception.
#[inline]
pub fn follow(stack: &mut ExceptionStack, from: &Instruction, to: u32) {
    let is_call = matches!(from.flow, Flow::Call { .. } | Flow::IndirectCall);
    if is_call && (to != from.end() || !from.conditional) {
        if let Some(active) = stack.active.last_mut() {
            active.calls.push(from.end());
        }
    }
}

/// A computed jump inside an exception: a return, a call through a pointer, or the exception's end.
fn jump(stack: &mut ExceptionStack, step: &Step) -> Passage {
    let Some(active) = stack.active.last_mut() else {
        return Passage::NONE;
    };
    if step.jump == Some(Jump::ExceptionReturn) {
        return leave(stack, step.handler);
    }
    if let Some(caller) = active.calls.iter().rposition(|&call| call == step.to) {
        active.calls.truncate(caller);
        return Passage::NONE;
    }
    if active.calls.is_empty() && active.called_from == Some(step.to) {
        let retracted = Some(active.exception);
        stack.active.pop();
        return Passage {
            retracted,
            ..Passage::NONE
        };
    }
    match (step.jump, step.handler) {
        // The function returned, and before its caller went on an exception came in.
        (Some(Jump::Return), Some(exception)) if !active.calls.is_empty() => {
            let caller = active.calls.pop();
            stack.enter(exception, caller)
        }
        (Some(Jump::Pointer), None) if !ends_at(active, step) => Passage::NONE,
        _ => leave(stack, step.handler),
    }
}

fn leave(stack: &mut ExceptionStack, next: Option<u16>) -> Passage {
    let ended = stack.active.pop();
    let left = u32::from(ended.is_some());
    let Some(exception) = next else {
        return Passage {
            left,
            ..Passage::NONE
        };
    };
    let entry = stack.enter(exception, ended.and_then(|active| active.interrupted));
    Passage {
        left: left + entry.left,
        tail_chained: left > 0,
        ..entry
    }
}

/// Whether a jump through a pointer ends the exception. A handler may well end in a tail call; what
/// is neither a function nor inside its own is code that was interrupted.
fn ends_at(active: &Active, step: &Step) -> bool {
    active.interrupted == Some(step.to) || !step.is_plausible_jump
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
        step(
            stack,
            &Step {
                from: &from,
                jump,
                to,
                handler,
                is_plausible_jump,
            },
        )
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
