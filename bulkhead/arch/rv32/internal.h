// SPDX-License-Identifier: MIT
//
// Declarations that the files of this architecture share, and those that come from the system's
// declaration.
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include "kernel.h"

// Generated from the declaration: the code that all processes share, with the page that they may
// read.
extern const struct arch_region kernel_shared_region;

// In entry.S. mtvec points to arch_vectors.
extern const char arch_vectors[];
_Noreturn void arch_panic(void);
_Noreturn void arch_enter(void);

// The handlers of interrupts, for entry.S. Each returns the thread to switch to, or NO_SWITCH.
MUST_USE struct thread *arch_tick_interrupt(void);
MUST_USE struct thread *arch_line_interrupt(void);

// In fault.c; entry.S calls it.
MUST_USE struct thread *arch_thread_fault(void);

// In tick.c. Makes the next tick due one period after this one.
void arch_tick_again(void);

#endif
