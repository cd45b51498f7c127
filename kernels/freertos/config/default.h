// SPDX-License-Identifier: MIT
//
// FreeRTOS as a finished product would configure it for speed: development aids are off, everything
// that the contract (bench/port.h) needs is on, and nothing is tuned to one scenario.
//
// - Asserts, trace, stack checks, run-time statistics: aids for development, off. `asserts` has the
//   asserts.
// - Time slicing: off, because no scenario needs round robin. `time-slicing` has it, and is the
//   fair counterpart of a kernel that cannot switch it off.
// - Task selection by CLZ: what the manual recommends on a core that has the instruction. On other
//   cores it calls the compiler's library, which on Ibex costs 20 cycles per switch more than the
//   selection in C.
// - Mutexes and counting semaphores: on in every image, because a product that uses one service
//   usually has the others. They add a test to the plain semaphore's path.
// - Software timers: off, because they need a task of the kernel's own. `timers` has them.
//
// The named configurations include this file and change what their name says. The build includes
// the selected configuration before every source of the kernel.
#ifndef FREERTOS_CONFIG_DEFAULT_H
#define FREERTOS_CONFIG_DEFAULT_H

// Scheduler. Selection by CLZ supports at most 32 priorities: the contract's 31 and the idle
// task's.
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 0
#ifdef __ARM_FEATURE_CLZ
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 1
#else
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#endif
#define configMAX_PRIORITIES 32
#define configIDLE_SHOULD_YIELD 0

// Time. The build defines the rates of SysTick and of the tick (docs/reference/contract.md,
// "Time").
#define configCPU_CLOCK_HZ BENCH_TIMER_HZ
#define configTICK_RATE_HZ BENCH_TICK_HZ
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS

// Memory. heap_4, the allocator that the manual recommends for general use, also serves the block
// pools.
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configSUPPORT_STATIC_ALLOCATION 0
// No scenario needs as much. BENCH_DATA_BYTES is the size of a real board's memory.
#if defined(BENCH_DATA_BYTES) && BENCH_DATA_BYTES < 192 * 1024
#define configTOTAL_HEAP_SIZE (BENCH_DATA_BYTES / 2)
#else
#define configTOTAL_HEAP_SIZE (96 * 1024)
#endif
#define configMINIMAL_STACK_SIZE 128
#define configMAX_TASK_NAME_LEN 8

// Services of the contract.
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskResumeFromISR 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskPrioritySet 1
#define configUSE_STREAM_BUFFERS 1

// Not used by any service.
#define configUSE_RECURSIVE_MUTEXES 0
#define configUSE_TIMERS 0
#define configUSE_EVENT_GROUPS 1
#define configUSE_CO_ROUTINES 0
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0

// Aids for development.
#define configUSE_TRACE_FACILITY 0
#define configGENERATE_RUN_TIME_STATS 0
#define configCHECK_FOR_STACK_OVERFLOW 0
#define configQUEUE_REGISTRY_SIZE 0

// QEMU's NVIC has 8 bits of priority. Interrupts of priority 0x40 to the lowest may call the
// kernel; the contract's interrupts have 0x80 (arch/interrupt.h).
#define configPRIO_BITS 8
#define configKERNEL_INTERRUPT_PRIORITY 0xFF
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x40

#endif
