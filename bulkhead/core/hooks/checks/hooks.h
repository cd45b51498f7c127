// SPDX-License-Identifier: MIT
//
// What looks on while the kernel works: sanity checks (checks.c), at each call, switch and tick.
#ifndef KERNEL_HOOKS_H
#define KERNEL_HOOKS_H

#ifdef __ASSEMBLER__
#define HOOK_CALL HOOK kernel_check, r1
#define HOOK_SWITCH HOOK kernel_check, r0
#else
void kernel_check(void);
static inline void hook_tick(void) {
    kernel_check();
}
#endif

#endif
