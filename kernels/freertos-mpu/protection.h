// SPDX-License-Identifier: MIT
//
// The variant of port.c with memory protection: tasks are unprivileged and have only granted
// rights. kernels/freertos has the other file of this name.
#ifndef FREERTOS_PORT_PROTECTION_H
#define FREERTOS_PORT_PROTECTION_H

#include <arch/interrupt.h>
#include <bench/port.h>

#include <FreeRTOS.h>
#include <task.h>

// Creates a task. Called at start-up only. Returns pdPASS; otherwise there was no memory, and
// `task` is not set.
BaseType_t protection_create_task(const struct bench_task_declaration *declared,
                                  UBaseType_t priority, TaskFunction_t run, TaskHandle_t *task);

// Grants `task` the use of a kernel object, by the object's handle. Called at start-up only.
void protection_grant(TaskHandle_t task, void *object);

// Called at start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable_for_unprivileged(line);
}

// Service `suspend-self`: an unprivileged task may suspend only itself, and names itself by NULL.
static inline void protection_suspend(TaskHandle_t task) {
    (void)task;
    vTaskSuspend(NULL);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request_unprivileged(line);
}

#endif
