// SPDX-License-Identifier: MIT
//
// From the start-up code to the first thread.
#include "calls.h"
#include "kernel.h"
#include <bulkhead/start.h>

static void launch_all(void) {
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        const struct thread_declaration *declared = &kernel_thread_declarations[i];
        thread_launch(&kernel_threads[i], declared, declared->initially);
    }
}

// Idle stands below every level and is in none.
static void launch_idle(void) {
    thread_launch(&kernel.idle, &kernel_idle_declaration, THREAD_ABSENT);
    kernel.idle.state = 0;
    kernel.ready.heads[PRIORITIES] = &kernel.idle;
}

_Noreturn void bulkhead_start(void) {
    for (uint32_t i = 0; i < kernel_process_count; i++) {
        process_load(&kernel_processes[i]->memory);
    }
    kernel.timers.heap = kernel_timer_heap;
    launch_all();
    launch_idle();
    kernel.current = &kernel.nobody;
    arch_start();
}

// The one call that start-up makes itself. For a thread it is refused.
decision call_boot(struct arch_frame *frame) {
    if (kernel.current != &kernel.nobody) {
        return answer(frame, BULKHEAD_REFUSED);
    }
    arch_threads_unprivileged();
    return ready_highest(&kernel.ready);
}
