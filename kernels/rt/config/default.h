// SPDX-License-Identifier: MIT
//
// rt as a finished product would configure it for speed, which is the kernel's default: task
// selection by counting trailing zeros where the core has an instruction for it, and no trace, log,
// cycle accounting or memory protection. Its assertions (a mutex locked twice, or unlocked by
// another task) and its time slicing at every tick cannot be switched off.
//
// The named configurations include this file and change what their name says. The build includes
// the selected configuration before every source of the kernel, including assembler, so it contains
// only definitions.
#ifndef RT_CONFIG_DEFAULT_H
#define RT_CONFIG_DEFAULT_H

#ifdef __ARM_FEATURE_CLZ
#define RT_TASK_READY_CTZ_ENABLE 1
#endif
#define RT_CYCLE_ENABLE 0
#define RT_TASK_CYCLE_ENABLE 0
#define RT_TRACE_ENABLE 0
#define RT_LOG_ENABLE 0
#define RT_TASK_LOCAL_STORAGE_ENABLE 0

// No memory protection, and therefore no separate sections for the kernel's data.
#define RT_MPU_TASK_REGIONS_ENABLE 0
#define RT_MPU_PRIV_SECTIONS_ENABLE 0

// QEMU's NVIC has 8 bits of priority.
#define NVIC_PRIORITY_BITS 8

#endif
