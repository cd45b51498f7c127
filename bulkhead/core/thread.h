// SPDX-License-Identifier: MIT
//
// The control block of a thread.
#ifndef KERNEL_THREAD_H
#define KERNEL_THREAD_H

#include "deferred.h"
#include "timer.h"
#include <arch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;
struct mutex;
struct gate;
struct queue;
struct thread;

struct wait_list {
    struct thread *first;
};

// A resource that one thread holds and others wait for: a member of a mutex or of a gate. The
// holder inherits the priority of its waiters (inherit.c).
struct resource {
    // the holder of a mutex or the server of a gate; NULL for a mutex without waiters
    struct thread *holder;
    // Called after `waiter` has left the list because its wait has ended.
    void (*cancel_wait)(struct resource *resource, struct thread *waiter);
};

// The reasons why a thread is not ready, as bits: a thread is ready if no bit is set. A suspended
// thread may also wait. The fast paths end a wait only if its reason is the only bit, so that one
// comparison also excludes timeouts and threads of the same priority.
enum {
    THREAD_SUSPENDED = 1u << 0,
    THREAD_WAITS = 1u << 1,    // waits for an object, in the list `waits_in`
    THREAD_LISTENS = 1u << 2,  // waits for a notification
    THREAD_SLEEPS = 1u << 3,   // waits only for its timer
    THREAD_DORMANT = 1u << 4,  // is not started, or has ended
    THREAD_CALLS = 1u << 5,    // waits for the answer of the server that serves it
    THREAD_RECEIVES = 1u << 6, // is a server and waits for a call
    THREAD_TIMED = 1u << 7,    // set with a reason to wait: its timer is armed
    // These bits are set with THREAD_DORMANT while the termination is not complete: end.c.
    THREAD_LOST = 1u << 8,  // is being terminated with its process
    THREAD_LEADS = 1u << 9, // carries out the termination of its process
    // is the leader, and all threads of the process have given up everything
    THREAD_RELOADS = 1u << 10,
    THREAD_FAULTED = 1u << 11, // was terminated by a fault that is not yet reported
    THREAD_REWOUND = 1u << 12, // reloads, and the next thread to launch is already at its entry
    THREAD_SPENT = 1u << 13,   // the budget of its process is spent: options/budget.c
    // The thread waits, and has shared its priority with another waiter since it began to wait
    // (wait.c).
    THREAD_EQUALS = 1u << 14,
    THREAD_SLOW_PATH = 1u << 15, // set with a reason to wait; gate.c must end the wait
    THREAD_BLOCKED = THREAD_WAITS | THREAD_LISTENS | THREAD_SLEEPS | THREAD_CALLS |
        THREAD_RECEIVES | THREAD_TIMED | THREAD_SLOW_PATH | THREAD_EQUALS,
};

// The declaration of a thread. It is constant; a restart uses it again.
struct thread_declaration {
    const char *name; // for the debugger and fault reports
    void (*entry)(void);
    uint32_t stack_top; // the first address after the stack
    struct arch_region stack;
    const struct process *process;
    struct gate *serves; // the gate that the thread serves; NULL for none
    uint8_t priority;
    uint8_t slice_ticks; // ticks after which threads of the same priority run first; 0: never
    uint8_t initially;   // the state after a start: 0, THREAD_SUSPENDED or THREAD_DORMANT
    struct thread *next; // the next thread of its process; NULL for the last one
};

// The members that are used most come first, within the offsets that 16-bit load instructions
// reach.
struct thread {
    struct arch_context context; // entry.S relies on the position of this member
    const struct process *process;
    // Neighbours in the ring of the ready queue (ready.h). If the thread waits, its neighbours in a
    // ring of waiters (wait.h).
    struct thread *next, *previous;
    struct thread **level;
    uint32_t priority_mask; // has one bit set; a higher priority is a greater number
    uint32_t state;
    struct resource *waits_for; // a mutex; or a gate, until the call is answered or cancelled
    struct thread *client;      // the client that the thread serves: gate.c
    uint32_t notifications;
    struct wait_list *waits_in; // the list that it waits in: wait.h
    struct timer timer;
    struct thread *wait_lower; // wait.h: the first waiter of the next lower priority
    // Members for inheritance: inherit.c.
    struct mutex *held;          // the first of the contended mutexes that it holds
    uint32_t base_priority_mask; // the mask of its own priority, without inheritance
    struct wait_list joiner;     // the thread, at most one, that waits for its end
    const struct thread_declaration *declared;
    struct deferred walk;  // inherit.c: the deferred walk that still has to change its priority
    struct queue *retries; // the queue at which it was last woken to repeat its call: queue.c
    union {
        struct {
            uint32_t wanted;           // flags that it waits for: flags.c
            uint16_t how;              // how it waits for flags: flags.c
            uint16_t slice_ticks_left; // ticks left of its slice; 0 if it has no slice
        };
        uint32_t fault[2]; // status of its fault, while it is THREAD_FAULTED: arch_fault_report
        struct {           // Used while the thread is being terminated: end.c.
            struct thread *other; // the next thread of its process to terminate or to launch
            union {
                uint32_t given_back; // number of mutexes given back so far
                uint32_t *to_load;   // later: the next word of its process's memory to load
            };
        };
    };
    struct arch_float_context floats; // with_fpu/fpu.S
};

// Returns the identity of a thread for user space (bulkhead_page.self).
static inline uint32_t thread_identity(const struct thread *thread) {
    return (uint32_t)(uintptr_t)thread;
}

#endif
