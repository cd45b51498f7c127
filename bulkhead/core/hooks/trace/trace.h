// SPDX-License-Identifier: MIT
//
// The layout of the trace in memory.
#ifndef KERNEL_TRACE_H
#define KERNEL_TRACE_H

#include "kernel.h"

enum { TRACE_EVENTS = 64 }; // a power of two: `written` wraps

enum trace_kind { TRACE_CALL = 1, TRACE_SWITCH, TRACE_TICK };

struct trace_event {
    uint32_t tick;
    enum trace_kind kind;
    const struct thread *thread; // that ran
    uint32_t what, detail;       // call: handle, method; switch: to which thread
};

struct kernel_trace {
    uint32_t written;
    struct trace_event events[TRACE_EVENTS];
};

extern struct kernel_trace kernel_trace;

void hook_call(const struct arch_frame *frame);
void hook_switch(const struct thread *to);

#endif
