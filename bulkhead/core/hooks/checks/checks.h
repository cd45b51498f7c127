// SPDX-License-Identifier: MIT
//
// Sanity checks, and where they end.
#ifndef KERNEL_CHECKS_H
#define KERNEL_CHECKS_H

#include "kernel.h"

// Of the architecture: stops for good, at a breakpoint.
_Noreturn void arch_panic(void);

void kernel_check(void);

// `line` of checks.c says which invariant does not hold.
_Noreturn void kernel_inconsistent(uint32_t line);

#endif
