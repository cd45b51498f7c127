// SPDX-License-Identifier: MIT
//! Armv7-M and Armv8-M: SVC with the handle in r1, the method in r2, arguments in r3 and r12, and
//! the result in r0. No other register changes.

use core::arch::asm;

/// Words of the registers in the report of a fault.
pub const REGISTERS: usize = 17;

/// # Safety
/// As for `svc::call`.
#[inline(always)]
pub unsafe fn call(handle: u32, method: u32, first: u32, second: u32) -> (u32, u32) {
    let (r0, r3): (u32, u32);
    // SAFETY: the kernel changes these registers and no other; the caller guarantees that the
    // memory may be accessed.
    unsafe {
        asm!("movs r0, #0", "svc 0", out("r0") r0, in("r1") handle, in("r2") method,
             inlateout("r3") first => r3, inlateout("r12") second => _);
    }
    (r0, r3)
}

#[inline(always)]
pub fn exchange(handle: u32, method: u32, words: &mut [u32; 4], value: u32) -> (u32, u32) {
    let (r0, r3): (u32, u32);
    // SAFETY: the words are the caller's, and the kernel changes these registers and no other.
    unsafe {
        asm!("ldmia {words}, {{r8-r11}}", "movs r0, #0", "svc 0", "stmia {words}, {{r8-r11}}",
             words = in(reg) words.as_mut_ptr(), out("r0") r0, in("r1") handle, in("r2") method,
             inlateout("r3") value => r3,
             out("r8") _, out("r9") _, out("r10") _, out("r11") _);
    }
    (r0, r3)
}

/// # Safety
/// As for `svc::exchange_2`.
#[inline(always)]
pub unsafe fn exchange_2(
    handle: u32,
    method: u32,
    words: &mut [u32; 4],
    first: u32,
    second: u32,
) -> u32 {
    let r0: u32;
    // SAFETY: the words are the caller's, and the kernel changes these registers and no other; the
    // caller answers for other memory.
    unsafe {
        asm!("ldmia {words}, {{r8-r11}}", "movs r0, #0", "svc 0", "stmia {words}, {{r8-r11}}",
             words = in(reg) words.as_mut_ptr(), out("r0") r0, in("r1") handle, in("r2") method,
             inlateout("r3") first => _, inlateout("r12") second => _,
             out("r8") _, out("r9") _, out("r10") _, out("r11") _);
    }
    r0
}

/// Executes an undefined instruction, which is a fault.
pub fn fault() {
    // SAFETY: the fault ends the process.
    unsafe { asm!("udf #0") }
}
