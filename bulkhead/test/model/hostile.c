// SPDX-License-Identifier: MIT
//
// A process that writes arbitrary values into the words that it shares with the kernel (words.h),
// and then makes calls for them. Threads of this process may then wait for ever, but threads of
// other processes may not. The kernel's own state must stay correct; core/hooks/checks tests it
// after each step.
#include "declaration.h"
#include "world.h"

static uint32_t any_identity(void) {
    static const uint32_t named[] = {0, 1, 2, WORLD_CLIENT, WORLD_SERVER};
    return thread_identity(&kernel_threads[named[world_choose(5)]]);
}

// Writes an arbitrary value to the word of a mutex: free, or any thread as the holder, with or
// without waiters.
static void write_mutex(uint32_t which) {
    static const uint32_t others[] = {BULKHEAD_MUTEX_FREE, BULKHEAD_MUTEX_WAITED, 0x12345678};
    const uint32_t choice = world_choose(5);
    world_mutexes[which].word = choice < 3 ? others[choice] : any_identity() | (choice & 1);
}

static void lock_anything(uint32_t timeout_ticks) {
    write_mutex(0);
    (void)!bulkhead_mutex_lock(WORLD_MUTEX, timeout_ticks);
    write_mutex(0);
    (void)!bulkhead_mutex_unlock(WORLD_MUTEX);
}

static void locks_anything(void) {
    lock_anything(1);
}

// Locks and unlocks a mutex whose word names thread 0 as the holder, with or without the bit that
// marks waiters.
static void locks_last(void) {
    world_mutexes[0].word = thread_identity(&kernel_threads[0]) | world_choose(2);
    (void)!bulkhead_mutex_lock(WORLD_MUTEX, 1);
    (void)!bulkhead_mutex_unlock(WORLD_MUTEX);
}

static void locks_anything_for_ever(void) {
    lock_anything(BULKHEAD_FOREVER);
}

// Serves a gate. Before each call, it locks a mutex whose word names the last thread of the
// process, which carries out terminations (the leader), so that the lock may come while the leader
// restores the memory of the process.
static _Noreturn void serves_and_names_last(void) {
    uint32_t words[4] = {0};
    for (;;) {
        world_mutexes[0].word = thread_identity(&kernel_threads[2]);
        (void)!bulkhead_mutex_lock(WORLD_MUTEX, 1);
        uint32_t caller;
        (void)!bulkhead_gate_receive(WORLD_FIRST_GATE, words, &caller, BULKHEAD_FOREVER);
    }
}

static void calls_first(void) {
    uint32_t words[4] = {0};
    const enum bulkhead_result result = bulkhead_gate_call(WORLD_FIRST_GATE, words, 2);
    world_require(result == BULKHEAD_OK || result == BULKHEAD_PEER_LOST ||
                      result == BULKHEAD_TIMED_OUT,
                  "a call failed");
}

static void nothing(void) {
}

static void locks_shared_twice(void) {
    for (uint32_t i = 0; i < 2; i++) {
        const enum bulkhead_result result =
            bulkhead_mutex_lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER);
        world_require(result == BULKHEAD_OK || result == BULKHEAD_PEER_LOST, "a lock failed");
        world_require(bulkhead_mutex_unlock(WORLD_SHARED_MUTEX) == BULKHEAD_OK,
                      "an unlock was refused to the holder");
    }
}

static void locks_shared_around_anything(void) {
    (void)!bulkhead_mutex_lock(WORLD_SHARED_MUTEX, BULKHEAD_FOREVER);
    locks_anything();
    (void)!bulkhead_mutex_unlock(WORLD_SHARED_MUTEX);
}

// --- Arbitrary values in words other than mutexes ------------------------------------------------

static int32_t any_count(void) {
    static const int32_t counts[] = {0, 1, INT32_MAX, -1, INT32_MIN};
    return counts[world_choose(5)];
}

static void takes_anything(void) {
    world_semaphores[0].count = any_count();
    (void)!bulkhead_semaphore_take(WORLD_SEMAPHORE, 1);
    world_semaphores[0].count = any_count();
    (void)!bulkhead_semaphore_give(WORLD_SEMAPHORE);
}

static void waits_for_any_flags(void) {
    uint32_t wanted = 1;
    world_flags[0].word = world_choose(2) ? ~0u : BULKHEAD_FLAGS_WAITED;
    (void)!bulkhead_flags_take_any(WORLD_FLAGS, &wanted, 1);
    world_flags[0].word = world_choose(2) ? 0 : 2;
    (void)!bulkhead_flags_set(WORLD_FLAGS, 3);
}

static void awaits_any_queue(void) {
    static const uint32_t places[] = {0, 1, 5, ~0u};
    world_queues[0].head = places[world_choose(4)];
    world_queues[0].tail = places[world_choose(4)];
    (void)!bulkhead_call_2(WORLD_LOCAL_QUEUE, BULKHEAD_LOCAL_QUEUE_AWAIT,
                           world_choose(2) ? BULKHEAD_QUEUE_SENDS : BULKHEAD_QUEUE_RECEIVES, 1);
    world_queues[0].waited = world_choose(2) ? 0 : 77;
    (void)!bulkhead_call(WORLD_LOCAL_QUEUE, BULKHEAD_LOCAL_QUEUE_WAKE);
}

static const char *client_ends(bool rests) {
    const bool ends = world_has_ended(WORLD_CLIENT) || world_has_timeouts();
    return rests && !ends ? "a thread of another process waits for ever" : NULL;
}

const struct scenario hostile_scenarios[] = {
    {.name = "hostile: mutex words of two threads",
     .programs = {locks_anything, locks_anything_for_ever, NULL},
     .priorities = {5, 6, 0},
     .ticks = 1,
     .wrong = client_ends},
    {.name = "hostile: mutex words, and the end of their process",
     .programs = {locks_anything, NULL, nothing},
     .priorities = {5, 0, 6},
     .ticks = 1,
     .faults = 1,
     .in_pieces = true,
     .wrong = client_ends},
    {.name = "hostile: mutex words under a lock that another process wants",
     .programs = {locks_shared_around_anything, locks_last, NULL, locks_shared_twice},
     .priorities = {5, 6, 0, 4},
     .ticks = 2,
     .wrong = client_ends},
    {.name = "hostile: the leader of a restart is named as a holder",
     .programs = {serves_and_names_last, NULL, nothing, calls_first},
     .priorities = {6, 0, 7, 3},
     .ticks = 2,
     .faults = 1,
     .first_process_restarts = true,
     .in_pieces = true,
     .wrong = client_ends},
    {.name = "hostile: semaphore counts",
     .programs = {takes_anything, takes_anything, NULL},
     .priorities = {5, 6, 0},
     .ticks = 1,
     .gives = 1,
     .maximum = 3,
     .wrong = client_ends},
    {.name = "hostile: words of flags",
     .programs = {waits_for_any_flags, waits_for_any_flags, NULL},
     .priorities = {5, 6, 0},
     .ticks = 1,
     .sets = 1,
     .in_pieces = true,
     .wrong = client_ends},
    {.name = "hostile: places of a queue",
     .programs = {awaits_any_queue, awaits_any_queue, NULL},
     .priorities = {5, 6, 0},
     .ticks = 1,
     .capacity = 2,
     .wrong = client_ends},
    {0},
};
