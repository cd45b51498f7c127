// SPDX-License-Identifier: MIT
//
// Measures of each thread: the use of its stack (marks.c), and its processor time (times.c).
#ifndef KERNEL_MEASURES_H
#define KERNEL_MEASURES_H

#include "kernel.h"

struct measured {
    uint32_t *stack, *stack_end;
    uint64_t *counts; // counts of processor time; NULL without times.c
};

// Generated from the declaration, in the order of kernel_threads. The idle thread is the last.
extern const struct measured kernel_measured[];

// Called at the switch to another thread: charges the time since the last switch to the thread that
// ran.
void times_enter(const struct thread *to);

#endif
