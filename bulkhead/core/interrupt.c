// SPDX-License-Identifier: MIT
//
// Interrupt lines that are delivered to a driver. The interrupt handler has masked the line,
// because a device that keeps its line asserted would interrupt for ever; the driver unmasks the
// line when it has served the device. The code handles the common case first: the driver waits for
// its line alone, without a timeout.
#include "methods.h"

void kernel_interrupt_delivers(struct thread *driver) {
    if (unlikely(driver->state != THREAD_LISTENS)) {
        kernel_interrupt_notifies(driver);
        return;
    }
    driver->state = 0;
    arch_compiler_barrier();
    if (ready_add(&kernel.ready, driver)) {
        arch_switch_request();
    }
}

struct thread *line_acknowledge(const struct arch_line *line) {
    arch_line_unmask(line);
    return NO_SWITCH;
}

struct thread *line_wait(const struct arch_line *line, struct arch_frame *frame) {
    arch_line_unmask(line);
    arch_compiler_barrier();
    struct thread *self = kernel.current;
    if (unlikely(self->notifications != 0 || arch_argument(frame) != BULKHEAD_FOREVER)) {
        return self_notification_wait(NULL, frame);
    }
    self->state = THREAD_LISTENS;
    return ready_remove_head(&kernel.ready, self);
}

// Unmasks a level-triggered line. A device that kept the line asserted when the handler returned
// has pended the line again. This clears the pending state: a device that still asserts the line
// pends it once more.
struct thread *level_acknowledge(const struct arch_line *line) {
    arch_line_forget(line);
    return line_acknowledge(line);
}

struct thread *level_wait(const struct arch_line *line, struct arch_frame *frame) {
    arch_line_forget(line);
    return line_wait(line, frame);
}
