// SPDX-License-Identifier: MIT
//
// Model of nested waits: mutexes locked while others are held, calls while mutexes are held,
// mutexes locked by a server, and circles of waits that timeouts, faults and restarts break.
// core/hooks/checks tests the whole state of the kernel after each step; this file tests the
// results that the threads see.
#include "world.h"

static void lock(uint32_t mutex, uint32_t timeout_ticks, bool *is_held) {
    const enum bulkhead_result result = bulkhead_mutex_lock(mutex, timeout_ticks);
    *is_held = result == BULKHEAD_OK || result == BULKHEAD_PEER_LOST;
    world_require(*is_held || result == BULKHEAD_TIMED_OUT || result == BULKHEAD_REFUSED,
                  "a lock failed");
    world_require(*is_held || timeout_ticks != BULKHEAD_FOREVER || world_has_faulted(),
                  "a lock without a timeout failed");
}

static void unlock(uint32_t mutex, bool is_held) {
    world_require(!is_held || bulkhead_mutex_unlock(mutex) == BULKHEAD_OK,
                  "an unlock was refused to the holder");
}

// Locks one mutex, and then another while it holds the first.
static void lock_both(uint32_t outer, uint32_t outer_ticks, uint32_t inner, uint32_t inner_ticks) {
    bool holds_outer, holds_inner;
    lock(outer, outer_ticks, &holds_outer);
    lock(inner, inner_ticks, &holds_inner);
    unlock(inner, holds_inner);
    unlock(outer, holds_outer);
}

static void lock_one(uint32_t mutex, uint32_t timeout_ticks) {
    bool is_held;
    lock(mutex, timeout_ticks, &is_held);
    unlock(mutex, is_held);
}

// --- Locks in a circle ---------------------------------------------------------------------------

// Threads lock mutexes in a circle. The first thread also holds a mutex that a thread of another
// process waits for.
static void shared_and_circle(void) {
    bool is_held;
    lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER, &is_held);
    lock_both(WORLD_OTHER_MUTEX, BULKHEAD_FOREVER, WORLD_MUTEX, 3);
    unlock(WORLD_SHARED_MUTEX, is_held);
}

static void circle(void) {
    lock_both(WORLD_MUTEX, BULKHEAD_FOREVER, WORLD_OTHER_MUTEX, 2);
}

static void waits_shortly(void) {
    lock_one(WORLD_SHARED_MUTEX, 1);
}

static void waits_twice(void) {
    waits_shortly();
    waits_shortly();
}

static void nothing(void) {
}

// A circle of three threads: each thread holds one mutex and waits for the mutex of the next
// thread.
static void circle_of_three_0(void) {
    lock_both(WORLD_MUTEX, BULKHEAD_FOREVER, WORLD_OTHER_MUTEX, 2);
}

static void circle_of_three_1(void) {
    lock_both(WORLD_OTHER_MUTEX, BULKHEAD_FOREVER, WORLD_OTHER_SHARED_MUTEX, 1);
}

static void circle_of_three_2(void) {
    bool is_held;
    lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER, &is_held);
    lock_both(WORLD_OTHER_SHARED_MUTEX, BULKHEAD_FOREVER, WORLD_MUTEX, 3);
    unlock(WORLD_SHARED_MUTEX, is_held);
}

// --- Locks and calls -----------------------------------------------------------------------------

static void call(uint32_t gate, uint32_t timeout_ticks) {
    uint32_t words[4] = {0};
    const enum bulkhead_result result = bulkhead_gate_call(gate, words, timeout_ticks);
    world_require(result == BULKHEAD_OK || result == BULKHEAD_PEER_LOST ||
                      (result == BULKHEAD_TIMED_OUT && timeout_ticks != BULKHEAD_FOREVER),
                  "a call failed");
}

static void call_under_lock(uint32_t timeout_ticks) {
    bool is_held;
    lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER, &is_held);
    call(WORLD_GATE, timeout_ticks);
    unlock(WORLD_SHARED_MUTEX, is_held);
}

static void calls_under_lock(void) {
    call_under_lock(BULKHEAD_FOREVER);
}

static void calls_under_lock_in_time(void) {
    call_under_lock(2);
}

static void calls(void) {
    call(WORLD_GATE, BULKHEAD_FOREVER);
}

static void calls_in_time(void) {
    call(WORLD_GATE, 1);
}

static void locks_shared(void) {
    lock_one(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER);
}

static void locks_shared_in_time(void) {
    lock_one(WORLD_SHARED_MUTEX, 1);
}

static _Noreturn void serve(uint32_t gate, void (*work)(void)) {
    uint32_t words[4] = {0};
    for (;;) {
        uint32_t caller;
        if (bulkhead_gate_receive(gate, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK) {
            work();
        }
    }
}

static void serves_and_locks(void) {
    serve(WORLD_GATE, locks_shared_in_time);
}

// Receives the first call while it holds a mutex. It then inherits priorities from the client and
// from the waiters of the mutex.
static void receives_under_lock(void) {
    uint32_t words[4] = {0}, caller;
    bool is_held;
    lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER, &is_held);
    world_require(bulkhead_gate_receive(WORLD_GATE, words, &caller, BULKHEAD_FOREVER) ==
                      BULKHEAD_OK,
                  "a server received nothing");
    unlock(WORLD_SHARED_MUTEX, is_held);
    serve(WORLD_GATE, nothing);
}

