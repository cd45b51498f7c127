// SPDX-License-Identifier: MIT
//
// A process: the memory that its threads reach, and the objects that they have a right to.
//
// The structure is constant: the build makes it from the declaration. It lies in code memory,
// directly before the table of the process's rights (right.h). Only the report of the last fault,
// to which it points, changes.
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

#include "right.h"
#include "thread.h"
#include <bulkhead/fault.h>

// The memory that a restart initialises: first data from the image, then zeroes. All members are
// addresses.
struct process_memory {
    uint32_t *load, *start, *zero, *end;
};

struct process {
    struct arch_regions regions; // entry.S relies on the position of this member
    const char *name;
    struct thread *first, *last;    // the first and the last thread of the process
    uint32_t highest_priority_mask; // the highest declared priority of its threads
    uint16_t restarts;              // whether it restarts after a fault; 0: a fault ends it
    uint16_t ceiling;               // the highest priority that its threads may give to a thread
    struct thread *supervisor;      // the thread that is notified of a fault, or NULL
    struct process_memory memory;
    // the report of its last fault; processes without a supervisor share one
    struct bulkhead_fault *report;
};

#endif
