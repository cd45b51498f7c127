// SPDX-License-Identifier: MIT
//
// The world that is explored: the kernel's core as it is, three threads of one process, and
// interrupts that come before any access of a thread to what it shares.
//
// Interrupts start the threads, one by one, count ticks, give the semaphore and end time slices;
// how many of each, the scenario says. System calls are single steps: nothing interrupts them.
#ifndef WORLD_H
#define WORLD_H

#include <bulkhead/local.h>
#include <stdbool.h>
#include <stdint.h>

enum { WORLD_THREADS = 3 };

struct scenario {
    const char *name;
    void (*programs[WORLD_THREADS])(void);
    uint32_t priorities[WORLD_THREADS];
    uint32_t ticks, gives;     // interrupts
    uint32_t initial, maximum; // of the semaphore
    uint32_t capacity;         // of the queue
    const char *(*wrong)(bool rests);
};

// The objects, in user space: one of each.
extern struct bulkhead_semaphore world_semaphores[];
extern struct bulkhead_mutex world_mutexes[];
extern struct bulkhead_queue world_queues[];

// A thread's result is not what it has to be: the next state is wrong.
void world_require(bool condition, const char *line);

// Before an access to shared memory in a restartable sequence. True if other threads ran: the
// sequence begins again.
bool world_sequence_point(void);

bool world_all_ended(void);
// Counts that the semaphore had at first, or got from interrupts.
int32_t world_given(void);
// What is wrong with the threads' priorities, or NULL.
const char *world_inheritance_wrong(void);

// Goes to the scenario's first state.
void world_begin(const struct scenario *scenario);

extern const struct scenario semaphore_scenarios[], mutex_scenarios[], queue_scenarios[];

#endif
