// SPDX-License-Identifier: MIT
//
// The first action of port.c on RV32; kernels/freertos/armv7-m has the other file of this name.
#ifndef FREERTOS_PORT_START_H
#define FREERTOS_PORT_START_H

void start_vectors(void); // vectors.S

// The first action of each task: none.
static inline void start_task(void) {
}

#endif
