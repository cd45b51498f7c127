// SPDX-License-Identifier: MIT
//! Numbers exceptions, and recognises from executed code when an exception is entered or left. The
//! number of an exception is the index of its entry in the vector table (B1.8.1). An IRQ that
//! software requested gets the number [`REQUESTED`] instead.
//!
//! An exception was entered if execution reaches an entry of the vector table to which the
//! preceding instruction does not lead. Only certain instructions return from an exception: SUBS
//! PC, MOVS PC, LDM with `^`, RFE and ERET. Exceptions of one kind may nest, because a handler may
//! unmask interrupts.
//!
//! All interrupts share one entry of the table. The number of an interrupt is in registers of the
//! interrupt controller (GICv2, IHI 0048B), which no target reports. So if a software request is
//! outstanding, an IRQ is taken to be that interrupt; otherwise it is taken to be the only
//! interrupt of a device, the tick.
//!
//! Exceptions of different Linux threads end in any order: a system call that blocks ends after
//! later calls. So a return to user code is taken to end all active exceptions, and at an entry
//! from user code no exception is taken to be active.

use ticklab_isa::{counted, Flow, Instruction};
use ticklab_processor::{Active, ExceptionChange, ExceptionStack, Handlers, Transition};

/// Marks code that is not an entry of a vector table.
const NONE: u16 = 0;
const UNDEFINED: u16 = 1;
const SUPERVISOR_CALL: u16 = 2;
const PREFETCH_ABORT: u16 = 3;
const DATA_ABORT: u16 = 4;
pub const INTERRUPT: u16 = 6;
const FAST_INTERRUPT: u16 = 7;
/// The number of an IRQ that is taken while a software request is outstanding.
const REQUESTED: u16 = 16 + INTERRUPT;

const ENTRIES: [u16; 6] = [
    UNDEFINED,
    SUPERVISOR_CALL,
    PREFETCH_ABORT,
    DATA_ABORT,
    INTERRUPT,
    FAST_INTERRUPT,
];

/// The address of the vector table if SCTLR.V is set (B1.8.1), for example in Linux.
const HIGH_VECTORS: u32 = 0xFFFF_0000;

/// The vector table is aligned to 32 bytes (VBAR, B4.1.156).
const TABLE_BYTES: u32 = 32;

/// In Linux for Arm, modules and then the kernel begin at this address; user code is below.
const USER_END: u32 = 0xBF00_0000;

/// The greatest number of active exceptions that are kept. A kernel may never return from an
/// exception, so the oldest is dropped.
const DEEPEST: usize = 64;

/// Returns the handlers of the table at `table`, and of the high vectors.
pub fn handlers(table: u32) -> Handlers {
    let mut handlers = Handlers::new(table);
    for (address, exception) in entries(table).chain(entries(HIGH_VECTORS)) {
        handlers.add(address, exception);
    }
    handlers
}

/// Returns address and exception of each entry of the table at `base`.
pub fn entries(base: u32) -> impl Iterator<Item = (u32, u16)> {
    ENTRIES
        .into_iter()
        .map(move |number| (base + 4 * u32::from(number), number))
}

/// Guesses the exception of an entry at `address`, which belongs to no known vector table.
pub fn guess(address: u32) -> u16 {
    let offset = address % TABLE_BYTES;
    let number = (offset / 4) as u16;
    let is_entry = offset % 4 == 0 && ENTRIES.contains(&number);
    if is_entry {
        number
    } else {
        NONE
    }
}

pub fn is_fault(exception: u16) -> bool {
    matches!(exception, UNDEFINED | PREFETCH_ABORT | DATA_ABORT)
}

/// Returns whether `exception`, taken after `from`, means that `from` did not complete. A prefetch
/// abort belongs to the instruction after `from`, except if `from` is a breakpoint.
pub fn stops(exception: u16, from: &Instruction) -> bool {
    match exception {
        PREFETCH_ABORT => from.flow == Flow::Breakpoint,
        _ => is_fault(exception),
    }
}

pub fn lane(exception: u16) -> usize {
    match exception {
        SUPERVISOR_CALL => counted::SVCALL,
        INTERRUPT => counted::SYSTICK,
        REQUESTED | FAST_INTERRUPT => counted::EXTERNAL,
        _ => counted::FAULTS,
    }
}

pub fn name(exception: u16) -> Option<&'static str> {
    Some(match exception {
        UNDEFINED => "undefined instruction",
        SUPERVISOR_CALL => "supervisor call",
        PREFETCH_ABORT => "prefetch abort",
        DATA_ABORT => "data abort",
        INTERRUPT => "interrupt",
        REQUESTED => "requested interrupt",
        FAST_INTERRUPT => "fast interrupt",
        _ => return None,
    })
}

/// The number given to interrupt 0 of the GIC. Lower numbers are exceptions.
const FIRST_OF_GIC: u16 = 32;

pub fn interrupt_name(interrupt: u16) -> Option<String> {
    let number = interrupt.checked_sub(FIRST_OF_GIC)?;
    Some(format!("GIC interrupt {number}"))
}

/// The registers of a GICv2 distributor by which software requests interrupts (IHI 0048B, 4.3.7,
/// 4.3.15), as offsets in its page of 4 KiB.
const SET_PENDING: std::ops::Range<u32> = 0x200..0x280;
const SOFTWARE_GENERATED: u32 = 0xF00;

