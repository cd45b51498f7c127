// SPDX-License-Identifier: MIT
//
// The change of a ready thread's priority, out of line because several files make it.
#include "kernel.h"

void thread_move_ready(struct thread *thread, uint32_t mask) {
    ready_remove(&kernel.ready, thread);
    arch_compiler_barrier();
    thread_set_level(thread, mask);
    ready_add(&kernel.ready, thread);
}
