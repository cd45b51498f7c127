// SPDX-License-Identifier: MIT
//! Numbers and interprets traps. The number of a synchronous trap is its cause, that of an
//! interrupt is 16 plus its cause (privileged specification, 3.1.15, table 3.6). 0 means "no trap":
//! cause 0, a misaligned fetch, cannot occur on a core with compressed instructions.
//!
//! A trap was entered if a handler begins where the preceding instruction does not lead. MRET
//! leaves the active trap; if none is active, MRET starts a task.

use crate::decode_block;
use ticklab_isa::{counted, Flow, Instruction};
use ticklab_processor::{ExceptionChange, ExceptionStack, Transition};

const FETCH_FAULT: u16 = 1;
const ILLEGAL: u16 = 2;
const BREAKPOINT: u16 = 3;
const LOAD_FAULT: u16 = 5;
const STORE_FAULT: u16 = 7;
/// All system calls are numbered as calls from machine mode, because blocks do not show the mode.
const CALL: u16 = 11;
const SYNCHRONOUS: [u16; 6] = [
    FETCH_FAULT,
    ILLEGAL,
    BREAKPOINT,
    LOAD_FAULT,
    STORE_FAULT,
    CALL,
];

const INTERRUPT: u16 = 16;
/// The software interrupt, which kernels pend themselves, as PendSV on Arm.
const SOFTWARE: u16 = INTERRUPT + 3;
const TIMER: u16 = INTERRUPT + 7;
const EXTERNAL: u16 = INTERRUPT + 11;
/// Interrupts 0 to 31: those of the specification, and those that a core adds (Ibex: 16 to 31).
const INTERRUPTS: u16 = 32;

/// Returns the handlers that a value of mtvec installs (3.1.7): one handler for all traps, or a
/// table whose entry 0 is for synchronous traps.
///
/// An entry is a jump. A table may end after the last interrupt that its kernel enables; the code
/// in place of the other entries may be called like any code. `word` returns the image's word at an
/// address. A table that is not in the image is assumed to be complete.
pub fn handlers(mtvec: u32, word: impl Fn(u32) -> Option<u32>) -> Vec<(u32, u16)> {
    let (base, is_table) = (mtvec & !3, mtvec & 3 == 1);
    let interrupt = |number: u16| {
        let offset = if is_table { 4 * u32::from(number) } else { 0 };
        (base + offset, INTERRUPT + number)
    };
    let is_entry = |&(address, _): &(u32, u16)| !is_table || word(address).is_none_or(is_jump);
    let synchronous = SYNCHRONOUS.map(|trap| (base, trap));
    let interrupts = (1..INTERRUPTS).map(interrupt).filter(is_entry);
    synchronous.into_iter().chain(interrupts).collect()
}

fn is_jump(word: u32) -> bool {
    let code = decode_block(0, &word.to_le_bytes());
    matches!(code[0].flow, Flow::Branch { .. })
}

/// Guesses the trap of a handler that no observed write of mtvec installed.
pub fn guess(flow: Flow) -> u16 {
    match flow {
        Flow::SupervisorCall => CALL,
        Flow::Undefined => ILLEGAL,
        Flow::Breakpoint => BREAKPOINT,
        // The trap is an interrupt, but its number is unknown.
        _ => EXTERNAL,
    }
}

/// Chooses among the traps that share a handler. This is an interrupt if one is possible, unless
/// `from`, the instruction before, certainly did not complete (`stopped`). WFI completes before an
/// interrupt is taken.
pub fn choose(traps: &[u16], from: &Instruction, stopped: bool) -> Option<u16> {
    let synchronous = synchronous(from);
    let is_certain = (stopped && from.flow != Flow::Wait) || guess(from.flow) != EXTERNAL;
    let interrupt = || traps.iter().copied().find(|&trap| trap > INTERRUPT);
    let fitting = || traps.contains(&synchronous).then_some(synchronous);
    let chosen = match is_certain {
        true => fitting().or_else(interrupt),
        false => interrupt().or_else(fitting),
    };
    chosen.or(traps.first().copied())
}

/// Returns the synchronous trap that `from` takes, if it takes one.
fn synchronous(from: &Instruction) -> u16 {
    match (guess(from.flow), from.reads, from.writes) {
        (trap, ..) if trap != EXTERNAL => trap,
        (_, 1.., _) => LOAD_FAULT,
        (_, _, 1..) => STORE_FAULT,
        _ if from.is_branch() => FETCH_FAULT,
        _ => ILLEGAL,
    }
}

pub fn is_synchronous(trap: u16) -> bool {
    trap < INTERRUPT
}

pub fn is_fault(trap: u16) -> bool {
    is_synchronous(trap) && trap != CALL
}

/// Returns the name of the trap. It comes from the specification, because the entries of a vector
/// table have no names of their own.
pub fn name(trap: u16) -> Option<&'static str> {
    Some(match trap {
        FETCH_FAULT => "fetch fault",
        ILLEGAL => "illegal instruction",
        BREAKPOINT => "breakpoint",
        LOAD_FAULT => "load fault",
        STORE_FAULT => "store fault",
        CALL => "environment call",
        SOFTWARE => "software interrupt",
        TIMER => "timer interrupt",
        EXTERNAL => "external interrupt",
        _ => return None,
    })
}

pub fn lane(trap: u16) -> usize {
    match trap {
        CALL => counted::SVCALL,
        SOFTWARE => counted::PENDSV,
        TIMER => counted::SYSTICK,
        INTERRUPT.. => counted::EXTERNAL,
        _ => counted::FAULTS,
    }
}

pub fn apply(stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange {
    let mut change = ExceptionChange::NONE;
    if transition.from.flow == Flow::ExceptionReturn {
        change.left = u32::from(stack.active.pop().is_some());
    }
    if let Some(trap) = transition.handler {
        let entry = stack.enter(trap, None);
        (change.left, change.entered) = (change.left + entry.left, entry.entered);
    }
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u32 = 0x8000_0100;
    const TABLE: u32 = BASE | 1;

    fn interrupts(word: impl Fn(u32) -> Option<u32>) -> Vec<u16> {
        let handlers = handlers(TABLE, word).into_iter();
        handlers
            .filter(|&(address, _)| address != BASE)
            .map(|(_, trap)| trap)
            .collect()
    }

    #[test]
    fn code_after_a_short_table_is_no_handler() {
        // j; c.j followed by c.nop; then a function: csrr t0, mepc or c.li a0, 0.
        let image = |address| match (address - BASE) / 4 {
            0..=6 => Some(0x0400_006F),
            7..=11 => Some(0x0001_A001),
            12 => Some(0x3410_22F3),
            _ => Some(0x22F3_4501),
        };
        let all: Vec<u16> = (1..=11).map(|number| INTERRUPT + number).collect();
        assert_eq!(interrupts(image), all);
    }

    #[test]
    fn a_table_outside_the_image_is_assumed_complete() {
        assert_eq!(interrupts(|_| None).len(), 31);
    }

    #[test]
    fn without_a_table_all_traps_share_a_handler() {
        let handlers = handlers(BASE, |_| Some(0));
        assert!(handlers.contains(&(BASE, TIMER)) && handlers.contains(&(BASE, CALL)));
    }
}