/// Returns whether a store to a device at `address` requests an interrupt.
pub fn is_request(address: u32) -> bool {
    let offset = address & 0xFFF;
    SET_PENDING.contains(&offset) || offset == SOFTWARE_GENERATED
}

pub fn apply(stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange {
    let mut change = ExceptionChange::NONE;
    if transition.from.flow == Flow::ExceptionReturn {
        change.left = leave(stack, transition.from.address, transition.to);
    }
    match transition.handler {
        Some(exception) if exception != NONE => {
            let entry = enter(stack, exception, transition.from, transition.to);
            change.left += entry.left;
            change.entered = entry.entered;
        }
        _ => {}
    }
    change
}

/// Enters `exception`, whose handler is at `to`.
pub fn enter(
    stack: &mut ExceptionStack,
    exception: u16,
    from: &Instruction,
    to: u32,
) -> ExceptionChange {
    let mut left = 0;
    if is_user(from.address) && !is_user(to) {
        left = abandon(stack);
    }
    if stack.active.len() == DEEPEST {
        stack.active.remove(0);
    }
    let exception = match exception {
        INTERRUPT if stack.take_request() => REQUESTED,
        other => other,
    };
    stack.active.push(Active {
        exception,
        interrupted: Some(from.address),
        calls: Vec::new(),
        called_from: None,
    });
    ExceptionChange {
        left,
        entered: Some(exception),
        ..ExceptionChange::NONE
    }
}

fn leave(stack: &mut ExceptionStack, from: u32, to: u32) -> u32 {
    if is_user(to) && !is_user(from) {
        return abandon(stack);
    }
    u32::from(stack.active.pop().is_some())
}

fn abandon(stack: &mut ExceptionStack) -> u32 {
    let left = stack.active.len() as u32;
    stack.active.clear();
    left
}

fn is_user(address: u32) -> bool {
    address < USER_END
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode_arm;

    const BASE: u32 = 0x4000_0000;
    const KERNEL: u32 = 0xC000_0000;

    fn instruction(address: u32, word: u32) -> Instruction {
        decode_arm(address, &word.to_le_bytes())[0]
    }

    fn go(stack: &mut ExceptionStack, from: Instruction, to: u32) -> ExceptionChange {
        let handler = handlers(BASE).at(to).first().copied();
        apply(
            stack,
            &Transition {
                from: &from,
                jump: None,
                to,
                handler,
                is_plausible_jump: false,
            },
        )
    }

    fn nop(address: u32) -> Instruction {
        instruction(address, 0xE320_F000)
    }

    /// RFEIA SP!
    fn return_at(address: u32) -> Instruction {
        instruction(address, 0xF8BD_0A00)
    }

    #[test]
    fn interrupts_nest_and_each_return_leaves_one() {
        let mut stack = ExceptionStack::default();
        for _ in 0..2 {
            let change = go(&mut stack, nop(BASE + 0x100), BASE + 0x18);
            assert_eq!((change.entered, change.left), (Some(INTERRUPT), 0));
        }
        for remaining in [1, 0] {
            assert_eq!(go(&mut stack, return_at(BASE + 0x80), BASE + 0x104).left, 1);
            assert_eq!(stack.active.len(), remaining);
        }
        // A return from an exception while none is active starts a task.
        assert_eq!(go(&mut stack, return_at(BASE + 0x80), BASE + 0x200).left, 0);
    }

    #[test]
    fn a_request_names_the_next_interrupt_and_no_other() {
        let mut stack = ExceptionStack::default();
        stack.request();
        let entered = [0, 1].map(|_| go(&mut stack, nop(BASE + 0x100), BASE + 0x18).entered);
        assert_eq!(entered, [Some(REQUESTED), Some(INTERRUPT)]);
    }

    #[test]
    fn exceptions_of_threads_that_block_end_when_user_code_runs() {
        let mut stack = ExceptionStack::default();
        let high = HIGH_VECTORS;
        go(&mut stack, instruction(0x1_0000, 0xEF00_0000), high + 8);
        go(&mut stack, nop(KERNEL), high + 0x18);
        assert_eq!(stack.active.len(), 2);
        // The system call blocks, and another thread continues in user code.
        assert_eq!(go(&mut stack, return_at(KERNEL), 0x2_0000).left, 2);
        assert!(stack.is_empty());
    }

    #[test]
    fn only_an_entry_of_a_table_is_guessed() {
        assert_eq!(guess(0x8000_0018), INTERRUPT);
        for address in [0x8000_0000, 0x8000_0014, 0x8000_001A] {
            assert_eq!(guess(address), NONE);
        }
    }

    #[test]
    fn a_prefetch_abort_lets_the_instruction_before_complete() {
        assert!(!stops(PREFETCH_ABORT, &nop(BASE)));
        assert!(stops(PREFETCH_ABORT, &instruction(BASE, 0xE120_0070))); // BKPT
        assert!(stops(DATA_ABORT, &nop(BASE)));
    }

    #[test]
    fn the_distributor_takes_requests() {
        for address in [0x0800_0200, 0x0800_0F00, 0x2C00_127C] {
            assert!(is_request(address), "{address:#x}");
        }
        assert!(!is_request(0x0801_0004) && !is_request(0x0800_0280));
    }
}
