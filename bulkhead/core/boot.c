// SPDX-License-Identifier: MIT
//
// From the start-up code to the first thread.
#include "methods.h"
#include <bulkhead/start.h>

static void launch_all(void) {
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        const struct thread_declaration *declared = &kernel_thread_declarations[i];
        thread_launch(&kernel_threads[i], declared, declared->initially);
    }
}

_Noreturn void bulkhead_start(void) {
    kernel = (struct kernel){.current = &kernel_nobody,
                             .process = kernel_idle_declaration.process,
                             .rights_mask = kernel_rights_mask};
    for (uint32_t i = 0; i < kernel_process_count; i++) {
        process_load(&kernel_processes[i]->memory);
    }
    kernel.timers.heap = kernel_timer_heap;
    launch_all();
    thread_launch(&kernel_idle, &kernel_idle_declaration, 0);
    arch_start();
}

// The one call that start-up makes itself, as idle's process, which alone has the right to it.
decision kernel_boot(void) {
    arch_threads_unprivileged();
    return ready_highest(&kernel.ready);
}
