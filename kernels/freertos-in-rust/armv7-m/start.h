// SPDX-License-Identifier: MIT
//
// The first actions of kernels/freertos/port.c. The linker script installs the kernel's handlers.
#ifndef FREERTOS_IN_RUST_START_H
#define FREERTOS_IN_RUST_START_H

#include <freertos_api.h>

static inline void start_vectors(void) {
    vPortDefineHeap();
}

static inline void start_task(void) {
}

#endif
