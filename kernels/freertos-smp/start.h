// SPDX-License-Identifier: MIT
//
// The first action of port.c on each core. Core 0 returns and starts the kernel; the other
// cores wait for the start, then run tasks and never return.
#ifndef FREERTOS_PORT_START_H
#define FREERTOS_PORT_START_H

#include <freertos_api.h>

#include "smp.h"

static inline void start_vectors(void) {
    if (portGET_CORE_ID() != 0) {
        smp_wait_for_start();
        smp_start_core();
    }
    smp_prepare_memory();
}

// The first action of each task: none.
static inline void start_task(void) {
}

#endif
