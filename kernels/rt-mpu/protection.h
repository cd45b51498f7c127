// SPDX-License-Identifier: MIT
//
// What port.c does differently with memory protection: tasks are unprivileged, and reach their own
// stacks, all code, the variables that they share, and devices. kernels/rt has the other file of
// this name.
#ifndef RT_PORT_PROTECTION_H
#define RT_PORT_PROTECTION_H

#include <arch/interrupt.h>

#include <rt/task.h>

// Start-up only. Says what memory a task reaches besides its stack.
void protection_confine(struct rt_task *task);

// Of a task, first: gives its privileges up.
static inline void protection_begin_task(void) {
    rt_task_drop_privilege();
}

// Start-up only, last: from here on tasks' accesses are checked.
void protection_start(void);

// Start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable_for_unprivileged(line);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request_unprivileged(line);
}

#endif
