// SPDX-License-Identifier: MIT
//
// What interrupts do. A line is bound at build time: its handler is generated, and calls one of
// these functions.
#include "methods.h"

void kernel_interrupt_resumes(struct thread *thread) {
    if (SELDOM(thread->state != THREAD_SUSPENDED)) {
        thread->state &= ~THREAD_SUSPENDED;
        return;
    }
    thread->state = 0;
    if (ready_add(&kernel.ready, thread)) {
        arch_switch_request();
    }
}
