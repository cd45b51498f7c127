// SPDX-License-Identifier: MIT
//
// FreeRTOS on several cores as a finished product would configure it for speed: the configuration
// of kernels/freertos for one core, and the following for several.
//
// - Every task is bound to a core, and its stack is in that core's own memory; in configuration
//   `shared-stacks`, it is in the global memory, which all cores share. The heap is always in the
//   global memory (layout.ld).
// - Tasks of different priorities run at the same time on different cores; without this, a core
//   would stay idle while a task of a higher priority runs on another one.
// - Each node of the machine has one core. The kernel is built for as many cores as the machine's
//   address map has room for. If a machine has fewer nodes, the other cores never start, and no
//   task is bound to them.
// - A core without work sleeps (several.c), because the kernel's own idle task would read the
//   global memory in a loop and so take the bus from the other cores.
#ifndef FREERTOS_SMP_CONFIG_DEFAULT_H
#define FREERTOS_SMP_CONFIG_DEFAULT_H

#include "../../freertos/config/default.h"

// 1: stacks are in the memory of the task's core. For protection.h, not for the kernel.
#ifndef SMP_LOCAL_STACKS
#define SMP_LOCAL_STACKS 1
#endif
#undef configSUPPORT_STATIC_ALLOCATION
#define configSUPPORT_STATIC_ALLOCATION SMP_LOCAL_STACKS
#define configKERNEL_PROVIDED_STATIC_MEMORY 1

// The build defines BENCH_NODES for a machine with places for more than four nodes.
#ifdef BENCH_NODES
#define configNUMBER_OF_CORES BENCH_NODES
#else
#define configNUMBER_OF_CORES 4
#endif
#define configUSE_CORE_AFFINITY 1
#define configRUN_MULTIPLE_PRIORITIES 1

#undef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 1
#define configUSE_PASSIVE_IDLE_HOOK 1

#endif
