// SPDX-License-Identifier: MIT
//
// What port.c does differently with memory protection and without. Here without: tasks are
// privileged and reach everything. kernels/rt-mpu has the other file of this name; the includes of
// kernel.toml choose.
#ifndef RT_PORT_PROTECTION_H
#define RT_PORT_PROTECTION_H

#include <arch/interrupt.h>

#include <rt/task.h>

// Start-up only. Says what memory a task reaches besides its stack.
static inline void protection_confine(struct rt_task *task) {
    (void)task;
}

// Of a task, first.
static inline void protection_begin_task(void) {
}

// Start-up only, last: from here on tasks' accesses are checked.
static inline void protection_start(void) {
}

// Start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable(line);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request(line);
}

#endif
