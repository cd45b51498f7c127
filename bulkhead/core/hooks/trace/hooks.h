// SPDX-License-Identifier: MIT
//
// What looks on while the kernel works: a trace (trace.c).
#ifndef KERNEL_HOOKS_H
#define KERNEL_HOOKS_H

#ifdef __ASSEMBLER__
#define HOOK_CALL HOOK hook_call, r1
#define HOOK_SWITCH HOOK hook_switch, r0
#else
void hook_tick(void);
#endif

#endif
