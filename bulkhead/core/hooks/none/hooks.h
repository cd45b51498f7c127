// SPDX-License-Identifier: MIT
//
// The hooks for observation of the kernel, in a build that has none. A build chooses one folder of
// core/hooks by its include path; each folder has this header, with the same names. In this one the
// names expand to no instruction, except the calls of a declared trace.
#ifndef KERNEL_HOOKS_H
#define KERNEL_HOOKS_H

#include "optional.h"

#ifdef __ASSEMBLER__
#define HAS_HOOKS 0
#if KERNEL_HAS_TRACE_CALLS
#define HOOK_CALL HOOK_AT_CALL trace_call
#else
#define HOOK_CALL
#endif
#define HOOK_SWITCH
#else
static inline void hook_tick(void) {
}
#endif

#endif
