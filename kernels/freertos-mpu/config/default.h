// SPDX-License-Identifier: MIT
//
// FreeRTOS with memory protection, otherwise configured as kernels/freertos/config/default.h.
//
// - Wrappers of version 2, the kernel's own default: a system call runs on a stack of its own, and
//   tasks name objects by handles that the kernel checks.
// - Access control lists: on. A task may use only the objects that the scenario assigns to it, as
//   in an isolating kernel. `no-access-control` has none.
// - System calls are accepted only from the kernel's own entry points, and tasks cannot enter
//   critical sections, as the kernel's headers recommend.
#ifndef FREERTOS_MPU_CONFIG_DEFAULT_H
#define FREERTOS_MPU_CONFIG_DEFAULT_H

#include "../../freertos/config/default.h"

#undef configUSE_STREAM_BUFFERS
#define configUSE_STREAM_BUFFERS 0

#define configENABLE_MPU 1
#define configUSE_MPU_WRAPPERS_V1 0
#define configENABLE_ACCESS_CONTROL_LIST 1
#define configENFORCE_SYSTEM_CALLS_FROM_KERNEL_ONLY 1
#define configALLOW_UNPRIVILEGED_CRITICAL_SECTIONS 0
#define configINCLUDE_APPLICATION_DEFINED_PRIVILEGED_FUNCTIONS 0
#define configTOTAL_MPU_REGIONS 8

// Room for the objects that the port admits (port.c, MAX_TASKS …). The stack of a system call is in
// words.
#define configPROTECTED_KERNEL_OBJECT_POOL_SIZE 96
#define configSYSTEM_CALL_STACK_SIZE 128

// The kernel needs it to know that the scheduler does not run yet, when it refuses to let an
// unprivileged task suspend another.
#define INCLUDE_xTaskGetSchedulerState 1

// The heap is in the port's memory for privileged data (protected.c), not in the image.
#define configAPPLICATION_ALLOCATED_HEAP 1

#endif
