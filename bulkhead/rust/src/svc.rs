// SPDX-License-Identifier: MIT
//! The system call: `arch/*/include/bulkhead/svc.h` has the same in C. Each instruction set has a
//! module, whose functions return the call's result as a number and another value.

#[cfg(target_arch = "arm")]
#[path = "svc/arm.rs"]
mod machine;
#[cfg(target_arch = "riscv32")]
#[path = "svc/riscv32.rs"]
mod machine;

pub use machine::{fault, REGISTERS};

use crate::{Error, Result};

fn result(number: u32) -> Result {
    match number {
        0 => Ok(()),
        1 => Err(Error::TimedOut),
        2 => Err(Error::Refused),
        3 => Err(Error::Denied),
        _ => Err(Error::PeerLost),
    }
}

/// Makes a call with up to two arguments, and returns its result and the value that it returns.
///
/// # Safety
/// The call must access only memory of the caller that no reference forbids.
#[inline(always)]
pub unsafe fn call(handle: u32, method: u32, first: u32, second: u32) -> (Result, u32) {
    // SAFETY: the caller guarantees that the memory may be accessed.
    let (number, value) = unsafe { machine::call(handle, method, first, second) };
    (result(number), value)
}

/// Makes a call that accesses no memory of the caller.
#[inline(always)]
pub fn plain(handle: u32, method: u32, first: u32, second: u32) -> Result {
    // SAFETY: it accesses none.
    unsafe { call(handle, method, first, second) }.0
}

/// Makes a call with two arguments that sends four words and receives four.
///
/// # Safety
/// The call must access only memory of the caller that no reference forbids.
#[inline(always)]
pub unsafe fn exchange_2(
    handle: u32,
    method: u32,
    words: &mut [u32; 4],
    first: u32,
    second: u32,
) -> Result {
    // SAFETY: the caller guarantees that the memory may be accessed.
    result(unsafe { machine::exchange_2(handle, method, words, first, second) })
}

/// Makes a call that sends four words and receives four, and returns its result and a value.
#[inline(always)]
pub fn exchange(handle: u32, method: u32, words: &mut [u32; 4], value: u32) -> (Result, u32) {
    let (number, value) = machine::exchange(handle, method, words, value);
    (result(number), value)
}
