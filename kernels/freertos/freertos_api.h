// SPDX-License-Identifier: MIT
//
// The kernel's interface for port.c and protection.h, and how the contract's priorities map to the
// kernel's. kernels/freertos-in-rust has the other file of this name.
#ifndef FREERTOS_PORT_API_H
#define FREERTOS_PORT_API_H

#include <arch/interrupt.h>
#include <bench/scenario.h>

#include <FreeRTOS.h>
#include <event_groups.h>
#include <message_buffer.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>
#include <timers.h>

// In FreeRTOS, 0 is the lowest priority, which the idle task has. In the contract, 1 is the
// highest.
static inline UBaseType_t kernel_priority(uint32_t priority) {
    return (UBaseType_t)(BENCH_PRIORITY_LOWEST + 1 - priority);
}

// Called at start-up only.
static inline void kernel_enable_interrupt(uint32_t line) {
    arch_interrupt_enable(line);
}

#endif
