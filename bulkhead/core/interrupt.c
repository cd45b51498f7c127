// SPDX-License-Identifier: MIT
//
// Interrupts that software requests, as a device would. What a line does is bound at build time:
// its handler is generated, and calls kernel_interrupt_posts and its like.
#include "calls.h"
#include "kernel.h"

decision call_interrupt_pend(struct arch_frame *frame) {
    const uint32_t lines = frame->r0;
    if (lines & ~kernel.process->pendable) {
        return answer(frame, BULKHEAD_DENIED);
    }
    arch_interrupt_pend(lines);
    return GO_ON;
}

void kernel_interrupt_resumes(struct thread *thread) {
    if (!(thread->state & THREAD_SUSPENDED)) {
        return;
    }
    thread->state &= ~THREAD_SUSPENDED;
    if (thread->state == 0 && ready_add(&kernel.ready, thread)) {
        arch_switch_request();
    }
}
