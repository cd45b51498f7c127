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

// A resource that one thread holds and others wait for: a part of a mutex or a gate. The holder
// inherits the priority of its waiters (inherit.c).
struct resource {
    struct thread *holder; // the server of a gate; NULL for a mutex without waiters
    // After `waiter` has left the list, because its wait has ended.
    void (*cancel_wait)(struct resource *resource, struct thread *waiter);
};

// The reasons why a thread is not ready: a set of reasons; a thread is ready if the set is empty. A
// suspended thread may also wait. The shortest paths end a wait only if its reason is all that the
// set has, so that one comparison also finds timeouts and equals.
enum {
    THREAD_SUSPENDED = 1u << 0,
    THREAD_WAITS = 1u << 1,    // in `waits_in`, for an object
    THREAD_LISTENS = 1u << 2,  // for a notification
    THREAD_SLEEPS = 1u << 3,   // for its timer alone
    THREAD_DORMANT = 1u << 4,  // not started, or ended
    THREAD_CALLS = 1u << 5,    // for the answer of the server that serves it
    THREAD_RECEIVES = 1u << 6, // a server, for a call
    THREAD_TIMED = 1u << 7,    // with a reason to wait: its timer is armed
    // With THREAD_DORMANT, while its termination is not complete: end.c.
    THREAD_LOST = 1u << 8,       // terminated with its process
    THREAD_LEADS = 1u << 9,      // carries out the termination of its process
    THREAD_RELOADS = 1u << 10,   // leads, and all threads have given up everything
    THREAD_FAULTED = 1u << 11,   // lost by a fault that is still to be reported
    THREAD_REWOUND = 1u << 12,   // reloads, and the next thread to launch is at its entry
    THREAD_SPENT = 1u << 13,     // the budget of its process is spent: options/budget.c
    THREAD_EQUALS = 1u << 14,    // waits, and had equals in its list at some time: wait.c
    THREAD_SLOW_PATH = 1u << 15, // with a reason to wait: gate.c
    THREAD_BLOCKED = THREAD_WAITS | THREAD_LISTENS | THREAD_SLEEPS | THREAD_CALLS |
        THREAD_RECEIVES | THREAD_TIMED | THREAD_SLOW_PATH | THREAD_EQUALS,
};

// The declaration of a thread. Constant; a restart begins from it.
struct thread_declaration {
    const char *name; // for the debugger and fault reports
    void (*entry)(void);
    uint32_t stack_top; // the address after the stack
    struct arch_region stack;
    const struct process *process;
    struct gate *serves; // the gate whose server it is; NULL for none
    uint8_t priority;
    uint8_t slice_ticks; // after which its equals run first; 0 for no slices
    uint8_t initially;   // its state after a start: 0, THREAD_SUSPENDED or THREAD_DORMANT
    struct thread *next; // of its process; NULL for the last
};

// The fields that are used most come first, where a load of 16 bits reaches them.
struct thread {
    struct arch_context context; // entry.S
    const struct process *process;
    // The ready queue: ready.h. A waiting thread is in a ring of waiters instead: wait.h.
    struct thread *next, *previous;
    struct thread **level;
    uint32_t priority_mask; // one bit: the higher the priority, the greater
    uint32_t state;
    struct resource *waits_for; // a mutex; or a gate, until the call is answered or given up
    struct thread *client;      // that it serves: gate.c
    uint32_t notifications;
    struct wait_list *waits_in; // wait.h
    struct timer timer;
    struct thread *wait_lower; // wait.h: the first waiter of the next lower priority
    // Inheritance: inherit.c.
    struct mutex *held;          // the contended ones that it holds
    uint32_t base_priority_mask; // of its own priority
    struct wait_list joiner;     // the thread that waits for its end: at most one
    const struct thread_declaration *declared;
    struct deferred walk;  // inherit.c: its priority is still to be changed
    struct queue *retries; // where it was last woken to make its call again: queue.c
    union {
        struct {
            uint32_t wanted;           // while it waits for flags: flags.c
            uint16_t how;              // the same
            uint16_t slice_ticks_left; // 0 if it has no slice
        };
        uint32_t fault[2];        // while it is THREAD_FAULTED: arch_fault_report
        struct {                  // while it ends: end.c
            struct thread *other; // of its process: the next to terminate or to launch
            union {
                uint32_t given_back; // number of mutexes
                uint32_t *to_load;   // then the next word of its process's memory
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
