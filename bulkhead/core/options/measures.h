// SPDX-License-Identifier: MIT
//
// The measures of each thread: marks.c, times.c.
#ifndef KERNEL_MEASURES_H
#define KERNEL_MEASURES_H

#include "kernel.h"

struct measured {
    uint32_t *stack, *stack_end;
    uint64_t *counts; // of processor time; NULL without times.c
};

// From the declaration, in the order of kernel_threads. The idle thread is the last.
extern const struct measured kernel_measured[];

// Charges the time since the last switch to the thread that ran, at the switch to another one.
void times_enter(const struct thread *to);

#endif
