// SPDX-License-Identifier: MIT
//! RV32: ECALL with the handle in a0, the method in a1, arguments in a2 and a3, and four words in
//! a4 to a7. Handle and method are offsets in their tables. The result is in a0, another value in
//! a2. Like a function, a call preserves only s0 to s11, sp and ra.

use core::arch::asm;

/// Words of the registers in the report of a fault.
pub const REGISTERS: usize = 32;

const HANDLE_SCALE: u32 = 8; // BULKHEAD_RIGHT_BYTES
const METHOD_SCALE: u32 = 4;

/// # Safety
/// As for `svc::call`.
#[inline(always)]
pub unsafe fn call(handle: u32, method: u32, first: u32, second: u32) -> (u32, u32) {
    let (a0, a2): (u32, u32);
    // SAFETY: the kernel changes these registers and no other; the caller guarantees that the
    // memory may be accessed.
    unsafe {
        asm!("ecall",
             inlateout("a0") handle * HANDLE_SCALE => a0,
             inlateout("a1") method * METHOD_SCALE => _,
             inlateout("a2") first => a2, inlateout("a3") second => _,
             out("a4") _, out("a5") _, out("a6") _, out("a7") _,
             out("t0") _, out("t1") _, out("t2") _, out("t3") _, out("t4") _, out("t5") _,
             out("t6") _);
    }
    (a0, a2)
}

#[inline(always)]
pub fn exchange(handle: u32, method: u32, words: &mut [u32; 4], value: u32) -> (u32, u32) {
    let (a0, a2): (u32, u32);
    let [first, second, third, fourth] = words;
    // SAFETY: the call accesses no memory, and the kernel changes these registers and no other.
    unsafe {
        asm!("ecall",
             inlateout("a0") handle * HANDLE_SCALE => a0,
             inlateout("a1") method * METHOD_SCALE => _,
             inlateout("a2") value => a2, out("a3") _,
             inlateout("a4") *first, inlateout("a5") *second,
             inlateout("a6") *third, inlateout("a7") *fourth,
             out("t0") _, out("t1") _, out("t2") _, out("t3") _, out("t4") _, out("t5") _,
             out("t6") _);
    }
    (a0, a2)
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
    let a0: u32;
    let [w0, w1, w2, w3] = words;
    // SAFETY: the kernel changes these registers and no other; the caller guarantees that the
    // memory may be accessed.
    unsafe {
        asm!("ecall",
             inlateout("a0") handle * HANDLE_SCALE => a0,
             inlateout("a1") method * METHOD_SCALE => _,
             inlateout("a2") first => _, inlateout("a3") second => _,
             inlateout("a4") *w0, inlateout("a5") *w1, inlateout("a6") *w2, inlateout("a7") *w3,
             out("t0") _, out("t1") _, out("t2") _, out("t3") _, out("t4") _, out("t5") _,
             out("t6") _);
    }
    a0
}

/// Executes an undefined instruction, which is a fault.
pub fn fault() {
    // SAFETY: the fault ends the process.
    unsafe { asm!("unimp") }
}
