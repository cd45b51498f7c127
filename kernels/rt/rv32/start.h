// SPDX-License-Identifier: MIT
//
// Sets up the kernel's exceptions at the start; kernels/rt/armv7-m has the other file of this name.
#ifndef RT_PORT_START_H
#define RT_PORT_START_H

#include <arch/tick.h>

void set_vectors(void); // vectors.S

// The kernel itself enables its software interrupt.
static inline void start_exceptions(void) {
    set_vectors();
    arch_tick_start();
}

#endif
