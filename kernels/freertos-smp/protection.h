// SPDX-License-Identifier: MIT
//
// The variant of kernels/freertos/protection.h for several cores, without memory protection: a task
// is created for the core of its node. The configuration selects where its stack is.
#ifndef FREERTOS_PORT_PROTECTION_H
#define FREERTOS_PORT_PROTECTION_H

#include <arch/interrupt.h>
#include <bench/port.h>
#include <freertos_api.h>

enum { STACK_WORDS = configMINIMAL_STACK_SIZE + 1024 / sizeof(StackType_t) };

#if SMP_LOCAL_STACKS

enum { PROTECTION_TASKS = 64 };

static StaticTask_t protection_blocks[PROTECTION_TASKS];
static StackType_t protection_stacks[PROTECTION_TASKS][STACK_WORDS]
    __attribute__((aligned(16), section(".stack")));

// Called on the task's core. Returns pdPASS; otherwise `task` is not set.
static inline BaseType_t protection_create_task(const struct bench_task_declaration *declared,
                                                UBaseType_t priority, TaskFunction_t run,
                                                TaskHandle_t *task) {
    const size_t i = (size_t)(declared - bench_scenario.tasks);
    if (i >= PROTECTION_TASKS) {
        return pdFAIL;
    }
    *task = xTaskCreateStaticAffinitySet(run, declared->name, STACK_WORDS, (void *)declared->entry,
                                         priority, protection_stacks[i], &protection_blocks[i],
                                         1u << declared->node);
    return pdPASS;
}

#else

// Returns pdPASS; otherwise there was no memory, and `task` is not set.
static inline BaseType_t protection_create_task(const struct bench_task_declaration *declared,
                                                UBaseType_t priority, TaskFunction_t run,
                                                TaskHandle_t *task) {
    return xTaskCreateAffinitySet(run, declared->name, STACK_WORDS, (void *)declared->entry,
                                  priority, 1u << declared->node, task);
}

#endif

static inline void protection_grant(TaskHandle_t task, void *object) {
    (void)task;
    (void)object;
}

// The calling core's own console interrupts it.
static inline void protection_enable_interrupt(uint32_t line) {
    arch_interrupt_enable(line);
}

static inline void protection_request_interrupt(uint32_t line) {
    arch_interrupt_request(line);
}

static inline void protection_suspend(TaskHandle_t task) {
    vTaskSuspend(task);
}

#endif
