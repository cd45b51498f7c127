// SPDX-License-Identifier: MIT
//
// The start of the cores, for port.c.
#ifndef FREERTOS_SMP_SMP_H
#define FREERTOS_SMP_SMP_H

#include <stdint.h>

// Returns the number of cores of the machine, which may be less than configNUMBER_OF_CORES.
static inline uint32_t smp_cores(void) {
    return *(volatile uint32_t *)0x1100000c;
}

// Gives the kernel's variables, in the global memory, their initial values. For core 0.
void smp_prepare_memory(void);

// Returns when core 0 has started the scheduler. For the other cores.
void smp_wait_for_start(void);

// Runs the first task of this core. Core 0 enters by vTaskStartScheduler.
_Noreturn void smp_start_core(void);

#endif
