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

// --- Drivers -------------------------------------------------------------------------------------
// A line that is delivered to a driver is masked from its interrupt on until the driver says that
// it is done: a device that holds its line would interrupt for ever.

static inline uint32_t number(const void *line) {
    return (uint32_t)(uintptr_t)line;
}

// The commonest case first: the driver waits, for ever, and for nothing else.
void kernel_interrupt_delivers(uint32_t line, struct thread *driver) {
    arch_line_mask(line);
    if (SELDOM(driver->state != THREAD_LISTENS || timer_armed(&driver->timer))) {
        kernel_interrupt_notifies(driver);
        return;
    }
    driver->state = 0;
    if (ready_add(&kernel.ready, driver)) {
        arch_switch_request();
    }
}

decision line_acknowledge(void *line) {
    arch_line_unmask(number(line));
    return GO_ON;
}

decision line_wait(void *line, struct arch_frame *frame) {
    arch_line_unmask(number(line));
    return self_notification_wait(line, frame);
}

// A device that held its line when the interrupt was left made it pending again. If it still does,
// it does so once more; else this was the same request.
decision level_acknowledge(void *line) {
    arch_line_forget(number(line));
    return line_acknowledge(line);
}

decision level_wait(void *line, struct arch_frame *frame) {
    arch_line_forget(number(line));
    return line_wait(line, frame);
}
