// SPDX-License-Identifier: MIT
//
// Model of mutexes: each mutex has one holder at a time, no thread waits for ever, and a holder has
// at least the priority of its highest waiter.
#include "world.h"

static bool is_inside; // a thread is in the guarded section
static volatile uint32_t guarded;

// The section that the mutex guards. It makes one access to shared memory, so that other threads
// may run while the mutex is held.
static void guarded_section(void) {
    world_require(!is_inside, "two threads hold the mutex");
    is_inside = true;
    bulkhead_load_exclusive(&guarded);
    is_inside = false;
}

static void lock_within(uint32_t timeout_ticks) {
    const enum bulkhead_result result = bulkhead_mutex_lock(world_mutexes, timeout_ticks);
    world_require(result == BULKHEAD_OK ||
                      (result == BULKHEAD_TIMED_OUT && timeout_ticks != BULKHEAD_FOREVER),
                  "a lock failed");
    if (result == BULKHEAD_OK) {
        guarded_section();
        world_require(bulkhead_mutex_unlock(world_mutexes) == BULKHEAD_OK,
                      "an unlock was refused to the holder");
    }
}

static void once(void) {
    lock_within(BULKHEAD_FOREVER);
}

static void twice(void) {
    once();
    once();
}

static void two_with_timeout(void) {
    lock_within(1);
    lock_within(BULKHEAD_NO_WAIT);
}

static void one_with_timeout(void) {
    lock_within(1);
    once();
}

// Exits with the mutex locked. Other threads get the mutex only because the kernel releases it at
// this exit.
static void lock_and_end(void) {
    const enum bulkhead_result result = bulkhead_mutex_lock(world_mutexes, BULKHEAD_FOREVER);
    world_require(result == BULKHEAD_OK || result == BULKHEAD_PEER_LOST, "a lock failed");
    guarded_section();
}

static const char *wrong(bool rests) {
    const char *inheritance = world_inheritance_wrong();
    if (inheritance != NULL) {
        return inheritance;
    }
    if (rests && !world_all_ended()) {
        return "a thread waits for ever";
    }
    if (rests && world_mutexes[0].word != BULKHEAD_MUTEX_FREE) {
        return "a mutex stays locked";
    }
    return NULL;
}

const struct scenario mutex_scenarios[] = {
    {.name = "mutex: three priorities",
     .programs = {once, twice, twice},
     .priorities = {3, 4, 5},
     .wrong = wrong},
    {.name = "mutex: equals",
     .programs = {once, twice, once},
     .priorities = {5, 5, 5},
     .wrong = wrong},
    {.name = "mutex: timeouts",
     .programs = {two_with_timeout, twice, one_with_timeout},
     .priorities = {3, 4, 5},
     .ticks = 2,
     .wrong = wrong},
    {.name = "mutex: holders that end",
     .programs = {lock_and_end, lock_and_end, lock_and_end},
     .priorities = {3, 4, 5},
     .wrong = wrong},
    {.name = "mutex: holders that end in pieces",
     .programs = {lock_and_end, lock_and_end, lock_and_end},
     .priorities = {4, 4, 5},
     .in_pieces = true,
     .wrong = wrong},
    {.name = "mutex: the end of all",
     .programs = {once, once, once},
     .priorities = {3, 5, 5},
     .faults = 1,
     .in_pieces = true,
     .wrong = wrong},
    {0},
};
