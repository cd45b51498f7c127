// SPDX-License-Identifier: MIT
//
// What port.c does differently with memory protection and without. Here without: tasks are
// privileged and have the right to everything. kernels/freertos-mpu has the other file of this
// name; the includes of kernel.toml choose.
#ifndef FREERTOS_PORT_PROTECTION_H
#define FREERTOS_PORT_PROTECTION_H

#include <arch/interrupt.h>
#include <bench/port.h>

#include <FreeRTOS.h>
#include <task.h>

// pdPASS, or no memory for the task, and then `task` is not set.
static inline BaseType_t protection_create_task(const struct bench_task_declaration *declared,
                                                UBaseType_t priority, TaskFunction_t run,
                                                TaskHandle_t *task) {
    const uint32_t words = configMINIMAL_STACK_SIZE + declared->stack_bytes / sizeof(StackType_t);
    return xTaskCreate(run, declared->name, (configSTACK_DEPTH_TYPE)words, (void *)declared->entry,
                       priority, task);
}

// Start-up only. Lets `task` use an object of the kernel, by its handle.
static inline void protection_grant(TaskHandle_t task, void *object) {
    (void)task;
    (void)object;
}

// Start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable(line);
}

static inline void protection_suspend(TaskHandle_t task) {
    vTaskSuspend(task);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request(line);
}

#endif
