// SPDX-License-Identifier: MIT
//
// What port.c does before anything else; kernels/freertos/rv32 has the other file of this name. The
// vector table is constant and holds the kernel's handlers by their names (FreeRTOSConfig.h).
#ifndef FREERTOS_PORT_START_H
#define FREERTOS_PORT_START_H

static inline void start_vectors(void) {
}

#endif
