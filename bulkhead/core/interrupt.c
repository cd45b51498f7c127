// SPDX-License-Identifier: MIT
//
// Lines that are delivered to a driver: masked from the interrupt on (thread.c) until the driver
// says that it is done, for a device that holds its line would interrupt for ever. Both halves have
// the commonest case first: the driver waits for nothing else, and for ever.
#include "methods.h"

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
