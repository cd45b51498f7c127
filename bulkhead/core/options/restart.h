// SPDX-License-Identifier: MIT
//
// Restarts and terminations of processes at the request of their supervisors: restart.c.
#ifndef KERNEL_RESTART_H
#define KERNEL_RESTART_H

#include "kernel.h"

enum restart_life {
    RESTART_RUNS,
    RESTART_ENDS,  // the process is being terminated, or has a fault that begins the termination
    RESTART_ENDED, // the process has ended, and its supervisor has not restarted it
};

struct restart {
    bool is_wanted; // the supervisor has asked for a restart since the last fault
    uint8_t life;   // a value of enum restart_life
    uint32_t note;  // a value that the supervisor has stored
    // the resource that callers wait for; its holder is the leader of the termination
    struct resource termination;
    struct wait_list callers; // the callers that wait for the termination
};

// Returns the entry of a process that its supervisor may restart, or NULL. Generated from the
// declaration.
struct restart *kernel_restart_of(const struct process *process);

#endif
