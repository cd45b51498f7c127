// SPDX-License-Identifier: MIT
//
// The observer of the kernel: none. A build chooses one folder of core/hooks by its include path;
// each folder has this header, with the same names. Here they expand to no instruction.
#ifndef KERNEL_HOOKS_H
#define KERNEL_HOOKS_H

#ifdef __ASSEMBLER__
#define HOOK_CALL
#define HOOK_SWITCH
#else
static inline void hook_tick(void) {
}
#endif

#endif
