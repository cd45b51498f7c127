// SPDX-License-Identifier: MIT
//
// The latest events in a ring, for a reader outside the system: GDB (`bulkhead trace`), or a debug
// probe while the system runs. `written` is incremented after its event is complete.
#include "trace.h"

struct kernel_trace kernel_trace;

static void note(enum trace_kind kind, uint32_t what, uint32_t detail) {
    kernel_trace.events[kernel_trace.written % TRACE_EVENTS] =
        (struct trace_event){kernel.ticks, kind, kernel.current, what, detail};
    arch_compiler_barrier();
    kernel_trace.written++;
}

void hook_call(const struct arch_frame *frame) {
    note(TRACE_CALL, arch_handle(frame), arch_method(frame));
}

void hook_switch(const struct thread *to) {
    note(TRACE_SWITCH, (uint32_t)(uintptr_t)to, 0);
}

void hook_tick(void) {
    note(TRACE_TICK, 0, 0);
}
