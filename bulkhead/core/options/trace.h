// SPDX-License-Identifier: MIT
//
// The trace of the kernel: trace.c.
#ifndef KERNEL_TRACE_H
#define KERNEL_TRACE_H

#include "kernel.h"

// The ring of events, at the end of the data, and the number of its elements less 1. Generated from
// the declaration.
extern uint32_t kernel_trace[];
extern const uint32_t kernel_trace_mask;

// For the hooks of the entry (optional.h): called before the switch to a thread, and at each call
// if `trace_calls` is declared.
void trace_switch(const struct thread *to);
void trace_call(const struct arch_frame *frame);

#endif
