// SPDX-License-Identifier: MIT
//
// Injection: a device pends an interrupt before a chosen instruction of the code that runs next.
//
// The device is part of the board, and no kernel knows it. It counts instructions and then enters
// the one exception that cannot be masked (on Armv7-M the NMI). The handler of that exception pends
// the declared interrupt and returns. The request can therefore come at every instruction, also
// where interrupts are masked, and the processor itself reports which instruction that was. The
// injection runs before the mark "pended", except for one instruction: the return from its handler.
//
// Marks: "begin" at the last instruction of bench_injection_arm, "injected" at the first
// instruction of the handler, "pended" at its last. The position is the number of instructions from
// "begin" to "injected".
//
// The position is exact where time is counted in instructions (QEMU). On a board the device counts
// clock cycles, so it hits any instruction near the position. A kernel needs service
// `interrupt-line`.
#ifndef BENCH_INJECTION_H
#define BENCH_INJECTION_H

#include <stdint.h>

// Selects the interrupt to pend by its line (bench_interrupt_line). Call it once, before
// bench_injection_arm.
void bench_injection_bind(uint32_t line);

// Selects one more interrupt, which is pended at the same instant. Call it after
// bench_injection_bind.
void bench_injection_bind_also(uint32_t line);

// Pends the selected interrupt once, after `position` instructions (at least 1). The return from
// this function is the first of them. The caller ensures that no interrupt is taken before this
// function returns.
void bench_injection_arm(uint32_t position);

// Disarms the device. Returns the address of the instruction before which the interrupt was pended,
// or 0 if it was not pended; it is then not pended later either.
uint32_t bench_injection_disarm(void);

#endif
