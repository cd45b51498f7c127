// SPDX-License-Identifier: MIT
//! Updates the stack of active exceptions at the transition from one block to the next.
//!
//! An exception was entered if a handler begins at an address to which the preceding instruction
//! does not lead. An exception was left if its handler returns while no function that the handler
//! called is active. So the calls inside each active exception are tracked. Calls in thread mode
//! are not needed, because no return in thread mode leaves an exception.
//!
//! If a handler is pre-empted before its first instruction, its entry cannot be observed then. The
//! entry is counted when the handler begins, as that of a tail-chained exception, because the
//! hardware treats it so (late arrival, DDI 0403E, B1.5.13).

use ticklab_isa::{Flow, Instruction};
use ticklab_processor::{Active, ExceptionChange, ExceptionStack, Jump, Transition};

pub fn apply(stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange {
    if transition.from.may_continue_at(transition.to) {
        follow(stack, transition.from, transition.to);
        return ExceptionChange::NONE;
    }
    match (transition.from.flow, transition.handler) {
        (Flow::Return, _) if !stack.is_empty() => jump(stack, transition),
        (flow, Some(exception)) => {
            let change = stack.enter(exception, expected(transition.from));
            let called_from = (flow == Flow::IndirectCall).then(|| transition.from.end());
            stack
                .active
                .iter_mut()
                .last()
                .expect("just entered")
                .called_from = called_from;
            change
        }
        _ => {
            follow(stack, transition.from, transition.to);
            ExceptionChange::NONE
        }
    }
}

/// Follows a transition that the code explains, so that no exception was entered or left. Tracks
/// the calls and returns inside the active exception.
#[inline]
pub fn follow(stack: &mut ExceptionStack, from: &Instruction, to: u32) {
    let is_call = matches!(from.flow, Flow::Call { .. } | Flow::IndirectCall);
    if is_call && (to != from.end() || !from.conditional) {
        if let Some(active) = stack.active.last_mut() {
            active.calls.push(from.end());
        }
    }
}

/// Handles a computed jump inside an exception: a return, a call through a pointer, or the
/// exception's end.
fn jump(stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange {
    let Some(active) = stack.active.last_mut() else {
        return ExceptionChange::NONE;
    };
    if transition.jump == Some(Jump::ExceptionReturn) {
        return leave(stack, transition.handler);
    }
    if let Some(caller) = active.calls.iter().rposition(|&call| call == transition.to) {
        active.calls.truncate(caller);
        return ExceptionChange::NONE;
    }
    if active.calls.is_empty() && active.called_from == Some(transition.to) {
        let retracted = Some(active.exception);
        stack.active.pop();
        return ExceptionChange {
            retracted,
            ..ExceptionChange::NONE
        };
    }
    match (transition.jump, transition.handler) {
        // The function called by the handler returned, and another exception was taken before the
        // handler continued.
        (Some(Jump::Return), Some(exception)) if !active.calls.is_empty() => {
            let caller = active.calls.pop();
            stack.enter(exception, caller)
        }
        (Some(Jump::Pointer), None) if !ends_at(active, transition) => ExceptionChange::NONE,
        _ => leave(stack, transition.handler),
    }
}

fn leave(stack: &mut ExceptionStack, next: Option<u16>) -> ExceptionChange {
    let ended = stack.leave();
    let left = u32::from(ended.is_some());
    let Some(exception) = next else {
        return ExceptionChange {
            left,
            ..ExceptionChange::NONE
        };
    };
    let entry = stack.enter(exception, ended.flatten());
    ExceptionChange {
        left: left + entry.left,
        tail_chained: left > 0,
        ..entry
    }
}

/// Returns whether a jump through a pointer ends the exception. It may instead be a tail call of
/// the handler. If the target is neither the start of a function nor in the same function, it is
/// interrupted code.
fn ends_at(active: &Active, transition: &Transition) -> bool {
    active.interrupted == Some(transition.to) || !transition.is_plausible_jump
}

/// Returns the only address at which `instruction` can continue, if there is only one.
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
    use crate::decode_block;

    const PENDSV: u16 = 14;
    const SYSTICK: u16 = 15;

    /// Returns the decoded instruction with this encoding, at 0x100.
    fn instruction(encoding: &[u8]) -> Instruction {
        decode_block(0x100, encoding)[0]
    }

    fn nop() -> Instruction {
        instruction(&[0x00, 0xBF])
    }

    /// Returns BL to 0x104 + 0x100.
    fn call() -> Instruction {
        instruction(&[0x00, 0xF0, 0x80, 0xF8])
    }

    fn bx_lr() -> Instruction {
        instruction(&[0x70, 0x47])
    }

    fn go(
        stack: &mut ExceptionStack,
        from: Instruction,
        to: u32,
        handler: Option<u16>,
    ) -> ExceptionChange {
        let jump = (from.flow == Flow::Return).then_some(Jump::Return);
        let is_plausible_jump = false;
        apply(
            stack,
            &Transition {
                from: &from,
                jump,
                to,
                handler,
                is_plausible_jump,
            },
        )
    }

    fn entered(exception: u16) -> ExceptionChange {
        ExceptionChange {
            entered: Some(exception),
            ..ExceptionChange::NONE
        }
    }

    fn left() -> ExceptionChange {
        ExceptionChange {
            left: 1,
            ..ExceptionChange::NONE
        }
    }

    #[test]
    fn an_unexpected_handler_is_an_entry_and_its_return_an_exit() {
        let mut stack = ExceptionStack::default();
        assert_eq!(go(&mut stack, nop(), 0x800, Some(PENDSV)), entered(PENDSV));
        assert_eq!(stack.running(), PENDSV);
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), left());
        assert_eq!(stack.running(), 0);
    }

    #[test]
    fn a_handler_that_code_leads_to_is_no_entry() {
        let mut stack = ExceptionStack::default();
        assert_eq!(
            go(&mut stack, call(), 0x204, Some(PENDSV)),
            ExceptionChange::NONE
        );
        assert_eq!(
            go(&mut stack, nop(), 0x102, Some(PENDSV)),
            ExceptionChange::NONE
        );
        assert_eq!(stack.running(), 0);
    }

    #[test]
    fn a_handler_called_through_a_pointer_is_an_entry_until_it_returns() {
        let mut stack = ExceptionStack::default();
        let blx_r3 = instruction(&[0x98, 0x47]);
        assert_eq!(go(&mut stack, blx_r3, 0x800, Some(PENDSV)), entered(PENDSV));
        let retracted = Some(PENDSV);
        let change = ExceptionChange {
            retracted,
            ..ExceptionChange::NONE
        };
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), change);
        assert_eq!(stack.running(), 0);
    }

    #[test]
    fn a_confirmed_entry_is_left_and_not_retracted() {
        let mut stack = ExceptionStack::default();
        let blx_r3 = instruction(&[0x98, 0x47]);
        go(&mut stack, blx_r3, 0x800, Some(PENDSV));
        stack.confirm();
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), left());
    }

    #[test]
    fn functions_of_a_handler_return_to_it() {
        let mut stack = ExceptionStack::default();
        go(&mut stack, nop(), 0x800, Some(PENDSV));
        assert_eq!(go(&mut stack, call(), 0x204, None), ExceptionChange::NONE);
        assert_eq!(go(&mut stack, bx_lr(), 0x104, None), ExceptionChange::NONE);
        assert_eq!(go(&mut stack, bx_lr(), 0x900, None), left());
    }

    #[test]
    fn a_return_to_another_handler_is_tail_chained() {
        let mut stack = ExceptionStack::default();
        go(&mut stack, nop(), 0x800, Some(SYSTICK));
        let change = go(&mut stack, bx_lr(), 0x900, Some(PENDSV));
        assert_eq!(
            change,
            ExceptionChange {
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
        let change = go(&mut stack, nop(), 0x800, Some(PENDSV));
        assert_eq!(
            change,
            ExceptionChange {
                left: 2,
                ..entered(PENDSV)
            }
        );
        assert_eq!(go(&mut stack, bx_lr(), 0x102, None), left());
        assert_eq!(stack.running(), 0);
    }
}
