// SPDX-License-Identifier: MIT
//
// The optional parts of the kernel (options/) that the declaration of a system needs. The generator
// names them in kernel_features.h. A system that declares none of them has none of their code: the
// names of this header then expand to nothing, and kernel_options.c includes no file of options/.
#ifndef KERNEL_OPTIONAL_H
#define KERNEL_OPTIONAL_H

#if __has_include(<kernel_features.h>)
#include <kernel_features.h>
#endif

#ifndef KERNEL_HAS_BUDGETS
#define KERNEL_HAS_BUDGETS 0
#endif

// The tables of methods of rights to send and to receive apart: method_tables.inc.
#ifndef KERNEL_HAS_RIGHTS_APART
#define KERNEL_HAS_RIGHTS_APART 0
#endif

// Where the switch enters another process: `process` is the register that has it.
#ifdef __ASSEMBLER__
#if KERNEL_HAS_BUDGETS
#include <account.inc>
#define HOOK_PROCESS(process) ACCOUNT process
#else
#define HOOK_PROCESS(process)
#endif
#else

#include <stdint.h>

struct process;

// Returns the state of a thread of `process` that is launched with `state`.
#if KERNEL_HAS_BUDGETS
uint32_t budget_launch_state(const struct process *process, uint32_t state);
#else
static inline uint32_t budget_launch_state(const struct process *process, uint32_t state) {
    (void)process;
    return state;
}
#endif
#endif

#endif
