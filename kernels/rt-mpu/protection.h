// SPDX-License-Identifier: MIT
//
// The variant of port.c with memory protection: tasks are unprivileged and can access their own
// stacks, all code, the variables that tasks share, and devices. kernels/rt has the other file of
// this name.
#ifndef RT_PORT_PROTECTION_H
#define RT_PORT_PROTECTION_H

#include <arch/interrupt.h>

#include <rt/task.h>

// Sets the memory that a task can access besides its stack. Called at start-up only.
void protection_confine(struct rt_task *task);

// Drops the task's privileges. Called first in each task.
static inline void protection_begin_task(void) {
    rt_task_drop_privilege();
}

// Enables the checks of tasks' accesses. Called last at start-up.
void protection_start(void);

// Called at start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable_for_unprivileged(line);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request_unprivileged(line);
}

#endif
