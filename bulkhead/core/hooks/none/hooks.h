// SPDX-License-Identifier: MIT
//
// What looks on while the kernel works: nothing. A build chooses one folder of core/hooks by its
// include path; each has this header, with the same names. Here they stand for no instruction.
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
