// SPDX-License-Identifier: MIT
//
// The trace: the latest switches, faults and (if declared) calls, in a ring that a debugger or
// Ticklab reads. Only a system that declares `trace_events` has this file.
//
// The ring lies in memory that no start-up code writes and no process reaches (events.py), so the
// trace survives a reset. Each event has a check value, which shows that the event was written. All
// callers run at the priority of the kernel, or with interrupts masked, so events have one order.
#include "trace.h"
#include "optional.h"
#include "options/budget.h"
#include <bulkhead/log.h>

static struct bulkhead_ring *ring(void) {
    return (struct bulkhead_ring *)kernel_trace;
}

// Returns the number of a thread. The idle thread has the number after the last declared thread;
// kernel_no_thread, which is current after a thread has ended, has UINT32_MAX.
static uint32_t number_of(const struct thread *thread) {
    const uint32_t index = (uint32_t)(thread - kernel_threads);
    const uint32_t none = thread == &kernel_idle ? kernel_thread_count : UINT32_MAX;
    return index < kernel_thread_count ? index : none;
}

static void note(enum bulkhead_trace_kind kind, uint32_t thread, uint32_t a, uint32_t b,
                 uint32_t c) {
    const uint32_t number = ring()->written;
    struct bulkhead_entry *event = bulkhead_entry_of(ring(), kernel_trace_mask, number);
    event->ticks = kernel.ticks;
    event->thread = thread;
    event->what = kind;
    event->values[0] = arch_clock();
    event->values[1] = a;
    event->values[2] = b;
    event->values[3] = c;
    event->check = bulkhead_entry_check(number, event);
    ring()->tick_counts = arch_clock_tick();
    ring()->written = number + 1;
}

void trace_start(void) {
    note(BULKHEAD_TRACE_START, UINT32_MAX, 0, 0, 0);
}

void trace_switch(const struct thread *to) {
    note(BULKHEAD_TRACE_SWITCH, number_of(kernel.current), number_of(to), 0, 0);
}

void trace_call(const struct arch_frame *frame) {
    note(BULKHEAD_TRACE_CALL, number_of(kernel.current), arch_handle(frame), arch_method(frame), 0);
}

void trace_fault(const struct thread *thread) {
    const struct bulkhead_fault *fault = thread->process->report;
    note(BULKHEAD_TRACE_FAULT, number_of(thread), fault->kind, fault->address, fault->registers.pc);
}
