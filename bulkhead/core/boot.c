// SPDX-License-Identifier: MIT
//
// The start of the kernel, from the start-up code to the first thread.
#include "methods.h"
#include "optional.h"
#include <bulkhead/start.h>

static void load(const struct process_memory *memory) {
    for (uint32_t *at = memory->start; at != memory->end;) {
        at = process_load(memory, at);
    }
}

_Noreturn void bulkhead_start(void) {
    kernel_clear(&kernel, &kernel + 1);
    record_start();
    trace_start();
    kernel.current = &kernel_no_thread;
    kernel.process = kernel_idle_declaration.process;
    kernel.rights_mask = kernel_rights_mask;
    for (uint32_t i = 0; i < kernel_process_count; i++) {
        load(&kernel_processes[i]->memory);
    }
    marks_lay();
    kernel.timers.heap = kernel_timer_heap;
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        const struct thread_declaration *declared = &kernel_thread_declarations[i];
        thread_rewind(&kernel_threads[i], declared);
        thread_launch(&kernel_threads[i], declared, declared->initially);
    }
    thread_rewind(&kernel_idle, &kernel_idle_declaration);
    thread_launch(&kernel_idle, &kernel_idle_declaration, 0);
    arch_start();
}

// Enters the first thread. On Arm, arch_enter calls this as a system call with the rights of the
// idle thread's process, the only one that has the right to it. On RV32 it is a function call.
struct thread *kernel_boot(void) {
    arch_threads_unprivileged();
    return thread_highest();
}
