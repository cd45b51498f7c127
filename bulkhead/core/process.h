// SPDX-License-Identifier: MIT
//
// A process: the memory that its threads reach, and the objects that they have a right to.
//
// Constant: the build makes it from the declaration and it lies in code memory. A right is an entry
// in a table; a handle is a place in it. NULL is no right. What changes about a process is in
// struct process_record.
#ifndef KERNEL_PROCESS_H
#define KERNEL_PROCESS_H

#include "thread.h"

// Regions that change with the process: loaded by one store of eight words (entry.S).
enum { PROCESS_REGIONS = 4 };

struct semaphore;
struct mutex;
struct queue;
struct local_queue;

#define RIGHTS(kind)                 \
    struct {                         \
        uint32_t count;              \
        struct kind *const *entries; \
    }

struct process_record {
    uint32_t faults; // since the kernel started
};

// Initialised data as in the image, zeroes behind it: what a restart brings back. Addresses.
struct process_memory {
    uint32_t *load, *start, *zero, *end;
};

struct process {
    struct arch_region regions[PROCESS_REGIONS]; // entry.S
    RIGHTS(thread) controls;                     // start, suspend, resume, priority
    RIGHTS(thread) notifies;
    RIGHTS(semaphore) semaphores;
    RIGHTS(mutex) mutexes;
    RIGHTS(queue) queues;
    RIGHTS(local_queue) local_queues;
    uint32_t pendable; // interrupt lines that its threads may request, one bit each
    const char *name;
    bool restarts;             // after a fault; else it is killed
    struct thread *supervisor; // is notified of a fault; NULL for nobody
    struct process_memory memory;
    struct process_record *record;
};

// A handle comes from a caller that is not trusted: the one place that turns it into an object.
#define RIGHT_TO(rights, handle) ((handle) < (rights).count ? (rights).entries[handle] : NULL)

#undef RIGHTS
#endif
