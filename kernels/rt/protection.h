// SPDX-License-Identifier: MIT
//
// The variant of port.c without memory protection: tasks are privileged and can access everything.
// kernels/rt-mpu has the other file of this name; the includes of kernel.toml select one.
#ifndef RT_PORT_PROTECTION_H
#define RT_PORT_PROTECTION_H

#include <arch/interrupt.h>

#include <rt/task.h>

// Sets the memory that a task can access besides its stack. Called at start-up only.
static inline void protection_confine(struct rt_task *task) {
    (void)task;
}

// Drops the task's privileges. Called first in each task.
static inline void protection_begin_task(void) {
}

// Enables the checks of tasks' accesses. Called last at start-up.
static inline void protection_start(void) {
}

// Called at start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable(line);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request(line);
}

#endif
