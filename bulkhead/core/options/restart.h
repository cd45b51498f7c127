// SPDX-License-Identifier: MIT
//
// Restarts and ends of processes by their supervisors: restart.c.
#ifndef KERNEL_RESTART_H
#define KERNEL_RESTART_H

#include "kernel.h"

enum restart_life {
    RESTART_RUNS,
    RESTART_ENDS,  // is being terminated, or has a fault that begins that
    RESTART_ENDED, // and nobody has restarted it
};

struct restart {
    bool is_wanted;              // the supervisor has asked for a restart since the last fault
    uint8_t life;                // enum restart_life
    uint32_t note;               // of the supervisor
    struct resource termination; // while a thread waits for it; its holder is the leader
    struct wait_list callers;    // that wait for it
};

// Returns the row of a process that its supervisor may restart, or NULL. From the declaration.
struct restart *kernel_restart_of(const struct process *process);

#endif