// The first thread, which serves a gate itself, calls the server, which calls it back with a
// timeout.
static void calls_server_in_time(void) {
    call(WORLD_GATE, 2);
}

static void first_serves_and_calls(void) {
    serve(WORLD_FIRST_GATE, calls_server_in_time);
}

static void calls_first_in_time(void) {
    call(WORLD_FIRST_GATE, 1);
}

static void server_serves_and_calls(void) {
    serve(WORLD_GATE, calls_first_in_time);
}

static void calls_first(void) {
    call(WORLD_FIRST_GATE, BULKHEAD_FOREVER);
}

// --- Invariants ----------------------------------------------------------------------------------

static const char *all_end(bool rests) {
    return rests && !world_has_timeouts() && !world_all_ended() ? "a thread waits for ever" : NULL;
}

// Returns an error if no further step is possible (`rests`), but a client has not exited. Servers
// never exit.
static const char *clients_end(bool rests) {
    const bool end = world_has_ended(1) && world_has_ended(2) && world_has_ended(WORLD_CLIENT);
    return rests && !world_has_timeouts() && !end ? "a client waits for ever" : NULL;
}

const struct scenario nested_scenarios[] = {
    {.name = "nested: a circle of two locks, and a client above that gives up",
     .programs = {NULL, shared_and_circle, circle, waits_shortly},
     .priorities = {0, 5, 6, 3},
     .ticks = 4,
     .wrong = all_end},
    {.name = "nested: a circle of equals, and a client above that gives up twice",
     .programs = {NULL, shared_and_circle, circle, waits_twice},
     .priorities = {0, 5, 5, 3},
     .ticks = 4,
     .wrong = all_end},
    {.name = "nested: a circle of three locks",
     .programs = {circle_of_three_0, circle_of_three_1, circle_of_three_2, waits_shortly},
     .priorities = {5, 6, 7, 3},
     .ticks = 3,
     .wrong = all_end},
    {.name = "nested: a circle of two locks whose inheritance is deferred",
     .programs = {NULL, shared_and_circle, circle, waits_twice},
     .priorities = {0, 5, 6, 3},
     .ticks = 3,
     .in_pieces = true,
     .wrong = all_end},
    {.name = "nested: the end of a circle's process while inheritance is deferred",
     .programs = {NULL, shared_and_circle, circle, waits_shortly},
     .priorities = {0, 5, 6, 3},
     .faults = 1,
     .in_pieces = true,
     .wrong = all_end},
    {.name = "nested: the end of a circle's process by a thread above a deferred walk",
     .programs = {nothing, shared_and_circle, circle, waits_shortly},
     .priorities = {2, 5, 6, 3},
     .faults = 1,
     .in_pieces = true,
     .wrong = all_end},
    {.name = "nested: the end of a circle's process",
     .programs = {nothing, shared_and_circle, circle, waits_shortly},
     .priorities = {4, 5, 6, 3},
     .ticks = 2,
     .faults = 1,
     .wrong = all_end},
    {.name = "nested: calls under a lock that the server wants",
     .programs = {calls_under_lock, locks_shared, NULL, calls, serves_and_locks},
     .priorities = {5, 6, 0, 3, 7},
     .ticks = 2,
     .wrong = clients_end},
    {.name = "nested: the same, and the callers give up",
     .programs = {calls_under_lock_in_time, locks_shared, NULL, calls_in_time, serves_and_locks},
     .priorities = {5, 6, 0, 3, 7},
     .ticks = 3,
     .wrong = clients_end},
    {.name = "nested: the same, and the server or the client ends",
     .programs = {calls_under_lock, NULL, NULL, calls, serves_and_locks},
     .priorities = {5, 0, 0, 3, 7},
     .ticks = 1,
     .faults = 2,
     .in_pieces = true,
     .wrong = clients_end},
    {.name = "nested: a call to a server that holds a lock",
     .programs = {locks_shared, NULL, NULL, calls, receives_under_lock},
     .priorities = {3, 0, 0, 5, 7},
     .wrong = clients_end},
    {.name = "nested: a timed call to a server that holds a lock",
     .programs = {locks_shared, NULL, NULL, calls_in_time, receives_under_lock},
     .priorities = {3, 0, 0, 5, 7},
     .ticks = 2,
     .wrong = clients_end},
    {.name = "nested: servers that call each other",
     .programs = {first_serves_and_calls, calls, NULL, calls_first, server_serves_and_calls},
     .priorities = {6, 5, 0, 3, 7},
     .ticks = 3,
     .wrong = clients_end},
    {.name = "nested: servers that call each other and end",
     .programs = {first_serves_and_calls, NULL, NULL, calls_first, server_serves_and_calls},
     .priorities = {6, 0, 0, 3, 7},
     .ticks = 2,
     .faults = 1,
     .first_process_restarts = true,
     .in_pieces = true,
     .wrong = clients_end},
    {0},
};
