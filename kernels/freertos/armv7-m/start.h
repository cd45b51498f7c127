// SPDX-License-Identifier: MIT
//
// The first action of port.c on Armv7-M; kernels/freertos/rv32 has the other file of this name. The
// vector table is constant and names the kernel's handlers (FreeRTOSConfig.h), so there is nothing
// to do.
#ifndef FREERTOS_PORT_START_H
#define FREERTOS_PORT_START_H

static inline void start_vectors(void) {
}

// The first action of each task: none, because the processor saves the floating-point unit's state
// when a task uses the unit.
static inline void start_task(void) {
}

#endif
