// SPDX-License-Identifier: MIT
//
// What the files of this architecture share, and what it takes from the declaration.
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include "kernel.h"

// From the declaration: the code that all processes share, with the page that they may read.
extern const struct arch_region kernel_shared_region;

// entry.S. The table is mtvec's.
extern const char arch_vectors[];
_Noreturn void arch_panic(void);
_Noreturn void arch_enter(void);

// For entry.S: what interrupts do. Each returns the thread to run if that is another one.
MUST_USE decision arch_tick_interrupt(void);
MUST_USE decision arch_line_interrupt(void);

// fault.c, for entry.S.
MUST_USE decision arch_thread_fault(const struct arch_frame *frame);

// tick.c: the next tick is due a period after this one.
void arch_tick_again(void);

#endif
