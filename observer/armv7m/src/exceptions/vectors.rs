// SPDX-License-Identifier: MIT
//! Maps the addresses of handlers to exceptions.
//!
//! The vector table of the image defines the handlers. A kernel may move the table into RAM and
//! install other handlers there, which are learned when they are first entered.

use ticklab_image::{Error, Image};
use ticklab_isa::{counted, Flow};
use ticklab_processor::Handlers;

const NMI: u16 = 2;
pub const HARD_FAULT: u16 = 3;
const SECURE_FAULT: u16 = 7;
pub const SVCALL: u16 = 11;
pub const PENDSV: u16 = 14;
pub const SYSTICK: u16 = 15;
const FIRST_EXTERNAL: u16 = 16;
/// Exceptions 0 to 15 and at most 496 interrupts (DDI 0403E, B1.5.2).
const VECTORS: u16 = 512;

/// Returns whether the exception is HardFault, MemManage, BusFault, UsageFault or, on Armv8-M,
/// SecureFault, which are entered by an instruction that does not complete.
pub fn is_fault(exception: u16) -> bool {
    (HARD_FAULT..=SECURE_FAULT).contains(&exception)
}

/// Returns whether the exception is NMI, PendSV, SysTick or an interrupt of a device, which no
/// instruction causes.
pub fn is_interrupt(exception: u16) -> bool {
    exception == NMI || exception >= PENDSV
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
const NAMES: [(&str, u16); 10] = [
    ("NMI_Handler", NMI),
    ("HardFault_Handler", HARD_FAULT),
    ("MemManage_Handler", 4),
    ("BusFault_Handler", 5),
    ("UsageFault_Handler", 6),
    ("SecureFault_Handler", SECURE_FAULT),
    ("SVC_Handler", SVCALL),
    ("DebugMon_Handler", 12),
    ("PendSV_Handler", PENDSV),
    ("SysTick_Handler", SYSTICK),
];

/// Returns the handlers of the vector table at `table`.
pub fn read(image: &Image, table: u32) -> Result<Handlers, Error> {
    let mut handlers = Handlers::new(table);
    for (exception, handler) in entries(image, table)? {
        match exception {
            1 => handlers.reset = Some(handler),
            _ => _ = handlers.add(handler, exception),
        }
    }
    Ok(handlers)
}

/// Returns the number and handler of each exception in the table, including Reset (1).
fn entries(image: &Image, table: u32) -> Result<Vec<(u16, u32)>, Error> {
    let end = image.table_end(table);
    if image.word(table + 4).is_none() {
        return Err(Error::new(format!(
            "no vector table at {table:#x}; set `vectors` of the board to its address"
        )));
    }
    let entries = (1..VECTORS).map(|number| (number, table + 4 * u32::from(number)));
    Ok(entries
        .take_while(|&(_, address)| address < end)
        .filter_map(|(number, address)| Some((number, image.word(address)?)))
        .filter(|&(_, handler)| handler & 1 == 1)
        .map(|(number, handler)| (number, handler & !1))
        .collect())
}

/// Returns the architecture's name of an exception. Interrupts of devices count from 0.
pub fn kind(exception: u16) -> String {
    let named = NAMES.iter().find(|(_, known)| *known == exception);
    match (named, exception.checked_sub(FIRST_EXTERNAL)) {
        (Some((name, _)), _) => name.trim_end_matches("_Handler").to_owned(),
        (None, Some(interrupt)) => format!("interrupt {interrupt}"),
        (None, None) => format!("exception {exception}"),
    }
}

/// Guesses the exception of a handler that is not in the vector table, from the instruction before
/// its entry, which has the flow `flow`.
pub fn guess(image: &Image, address: u32, flow: Flow) -> u16 {
    let named = image
        .function(address)
        .filter(|&(_, start)| start == address);
    let by_name = named.and_then(|(name, _)| NAMES.iter().find(|(known, _)| *known == name));
    match (flow, by_name) {
        (Flow::SupervisorCall, _) => SVCALL,
        (_, Some(&(_, exception))) => exception,
        // The exception is an interrupt, but its number is unknown.
        _ => FIRST_EXTERNAL,
    }
}

/// Chooses among the exceptions that share a handler. `flow` is that of the instruction before the
/// entry, and `stopped` is true if this instruction certainly did not complete.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_without_a_table_is_refused() {
        let error = read(&Image::default(), 0x8000).unwrap_err().to_string();
        assert!(
            error.contains("0x8000") && error.contains("`vectors`"),
            "{error}"
        );
    }

    #[test]
    fn a_shared_handler_is_that_of_a_fault_if_the_instruction_stopped() {
        let shared = [HARD_FAULT, SYSTICK];
        assert_eq!(choose(&shared, Flow::Next, true), Some(HARD_FAULT));
        assert_eq!(choose(&shared, Flow::Next, false), Some(SYSTICK));
    }
}
