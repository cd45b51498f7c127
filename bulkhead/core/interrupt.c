// SPDX-License-Identifier: MIT
//
// Interrupts that software requests, as a device would. What a line does is bound at build time:
// its handler is generated, and calls kernel_interrupt_posts and its like.
#include "calls.h"
#include "kernel.h"

void call_interrupt_pend(struct arch_frame *frame, uint32_t lines) {
    if (SELDOM(lines & ~kernel.process->pendable)) {
        frame->r0 = BULKHEAD_DENIED;
        return;
    }
    arch_interrupt_pend(lines);
    frame->r0 = BULKHEAD_OK;
}

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
