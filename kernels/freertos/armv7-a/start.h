// SPDX-License-Identifier: MIT
//
// The first action of port.c on Armv7-A, and of each task; kernels/freertos/armv7-m has the other
// file of this name.
#ifndef FREERTOS_PORT_START_H
#define FREERTOS_PORT_START_H

#include <bench/port.h>

void start_vectors(void); // vectors.S

void vPortTaskUsesFPU(void); // in the kernel's port

// Registers a task that uses the floating-point unit, as the manual of this kernel's port demands.
static inline void start_task(void) {
    if (bench_scenario.tasks[bench_task_self().index].uses_fpu) {
        vPortTaskUsesFPU();
    }
}

#endif
