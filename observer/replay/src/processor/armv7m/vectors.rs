// SPDX-License-Identifier: MIT
//! Maps the addresses of handlers to exceptions.
//!
//! The vector table of the image defines the handlers. A kernel may move the table into RAM and
//! install other handlers there, which are learned when they are first entered.

use crate::handlers::Handlers;
use crate::image::Image;
use crate::Error;
use ticklab_isa::{counted, Flow};

pub const HARD_FAULT: u16 = 3;
pub const SVCALL: u16 = 11;
pub const PENDSV: u16 = 14;
pub const SYSTICK: u16 = 15;
const FIRST_EXTERNAL: u16 = 16;

/// Returns whether the exception is HardFault, MemManage, BusFault or UsageFault, which are entered
/// by an instruction that does not complete.
pub fn is_fault(exception: u16) -> bool {
    (HARD_FAULT..=6).contains(&exception)
}

pub fn lane(exception: u16) -> usize {
    match exception {
        SVCALL => counted::SVCALL,
        PENDSV => counted::PENDSV,
        SYSTICK => counted::SYSTICK,
        FIRST_EXTERNAL.. => counted::EXTERNAL,
        _ => counted::FAULTS,
    }
}

/// CMSIS's names of the handlers of system exceptions.
const NAMES: [(&str, u16); 9] = [
    ("NMI_Handler", 2),
    ("HardFault_Handler", HARD_FAULT),
    ("MemManage_Handler", 4),
    ("BusFault_Handler", 5),
    ("UsageFault_Handler", 6),
    ("SVC_Handler", SVCALL),
    ("DebugMon_Handler", 12),
    ("PendSV_Handler", PENDSV),
    ("SysTick_Handler", SYSTICK),
];

/// Returns the handlers of the vector table at `table`.
pub fn read(image: &Image, table: u32) -> Result<Handlers, Error> {
    let mut handlers = Handlers::new(table);
    for (exception, handler) in image.vectors(table)? {
        match exception {
            1 => handlers.reset = Some(handler),
            _ => _ = handlers.add(handler, exception),
        }
    }
    Ok(handlers)
}

/// Guesses the exception of a handler outside the table, which was entered after an instruction
/// with `flow`.
pub fn guess(image: &Image, address: u32, flow: Flow) -> u16 {
    let named = image
        .function(address)
        .filter(|&(_, start)| start == address);
    let by_name = named.and_then(|(name, _)| NAMES.iter().find(|(known, _)| *known == name));
    match (flow, by_name) {
        (Flow::SupervisorCall, _) => SVCALL,
        (_, Some(&(_, exception))) => exception,
        // It is an interrupt, but its number is unknown.
        _ => FIRST_EXTERNAL,
    }
}

/// Chooses among the exceptions that share a handler the one taken after an instruction with
/// `flow`. `stopped` is true if the instruction certainly did not complete.
pub fn choose(exceptions: &[u16], flow: Flow, stopped: bool) -> Option<u16> {
    let fault_first = stopped || matches!(flow, Flow::Undefined | Flow::Breakpoint);
    let fits = |exception: u16| match flow {
        Flow::SupervisorCall => exception == SVCALL,
        _ if fault_first => is_fault(exception),
        _ => exception >= PENDSV,
    };
    let fitting = exceptions
        .iter()
        .copied()
        .find(|&exception| fits(exception));
    fitting.or(exceptions.first().copied())
}
