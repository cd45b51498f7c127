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
// it is done: a device that holds its line would interrupt for ever. Both halves have the commonest
// case first: the driver waits for nothing else, and for ever.

// The line is masked by now.
void kernel_interrupt_delivers(struct thread *driver) {
    if (SELDOM(driver->state != THREAD_LISTENS || timer_armed(&driver->timer))) {
        kernel_interrupt_notifies(driver);
        return;
    }
    driver->state = 0;
    arch_settle();
    if (ready_add(&kernel.ready, driver)) {
        arch_switch_request();
    }
}

decision line_acknowledge(const struct arch_line *line) {
    arch_line_unmask(line);
    return GO_ON;
}

decision line_wait(const struct arch_line *line, struct arch_frame *frame) {
    arch_line_unmask(line);
    arch_settle();
    struct thread *self = kernel.current;
    if (SELDOM(self->notifications != 0 || arch_argument(frame) != BULKHEAD_FOREVER)) {
        return self_notification_wait(NULL, frame);
    }
    self->state = THREAD_LISTENS;
    return ready_remove_head(&kernel.ready, self);
}

// A device that held its line when the interrupt was left made it pending again. If it still does,
// it does so once more; else this was the same request.
decision level_acknowledge(const struct arch_line *line) {
    arch_line_forget(line);
    return line_acknowledge(line);
}

decision level_wait(const struct arch_line *line, struct arch_frame *frame) {
    arch_line_forget(line);
    return line_wait(line, frame);
}
