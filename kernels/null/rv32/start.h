// SPDX-License-Identifier: MIT
//
// Starts the tick of port.c; kernels/null/armv7-m has the other file of this name.
#ifndef NULL_PORT_START_H
#define NULL_PORT_START_H

#include <arch/interrupt.h>
#include <arch/tick.h>

void set_vectors(void); // vectors.S

// Starts the tick, whose handler is SysTick_Handler (port.c).
static inline void start_tick(void) {
    set_vectors();
    arch_tick_start();
    arch_interrupts_on();
}

#endif
