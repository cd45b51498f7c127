// SPDX-License-Identifier: MIT
//
// The variant of port.c without memory protection: tasks are privileged and may use everything.
// kernels/freertos-mpu has the other file of this name; the includes of kernel.toml select one.
#ifndef FREERTOS_PORT_PROTECTION_H
#define FREERTOS_PORT_PROTECTION_H

#include <bench/port.h>
#include <freertos_api.h>

// Returns pdPASS; otherwise there was no memory, and `task` is not set.
static inline BaseType_t protection_create_task(const struct bench_task_declaration *declared,
                                                UBaseType_t priority, TaskFunction_t run,
                                                TaskHandle_t *task) {
    const uint32_t words = configMINIMAL_STACK_SIZE + declared->stack_bytes / sizeof(StackType_t);
    return xTaskCreate(run, declared->name, (configSTACK_DEPTH_TYPE)words, (void *)declared->entry,
                       priority, task);
}

// Grants `task` the use of a kernel object, by the object's handle. Called at start-up only.
static inline void protection_grant(TaskHandle_t task, void *object) {
    (void)task;
    (void)object;
}

// Called at start-up only.
static inline void protection_enable_interrupt(uint32_t line) {
    kernel_enable_interrupt(line);
}

static inline void protection_suspend(TaskHandle_t task) {
    vTaskSuspend(task);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request(line);
}

#endif
