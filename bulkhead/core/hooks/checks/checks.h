// SPDX-License-Identifier: MIT
//
// Sanity checks: which invariants they test, and where a failed one ends.
#ifndef KERNEL_CHECKS_H
#define KERNEL_CHECKS_H

#include "kernel.h"

#define CHECK(condition)                     \
    do {                                     \
        if (!(condition)) {                  \
            kernel_inconsistent(#condition); \
        }                                    \
    } while (0)

// Stops the system for good, at a breakpoint. Each architecture defines it.
_Noreturn void arch_panic(void);

// Tests the whole state of the kernel. Between two calls, interrupts or ticks everything holds.
void kernel_check(void);

// waits.c: lists of waiters, mutexes, calls and inherited priorities.
void kernel_check_waits(void);

// `invariant` does not hold: its text, for the debugger.
_Noreturn void kernel_inconsistent(const char *invariant);

#endif
