// SPDX-License-Identifier: MIT
//
// Relay, a kernel made to be ported: preemptive tasks with priorities, a tick, and counting
// semaphores, in about a hundred lines. It looks through all its tasks whenever it chooses one,
// which is slow and plain to see.
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <stdint.h>

#define RELAY_FOREVER UINT32_MAX

struct relay_semaphore {
    uint32_t count, maximum;
};

struct relay_task {
    void *sp;                              // switch.S knows that it comes first
    uint32_t priority;                     // 0 is the highest
    uint32_t turn;                         // among equals, the smallest has waited longest
    uint32_t wake_tick;                    // if it sleeps
    const struct relay_semaphore *awaited; // or NULL
    bool ready, sleeps, timed_out;
};

extern struct relay_task *relay_current;

// Before relay_start: a task that is ready to run `entry` on a stack that ends at `stack_end`.
void relay_create(struct relay_task *task, uint32_t priority, void (*entry)(void), void *stack_end);

// Runs the tasks. The caller's own stack becomes that of interrupts.
_Noreturn void relay_start(void);

// The tick: a timer interrupt calls relay_tick.
void relay_tick(void);
uint32_t relay_ticks(void);

void relay_yield(void);
void relay_delay(uint32_t ticks);

// False if the semaphore could not be taken in `timeout_ticks`.
bool relay_take(struct relay_semaphore *semaphore, uint32_t timeout_ticks);

// False if it was at its maximum. Interrupts may call it, too.
bool relay_give(struct relay_semaphore *semaphore);

#endif
