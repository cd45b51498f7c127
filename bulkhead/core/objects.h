// SPDX-License-Identifier: MIT
//
// The objects that threads wait for. The build defines them from the declaration. The word of state
// of an object may lie in a process, whose threads use it without the kernel while none waits
// (user/).
//
// A process may write anything into its own words: they decide only whether its own threads wait.
// The lists of waiters and the holder of a contended mutex are in the kernel.
#ifndef KERNEL_OBJECTS_H
#define KERNEL_OBJECTS_H

#include "kernel.h"
#include <bulkhead/local.h>
#include <bulkhead/words.h>

struct semaphore {
    int32_t own;
    int32_t maximum;
    struct wait_list waiters;
    volatile int32_t *count; // points to `own`, or to a word of the process (words.h)
};

struct mutex {
    uint32_t own;
    volatile uint32_t *word; // points to `own`, or to a word of the process (words.h)
    // the process whose threads may hold the mutex; NULL if the word is the kernel's
    const struct process *process;
    struct wait_list waiters;
    struct resource resource;
    struct mutex *next_held; // the next contended mutex of the same holder
};

struct measured; // defined in options/measures.h

// Generated from the declaration.
extern struct mutex kernel_mutexes[];
extern const uint32_t kernel_mutex_count;

// A ring of messages between `start` and `end`. queue.inc relies on the order of the members.
struct queue {
    uint32_t capacity, used; // numbers of messages
    uint32_t *tail, *head;
    uint32_t *end, *start;
    uint32_t words; // words in a message
    struct wait_list senders, receivers;
};

struct flags {
    uint32_t own;
    volatile uint32_t *word; // points to `own`, or to a word of the process (words.h)
    struct wait_list waiters;
    // The deferred part of a call that sets flags and tests the waiters in pieces (flags.c).
    struct deferred set; // the rest of the call, after an interrupt
    // the flags with which all waiters are tested; the flags to clear at the end
    uint32_t now, taken;
    uint32_t more;       // flags that were set meanwhile, for another set
    struct thread *next; // the next waiter to test; NULL if none is left
};

// A gate, through which threads of other processes call a server. The server is the holder of the
// resource.
struct gate {
    struct resource resource;
    struct wait_list callers; // callers that wait while the server serves another client
};

// A pool: blocks in a memory region of its users. `links` chains the free blocks, from `free` to
// POOL_END.
struct pool {
    uint32_t free;
    uint32_t start, block_bytes, blocks;
    uint16_t *links;
    struct wait_list waiters;
};

enum { POOL_TAKEN = 0xFFFE, POOL_END = 0xFFFF };

// A timer that acts every period, or once if the period is 0.
struct alarm {
    struct timer timer;
    uint32_t period_ticks;
    void (*act)(void);
};

// Does the action of the alarm of `timer`, which is due.
void alarm_expire(struct timer *timer);

// The waiters of a queue that lies in a process (local.h). All of them are threads of that process.
struct local_queue {
    struct bulkhead_queue *queue;
    // Generated from the declaration. The kernel does not read the process's own copy of these
    // values.
    uint32_t handle, capacity;
    struct wait_list senders, receivers;
};

#endif
