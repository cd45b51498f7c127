// SPDX-License-Identifier: MIT
//
// The objects that threads wait for. Their declarations are the build's; their words of state may
// lie in a process, where its threads use them without the kernel while nobody waits (user/).
//
// A word in a process is what that process makes of it: it decides no more than whether its own
// threads wait. Who waits, and who holds a contended mutex, is in the kernel.
#ifndef KERNEL_OBJECTS_H
#define KERNEL_OBJECTS_H

#include "kernel.h"
#include <bulkhead/local.h>
#include <bulkhead/words.h>

struct semaphore {
    int32_t own;
    int32_t maximum;
    struct wait_list waiters;
    volatile int32_t *count; // `own`, or a word of the process: words.h
};

struct mutex {
    uint32_t own;
    volatile uint32_t *word;       // `own`, or a word of the process: words.h
    const struct process *process; // whose threads may hold it; NULL if the word is the kernel's
    struct wait_list waiters;
    struct thread *holder; // while there are waiters; NULL else
    struct mutex *next_held;
};

// From the declaration.
extern struct mutex kernel_mutexes[];
extern const uint32_t kernel_mutex_count;

// A ring of messages between `start` and `end`. The order is entry.S's.
struct queue {
    uint32_t capacity, used; // messages
    uint32_t *tail, *head;
    uint32_t *end, *start;
    uint32_t words; // of a message
    struct wait_list senders, receivers;
};

struct flags {
    uint32_t own;
    volatile uint32_t *word; // `own`, or a word of the process: words.h
    struct wait_list waiters;
    // A set: flags.c.
    bool is_deferred;    // under way, for deferred.c
    uint32_t now, taken; // by which all waiters are judged; what is cleared in the end
    uint32_t more;       // to be set after that
    struct thread *next; // who is judged next; NULL if all are
    struct flags *deferred_next;
};

// Where the threads of other processes call `server`.
struct gate {
    struct thread *server;
    struct wait_list callers; // who wait while it serves another
};

// Blocks in a region of its users; `links` are of the free ones, from `free` to POOL_END.
struct pool {
    uint32_t free;
    uint32_t start, block_bytes, blocks;
    uint16_t *links;
    struct wait_list waiters;
};

enum { POOL_TAKEN = 0xFFFE, POOL_END = 0xFFFF };

// Every period, or once if that is 0.
struct alarm {
    struct timer timer;
    uint32_t period_ticks;
    void (*act)(void);
};

// What the timers of alarms do when they are due.
void alarm_expire(struct timer *timer);

// Who waits for a queue that is itself in a process (local.h). Only threads of that process do.
struct local_queue {
    struct bulkhead_queue *queue;
    // Of the declaration; what the process's copy says is the process's affair.
    uint32_t handle, capacity;
    struct wait_list senders, receivers;
};

#endif
