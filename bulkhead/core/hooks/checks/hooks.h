// SPDX-License-Identifier: MIT
//
// The observer of the kernel: sanity checks (checks.c), at each call, switch and tick.
#ifndef KERNEL_HOOKS_H
#define KERNEL_HOOKS_H

#include "optional.h"

#if KERNEL_HAS_TRACE_CALLS
#error "the checks take the place of traced calls; take trace_calls out of the declaration"
#endif

#ifdef __ASSEMBLER__
#define HAS_HOOKS 1
#define HOOK_CALL HOOK_AT_CALL kernel_check
#define HOOK_SWITCH HOOK_AT_SWITCH kernel_check
#else
void kernel_check(void);
static inline void hook_tick(void) {
    kernel_check();
}
#endif

#endif
