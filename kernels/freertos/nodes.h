// SPDX-License-Identifier: MIT
//
// The variant of port.c for one core: it creates all tasks before the kernel starts.
// kernels/freertos-smp has the other file of this name; the includes of kernel.toml select one.
#ifndef FREERTOS_PORT_NODES_H
#define FREERTOS_PORT_NODES_H

#include <bench/scenario.h>
#include <stdbool.h>

enum { NODES_SEMAPHORES = 8 }; // room for handles

// Returns whether the caller's node runs the task.
static inline bool nodes_is_here(const struct bench_task_declaration *declared) {
    (void)declared;
    return true;
}

// Calls `create_tasks` on each node.
static inline void nodes_create(void (*create_tasks)(void)) {
    create_tasks();
}

#endif
