// SPDX-License-Identifier: MIT
//
// A process: the memory that its threads reach, and the objects that they have a right to.
//
// Constant: the build makes it from the declaration. It lies in code memory, directly before the
// table of its rights (right.h). Only the report of its faults changes.
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

#include "right.h"
#include "thread.h"
#include <bulkhead/fault.h>

// The memory that a restart initialises: data from the image, then zeroes. Addresses.
struct process_memory {
    uint32_t *load, *start, *zero, *end;
};

struct process {
    struct arch_regions regions; // entry.S
    const char *name;
    struct thread *first, *last;    // threads
    uint32_t highest_priority_mask; // of their declared priorities
    uint16_t restarts;              // after a fault; 0 if it is killed
    uint16_t ceiling;               // the highest priority that its threads may give to a thread
    struct thread *supervisor;      // is notified of a fault; NULL for nobody
    struct process_memory memory;
    struct bulkhead_fault *report; // of its last fault; shared by processes without a supervisor
};

#endif
