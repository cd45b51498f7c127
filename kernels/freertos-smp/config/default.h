// SPDX-License-Identifier: MIT
//
// FreeRTOS on several cores as a finished product would configure it for speed, as
// kernels/freertos/config/default.h is for one core: development aids are off.
//
// - Every task is bound to a core, and its stack is in that core's own memory. `shared-stacks` has
//   the stacks in the memory that all cores share.
// - Tasks of different priorities run at the same time on different cores; without this, a core
//   would stay idle while a task of a higher priority runs on another one.
// - The number of cores is that of the places in the machine's address map. If a machine has fewer
//   nodes, the other cores never start, and no task is bound to them.
#ifndef FREERTOS_SMP_CONFIG_DEFAULT_H
#define FREERTOS_SMP_CONFIG_DEFAULT_H

// 1: stacks are in the memory of the task's core. For protection.h, not for the kernel.
#ifndef SMP_LOCAL_STACKS
#define SMP_LOCAL_STACKS 1
#endif

// Cores. The build defines BENCH_NODES for a machine with more than four places.
#ifdef BENCH_NODES
#define configNUMBER_OF_CORES BENCH_NODES
#else
#define configNUMBER_OF_CORES 4
#endif
#define configUSE_CORE_AFFINITY 1
#define configRUN_MULTIPLE_PRIORITIES 1

// A core without work sleeps (several.c): the kernel's idle task reads the global memory in a loop,
// and so takes the bus from the other cores.
#define configUSE_IDLE_HOOK 1
#define configUSE_PASSIVE_IDLE_HOOK 1

// Scheduler. The kernel has no selection by CLZ on several cores.
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 0
#define configMAX_PRIORITIES 32
#define configIDLE_SHOULD_YIELD 0

// Time.
#define configCPU_CLOCK_HZ BENCH_TIMER_HZ
#define configTICK_RATE_HZ BENCH_TICK_HZ
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS

// Memory. The heap is in the global memory (layout.ld).
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configSUPPORT_STATIC_ALLOCATION SMP_LOCAL_STACKS
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configTOTAL_HEAP_SIZE (96 * 1024)
#define configMINIMAL_STACK_SIZE 128
#define configMAX_TASK_NAME_LEN 8

// Services of the contract.
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_STREAM_BUFFERS 1
#define configUSE_EVENT_GROUPS 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskResumeFromISR 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1

// Not used by any service.
#define configUSE_RECURSIVE_MUTEXES 0
#define configUSE_TIMERS 0
#define configUSE_CO_ROUTINES 0
#define configUSE_TICK_HOOK 0

// Aids for development.
#define configUSE_TRACE_FACILITY 0
#define configGENERATE_RUN_TIME_STATS 0
#define configCHECK_FOR_STACK_OVERFLOW 0
#define configQUEUE_REGISTRY_SIZE 0

#endif
