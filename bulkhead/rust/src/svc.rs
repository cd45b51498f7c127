// SPDX-License-Identifier: MIT
//! The system call of Armv7-M, as arch/armv7-m/include/bulkhead/svc.h has it: SVC with the handle
//! in r1, the method in r2, arguments in r3 and r12, and the result in r0. No other register
//! changes.

use crate::{Error, Result};
use core::arch::asm;

fn result(r0: u32) -> Result {
    match r0 {
        0 => Ok(()),
        1 => Err(Error::TimedOut),
        2 => Err(Error::Refused),
        3 => Err(Error::Denied),
        _ => Err(Error::PeerLost),
    }
}

/// Makes a call with up to two arguments, and returns its result and r3.
///
/// # Safety
/// The call must access only memory of the caller that no reference forbids.
#[inline(always)]
pub unsafe fn call(handle: u32, method: u32, first: u32, second: u32) -> (Result, u32) {
    let (r0, r3): (u32, u32);
    // SAFETY: the kernel changes these registers and no other; the caller answers for memory.
    unsafe {
        asm!("movs r0, #0", "svc 0", out("r0") r0, in("r1") handle, in("r2") method,
             inlateout("r3") first => r3, inlateout("r12") second => _);
    }
    (result(r0), r3)
}

/// Makes a call that accesses no memory of the caller.
#[inline(always)]
pub fn plain(handle: u32, method: u32, first: u32, second: u32) -> Result {
    // SAFETY: it accesses none.
    unsafe { call(handle, method, first, second) }.0
}

/// Makes a call that sends four words and receives four, and returns its result and r3.
#[inline(always)]
pub fn exchange(handle: u32, method: u32, words: &mut [u32; 4], value: u32) -> (Result, u32) {
    let (r0, r3): (u32, u32);
    // SAFETY: the words are the caller's, and the kernel changes these registers and no other.
    unsafe {
        asm!("ldmia {words}, {{r8-r11}}", "movs r0, #0", "svc 0", "stmia {words}, {{r8-r11}}",
             words = in(reg) words.as_mut_ptr(), out("r0") r0, in("r1") handle, in("r2") method,
             inlateout("r3") value => r3,
             out("r8") _, out("r9") _, out("r10") _, out("r11") _);
    }
    (result(r0), r3)
}
