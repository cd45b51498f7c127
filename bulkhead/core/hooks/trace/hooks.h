// SPDX-License-Identifier: MIT
//
// The observer of the kernel: a trace (trace.c).
#ifndef KERNEL_HOOKS_H
#define KERNEL_HOOKS_H

#ifdef __ASSEMBLER__
#define HOOK_CALL HOOK_AT_CALL hook_call
#define HOOK_SWITCH HOOK_AT_SWITCH hook_switch
#else
void hook_tick(void);
#endif

#endif
