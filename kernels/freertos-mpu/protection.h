// SPDX-License-Identifier: MIT
//
// What port.c does differently with memory protection: tasks are unprivileged and have the rights
// that they are given. kernels/freertos has the other file of this name.
#ifndef FREERTOS_PORT_PROTECTION_H
#define FREERTOS_PORT_PROTECTION_H

#include <arch/interrupt.h>
#include <bench/port.h>

#include <FreeRTOS.h>
#include <task.h>

// Start-up only. pdPASS, or no memory for the task, and then `task` is not set.
BaseType_t protection_create_task(const struct bench_task_declaration *declared,
                                  UBaseType_t priority, TaskFunction_t run, TaskHandle_t *task);

// Start-up only. Lets `task` use an object of the kernel, by its handle.
void protection_grant(TaskHandle_t task, void *object);

// Start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable_for_unprivileged(line);
}

// Service `suspend-self`: an unprivileged task may suspend itself alone, and names itself by NULL.
static inline void protection_suspend(TaskHandle_t task) {
    (void)task;
    vTaskSuspend(NULL);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request_unprivileged(line);
}

#endif
