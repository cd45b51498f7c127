// SPDX-License-Identifier: MIT
//
// Relay, an example kernel for porting: preemptive tasks with priorities, a tick, and counting
// semaphores, in about a hundred lines. It searches all its tasks whenever it chooses one, which is
// slow but easy to follow.
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <stdint.h>

#define RELAY_FOREVER UINT32_MAX

struct relay_semaphore {
    uint32_t count, maximum;
};

struct relay_task {
    void *sp;                              // must be first: switch.S uses it
    uint32_t priority;                     // 0 is the highest
    uint32_t turn;                         // of equal tasks, the smallest waited longest
    uint32_t wake_tick;                    // valid while it sleeps
    const struct relay_semaphore *awaited; // or NULL
    bool ready, sleeps, timed_out;
};

extern struct relay_task *relay_current;

// Creates a task that is ready to run `entry` on a stack that ends at `stack_end`. Call it before
// relay_start.
void relay_create(struct relay_task *task, uint32_t priority, void (*entry)(void), void *stack_end);

// Runs the tasks. Interrupts use the caller's stack from then on.
_Noreturn void relay_start(void);

// Advances time by one tick. The handler of a timer interrupt calls it.
void relay_tick(void);
uint32_t relay_ticks(void);

void relay_yield(void);
void relay_delay(uint32_t ticks);

// Takes the semaphore. Returns false if that was impossible within `timeout_ticks`.
bool relay_take(struct relay_semaphore *semaphore, uint32_t timeout_ticks);

// Gives the semaphore. Returns false if its count was at the maximum. Handlers may call it, too.
bool relay_give(struct relay_semaphore *semaphore);

#endif
