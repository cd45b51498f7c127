// SPDX-License-Identifier: MIT
//
// Injection: an interrupt that a device pends before a chosen instruction of whatever runs next.
//
// A device that only the board knows runs off after so many instructions and enters the one
// exception that nothing masks (on Armv7-M the NMI), whose handler pends the declared interrupt and
// returns. So a request comes at every instruction alike, also where interrupts are masked, and the
// processor itself tells which instruction that was. What the injection adds lies before the mark
// "pended" but for one instruction, the return from that handler.
//
// Marks: "begin" at the last instruction of bench_injection_arm, "injected" at the first
// instruction of the handler, "pended" at its last. From "begin" to "injected" is the position.
//
// Exact where time follows instructions (QEMU). On a board the instruction is whichever the clock
// hits. Not for kernels without service `interrupt-line`.
#ifndef BENCH_INJECTION_H
#define BENCH_INJECTION_H

#include <stdint.h>

// Chooses the interrupt, by its line (bench_interrupt_line).
void bench_injection_bind(uint32_t line);

// Pends it once, when `position` instructions have been executed from this function's return, the
// return itself the first of them: 1 at least. No interrupt may come in before this returns.
void bench_injection_arm(uint32_t position);

// Pends it no more. Returns the address of the instruction before which it was pended; 0 if it was
// not, in which case it will not be.
uint32_t bench_injection_disarm(void);

#endif
