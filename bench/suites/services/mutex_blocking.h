// SPDX-License-Identifier: MIT
//
// Tasks lock a mutex that another task owns. In each round the owner locks the mutex and starts the
// waiters one after the other, and each of them blocks. The owner then unlocks the mutex, and the
// waiters acquire it in turn.
//
// The waiter that blocks last, after all others, passes "lock.before", and the owner passes
// "lock.blocked" when it runs again. From "unlock.before" to "acquired" the mutex passes from the
// owner to the first waiter.
//
// Each including file defines OWNER_PRIORITY and LAST_PRIORITY. If both equal the waiters'
// priority, HIGH_PRIORITY, there is no inheritance. Otherwise the owner is below the waiters and
// the last waiter above them, so that the owner inherits the last waiter's priority, however many
// tasks wait already.
#ifndef MUTEX_BLOCKING_H
#define MUTEX_BLOCKING_H

#include "services.h"

enum { OWNER, LAST, FIRST_WAITER };
enum { FIRST_READY = FIRST_WAITER + PARAM_WAITERS - 1, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_mutex mutex = {0};
static const struct bench_semaphore start = {0}, start_last = {1};

static volatile uint32_t blocked, served;
static volatile int held; // by the owner

static inline void await(struct bench_semaphore semaphore) {
    REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_FOREVER), "a take without timeout failed");
    blocked++;
}

// The waiter that acquired the mutex releases it.
static inline void leave(enum bench_status locked) {
    BENCH_REQUIRE(locked == BENCH_OK, "a lock without timeout failed");
    BENCH_REQUIRE(!held, "mutex: a second task locked it");
    served++;
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
}

static void last(void) {
    for (;;) {
        await(start_last);
        BENCH_MARK("lock.before");
        const enum bench_status status = bench_mutex_lock(mutex, BENCH_FOREVER);
        BENCH_MARK("acquired");
        leave(status);
    }
}

static void waiter(void) {
    for (;;) {
        await(start);
        const enum bench_status status = bench_mutex_lock(mutex, BENCH_FOREVER);
        BENCH_MARK("acquired");
        leave(status);
    }
}

// A waiter does not pre-empt an owner that has or inherited the waiter's priority. The owner yields
// once, or more often if a tick returned the processor to it too early.
static inline void start_waiter(struct bench_semaphore semaphore, uint32_t wanted) {
    const enum bench_status status = bench_semaphore_give(semaphore);
    for (uint32_t i = 0; blocked != wanted && i < 3; i++) {
        bench_task_yield();
    }
    BENCH_MARK("lock.blocked");
    BENCH_REQUIRE(status == BENCH_OK, "a semaphore at 0 could not be given");
    BENCH_REQUIRE(blocked == wanted, "a waiter did not run in its turn");
}

static inline void unlock(void) {
    held = 0;
    BENCH_MARK("unlock.before");
    const enum bench_status status = bench_mutex_unlock(mutex);
    BENCH_REQUIRE(status == BENCH_OK, "mutex: the owner could not unlock");
    for (uint32_t i = 0; served != PARAM_WAITERS && i < 2 * PARAM_WAITERS; i++) {
        bench_task_yield();
    }
    BENCH_REQUIRE(served == PARAM_WAITERS, "mutex: a waiter did not get it");
}

static void owner(void) {
    for (;;) {
        blocked = served = 0;
        REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER),
                   "mutex: a free mutex could not be locked");
        held = 1;
        for (uint32_t i = 1; i < PARAM_WAITERS; i++) {
            start_waiter(start, i);
        }
        start_waiter(start_last, PARAM_WAITERS);
        BENCH_REQUIRE(served == 0, "mutex: a second task locked it");
        unlock();
    }
}

static const struct bench_task_declaration tasks[] = {
    [OWNER] = TASK(owner, OWNER_PRIORITY),
    [LAST] = TASK(last, LAST_PRIORITY),
    CROWD(FIRST_WAITER, PARAM_WAITERS - 1, TASKS + 1, waiter, HIGH_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1},
    {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {.name = "mutex-blocking",
                                              SO_MANY(tasks, TASKS),
                                              BENCH_MUTEXES(mutexes),
                                              BENCH_SEMAPHORES(semaphores)};

#endif
