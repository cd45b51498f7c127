// SPDX-License-Identifier: MIT
//
// Declarations that the files of this architecture share, and those that come from the system's
// declaration.
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include "kernel.h"

// Generated from the declaration: the page that every process may read, and the code that all
// processes share.
extern const struct arch_region kernel_shared_regions[2];

// Labels in entry.S and copy.S. After a fault in the kernel, execution continues at one of the
// first three.
void arch_copy_refused(void);
void arch_abandon_thread(void);
_Noreturn void arch_panic(void);
_Noreturn void arch_enter(void);

// In known_state.c.
void arch_known_state(void);
void arch_unmask(void);

// In fault.c; entry.S calls them.
void arch_thread_fault(void);
void arch_kernel_fault(struct arch_frame *frame);

#endif
