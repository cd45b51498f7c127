// SPDX-License-Identifier: MIT
//
// What the kernel knows of a thread.
#ifndef KERNEL_THREAD_H
#define KERNEL_THREAD_H

#include "timer.h"
#include <arch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;
struct mutex;

struct wait_list {
    struct thread *first;
};

// Why a thread is not ready: a set, ready only when it is empty. A suspended thread may wait as
// well.
enum {
    THREAD_SUSPENDED = 1u << 0,
    THREAD_WAITS = 1u << 1,   // in `waits_in`, for an object
    THREAD_LISTENS = 1u << 2, // for a notification
    THREAD_SLEEPS = 1u << 3,  // for its timer alone
    THREAD_ABSENT = 1u << 4,  // not started, or ended
    THREAD_BLOCKED = THREAD_WAITS | THREAD_LISTENS | THREAD_SLEEPS,
};

// What the declaration says of a thread. Constant, and the truth that a restart goes back to.
struct thread_declaration {
    const char *name; // for the debugger and fault reports
    void (*entry)(void);
    uint32_t stack_top; // the address behind the stack
    struct arch_region stack;
    const struct process *process;
    uint8_t priority;
    uint8_t initially; // its state after a start: 0, THREAD_SUSPENDED or THREAD_ABSENT
};

struct thread {
    struct arch_context context; // entry.S
    const struct process *process;
    // The ready queue: ready.h. A waiting thread is in a ring of waiters instead: wait.h.
    struct thread *next, *previous;
    struct thread **level;
    uint32_t bit;
    uint32_t state;
    uint32_t notifications;
    struct timer timer;
    // Waiting: wait.h.
    struct wait_list *waits_in;
    struct thread *wait_lower; // the first waiter of the next lower priority
    // Inheritance: mutex.c.
    struct mutex *waits_for; // while it waits to lock
    struct mutex *held;      // the contended ones that it holds
    uint32_t base_priority;
    const struct thread_declaration *declared;
};

#endif
