// SPDX-License-Identifier: MIT
//
// Restarts and ends of processes by their supervisors: restart.c.
#ifndef KERNEL_RESTART_H
#define KERNEL_RESTART_H

#include "kernel.h"

struct restart {
    bool is_wanted; // the supervisor has asked for a restart since the last fault
    bool is_ended;  // the process has ended, and nobody has restarted it
};

// Returns the row of a process that its supervisor may restart, or NULL. From the declaration.
struct restart *kernel_restart_of(const struct process *process);

#endif
