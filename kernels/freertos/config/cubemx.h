// SPDX-License-Identifier: MIT
//
// The configuration that STM32CubeMX generates for FreeRTOS with CMSIS-RTOS V2 by default, which
// many published figures measured. It has 56 priorities and therefore no selection by CLZ. Time
// slicing, the trace facility, the queue registry and asserts are on, and so are software timers,
// whose task sleeps.
//
// Two values are those of the other configurations: the tick of 10 ms, which every kernel gets, and
// the heap that the scenarios need.
#ifndef FREERTOS_CONFIG_CUBEMX_H
#define FREERTOS_CONFIG_CUBEMX_H

#include "asserts.h"

#undef configUSE_TIME_SLICING
#define configUSE_TIME_SLICING 1
#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#undef configMAX_PRIORITIES
#define configMAX_PRIORITIES 56
#undef configIDLE_SHOULD_YIELD
#define configIDLE_SHOULD_YIELD 1

#undef configUSE_TRACE_FACILITY
#define configUSE_TRACE_FACILITY 1
#undef configQUEUE_REGISTRY_SIZE
#define configQUEUE_REGISTRY_SIZE 8
#define configRECORD_STACK_HIGH_ADDRESS 1

#undef configUSE_RECURSIVE_MUTEXES
#define configUSE_RECURSIVE_MUTEXES 1
#undef configUSE_TIMERS
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 2
#define configTIMER_QUEUE_LENGTH 10
#define configTIMER_TASK_STACK_DEPTH 256

#undef configMAX_TASK_NAME_LEN
#define configMAX_TASK_NAME_LEN 16

#endif
