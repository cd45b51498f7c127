// SPDX-License-Identifier: MIT
//
// The interface between the three schedulers and the rest of the kernel: functions that a scheduler
// provides, and functions that it uses. Each scheduler is a folder; the build selects one.
//
// The kernel runs with interrupts off, on one stack for each node, and never switches threads
// inside C code: a handler returns the thread that runs next, and the entry code does the rest.
#ifndef NODES_SCHEDULER_H
#define NODES_SCHEDULER_H

#include "devices.h"
#include "thread.h"

// Handles a call of the running thread, `self`: writes the result to self->a[0] and returns the
// thread to run. Waits if no thread is ready. `call` is the number of the call.
typedef struct thread *call_handler(uint32_t argument, struct thread *self, uint32_t call);

// Sets the result of a call of `self`, which continues running.
static inline struct thread *finish(struct thread *self, uint32_t result) {
    self->a[0] = result;
    return self;
}

// The handlers by the number of the call. entry.S uses the table.
extern call_handler *calls[NODES_CALLS];

// Gives the semaphore of the device that interrupts this node. No task has made this call, so the
// registers of `self`, a thread that runs or waits, do not change. Returns the thread to run.
static inline struct thread *give_for_device(struct thread *self) {
    const uint32_t kept = self->a[0];
    struct thread *next = calls[NODES_CALL_GIVE](device_quiet(), self, NODES_CALL_GIVE);
    self->a[0] = kept;
    return next;
}

// Returns the running thread; in a call that waits, the thread that called.
static inline struct thread *thread_last(void) {
    struct thread *last;
    __asm__("csrr %0, mscratch" : "=r"(last));
    return last;
}

// Makes every call fail. Called before the scheduler fills in its own handlers.
void calls_boot(void);

// The declared system that nodes_start got.
extern const struct nodes_system *kernel_system;

// Reports why the kernel cannot go on, and stops the node.
_Noreturn void kernel_stop(const char *reason);

// Prepares the node's own data and, on the master, the data that all nodes share; fills in `calls`.
// The other nodes have not started yet when it runs on the master, node 0.
void scheduler_boot(uint32_t tick_cycles);

// Makes `first` ready, which is NULL if the node has no task, and returns the thread to run. Called
// when all nodes have booted.
struct thread *scheduler_start(struct thread *first);

// Handle interrupts that come while a thread runs. Each returns the thread to run.
struct thread *interrupt_software(struct thread *running);
struct thread *interrupt_timer(struct thread *running);
struct thread *interrupt_external(struct thread *running);

#endif
