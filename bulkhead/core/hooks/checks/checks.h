// SPDX-License-Identifier: MIT
//
// Sanity checks of the kernel's state: the functions that test invariants, and the function that
// stops the system if one does not hold.
#ifndef KERNEL_CHECKS_H
#define KERNEL_CHECKS_H

#include "kernel.h"

#define CHECK(condition)                     \
    do {                                     \
        if (!(condition)) {                  \
            kernel_inconsistent(#condition); \
        }                                    \
    } while (0)

// Stops the system for good, at a breakpoint. Each architecture defines this function.
_Noreturn void arch_panic(void);

// Tests the whole state of the kernel. All invariants hold between two calls, interrupts or ticks.
void kernel_check(void);

// In waits.c: tests lists of waiters, mutexes, calls and inherited priorities.
void kernel_check_waits(void);

// Called if an invariant does not hold. `invariant` is its text, for the debugger.
_Noreturn void kernel_inconsistent(const char *invariant);

#endif
