// SPDX-License-Identifier: MIT
//
// Paths for positions.c: waits for objects of the kernel, and for objects in the memory of a
// process (local objects).
#include "handles.h"
#include "paths.h"
#include <bulkhead/local.h>

enum { ONE = 1, OTHER = 2, BOTH = 3 }; // flags

// --- Semaphores ----------------------------------------------------------------------------------

static bool take_own(void) {
    return is_expected(bulkhead_semaphore_take(SEMAPHORE_OWN, wait_ticks));
}

static bool take_own_in_time(void) {
    return is_in_time(bulkhead_semaphore_take(SEMAPHORE_OWN, 1));
}

static bool give_own(void) {
    return is_ok(bulkhead_semaphore_give(SEMAPHORE_OWN));
}

static bool give_two(void) {
    return give_own() && give_own();
}

static bool take_two(void) {
    return take_own() && take_own();
}

static bool take_own_left(void) {
    return was_in_time() || take_own();
}

static bool take(void) {
    return is_expected(bulkhead_semaphore_take(SEMAPHORE_KERNELS, wait_ticks));
}

static bool take_in_time(void) {
    return is_in_time(bulkhead_semaphore_take(SEMAPHORE_KERNELS, 1));
}

static bool give(void) {
    return is_ok(bulkhead_semaphore_give(SEMAPHORE_KERNELS));
}

static bool take_left(void) {
    return was_in_time() || take();
}

// --- Mutexes -------------------------------------------------------------------------------------

static bool lock_own(void) {
    return is_expected(bulkhead_mutex_lock(MUTEX_OWN, wait_ticks));
}

static bool lock_own_in_time(void) {
    return is_in_time(bulkhead_mutex_lock(MUTEX_OWN, 1));
}

static bool unlock_own(void) {
    return is_ok(bulkhead_mutex_unlock(MUTEX_OWN));
}

static bool unlock_own_locked(void) {
    return !was_in_time() || unlock_own();
}

static bool lock(void) {
    return is_expected(bulkhead_mutex_lock(MUTEX_KERNELS, wait_ticks));
}

static bool lock_in_time(void) {
    return is_in_time(bulkhead_mutex_lock(MUTEX_KERNELS, 1));
}

static bool unlock(void) {
    return is_ok(bulkhead_mutex_unlock(MUTEX_KERNELS));
}

static bool unlock_locked(void) {
    return !was_in_time() || unlock();
}

// --- Queues --------------------------------------------------------------------------------------

static bool is_message(const uint32_t message[2]) {
    return message[0] == number && message[1] == ~number;
}

static bool received(enum bulkhead_result result, const uint32_t message[2]) {
    return is_expected(result) && (result != BULKHEAD_OK || is_message(message));
}

static bool send_own(void) {
    const uint32_t message[2] = {number, ~number};
    return is_expected(bulkhead_queue_send(QUEUE_OWN, message, wait_ticks));
}

static bool send_own_in_time(void) {
    const uint32_t message[2] = {number, ~number};
    return is_in_time(bulkhead_queue_send(QUEUE_OWN, message, 1));
}

static bool receive_own(void) {
    uint32_t message[2];
    return received(bulkhead_queue_receive(QUEUE_OWN, message, wait_ticks), message);
}

static bool receive_own_in_time(void) {
    uint32_t message[2];
    return is_in_time(bulkhead_queue_receive(QUEUE_OWN, message, 1)) &&
           (!was_in_time() || is_message(message));
}

static bool send_two(void) {
    return send_own() && send_own();
}

static bool receive_two(void) {
    return receive_own() && receive_own();
}

static bool receive_own_left(void) {
    return was_in_time() || receive_own();
}

static bool receive_own_sent(void) {
    return was_in_time() ? receive_two() : receive_own();
}

// Sends a message of four words, the size for which the fast paths in assembler are made.
static bool send(void) {
    const uint32_t message[4] = {number, ~number};
    return is_expected(bulkhead_queue_send(QUEUE_KERNELS, message, wait_ticks));
}

static bool send_in_time(void) {
    const uint32_t message[4] = {number, ~number};
    return is_in_time(bulkhead_queue_send(QUEUE_KERNELS, message, 1));
}

static bool receive(void) {
    uint32_t message[4];
    return received(bulkhead_queue_receive(QUEUE_KERNELS, message, wait_ticks), message);
}

static bool receive_in_time(void) {
    uint32_t message[4];
    return is_in_time(bulkhead_queue_receive(QUEUE_KERNELS, message, 1)) &&
           (!was_in_time() || is_message(message));
}

static bool receive_left(void) {
    return was_in_time() || receive();
}

static bool receive_sent(void) {
    return !was_in_time() || receive();
}

// --- Notifications -------------------------------------------------------------------------------

static bool listen(void) {
    return is_expected(bulkhead_notification_wait(wait_ticks));
}

static bool listen_in_time(void) {
    return is_in_time(bulkhead_notification_wait(1));
}

static bool listen_left(void) {
    return was_in_time() || listen();
}

static bool notify(void) {
    return is_ok(bulkhead_notify(THREAD_LOW));
}

static bool notify_high(void) {
    return is_ok(bulkhead_notify(THREAD_HIGH));
}

// --- Event flags ---------------------------------------------------------------------------------

static bool await(void) {
    uint32_t flags = ONE;
    return is_expected(bulkhead_flags_take_any(FLAGS_KERNELS, &flags, wait_ticks)) && flags == ONE;
}

static bool await_in_time(void) {
    uint32_t flags = ONE;
    return is_in_time(bulkhead_flags_take_any(FLAGS_KERNELS, &flags, 1));
}

static bool await_left(void) {
    return was_in_time() || await();
}

static bool set(void) {
    return is_ok(bulkhead_flags_set(FLAGS_KERNELS, ONE));
}

static bool watch_all(void) {
    uint32_t flags = BOTH;
    return is_expected(bulkhead_flags_wait_all(FLAGS_KERNELS, &flags, wait_ticks)) && flags == BOTH;
}

static bool set_other(void) {
    return is_ok(bulkhead_flags_set(FLAGS_KERNELS, OTHER));
}

static bool clear_both(void) {
    return is_ok(bulkhead_flags_clear(FLAGS_KERNELS, BOTH));
}

static bool take_own_flag(uint32_t flag) {
    uint32_t flags = flag;
    return is_expected(bulkhead_flags_take_any(FLAGS_OWN, &flags, wait_ticks)) &&
           (flags & flag) != 0;
}

static bool await_own(void) {
    return take_own_flag(ONE);
}

static bool take_own_other(void) {
    return take_own_flag(OTHER);
}

static bool await_own_in_time(void) {
    uint32_t flags = ONE;
    return is_in_time(bulkhead_flags_take_any(FLAGS_OWN, &flags, 1));
}

static bool await_own_left(void) {
    return was_in_time() || await_own();
}

static bool watch_own_all(void) {
    uint32_t flags = BOTH;
    return is_expected(bulkhead_flags_wait_all(FLAGS_OWN, &flags, wait_ticks)) && flags == BOTH;
}

static bool set_own(void) {
    return is_ok(bulkhead_flags_set(FLAGS_OWN, ONE));
}

static bool set_own_other(void) {
    return is_ok(bulkhead_flags_set(FLAGS_OWN, OTHER));
}

static bool set_own_both(void) {
    return is_ok(bulkhead_flags_set(FLAGS_OWN, BOTH));
}

static bool clear_own(void) {
    return is_ok(bulkhead_flags_clear(FLAGS_OWN, ONE));
}

static bool clear_own_both(void) {
    return is_ok(bulkhead_flags_clear(FLAGS_OWN, BOTH));
}

static bool take_own_all(void) {
    uint32_t flags = BOTH;
    return is_ok(bulkhead_flags_take_all(FLAGS_OWN, &flags, BULKHEAD_NO_WAIT));
}

static bool own_is_other(void) {
    uint32_t flags = 0;
    return is_ok(bulkhead_flags_wait_all(FLAGS_OWN, &flags, BULKHEAD_NO_WAIT)) && flags == OTHER &&
           clear_own_both();
}

// --- Pools ---------------------------------------------------------------------------------------

// The kernel's pool has only one block. These are results of allocations from it.
static void *block, *other_block;
static void *own_blocks[2];

static bool allocate(void) {
    void *allocated;
    const enum bulkhead_result result =
        bulkhead_pool_allocate(POOL_KERNELS, &allocated, wait_ticks);
    block = result == BULKHEAD_OK ? allocated : block;
    return is_expected(result);
}

static bool allocate_in_time(void) {
    return is_in_time(bulkhead_pool_allocate(POOL_KERNELS, &other_block, 1));
}

static bool free_block(void) {
    return is_ok(bulkhead_pool_free(POOL_KERNELS, block));
}

static bool free_allocated(void) {
    return !was_in_time() || is_ok(bulkhead_pool_free(POOL_KERNELS, other_block));
}

static bool allocate_own(void) {
    own_blocks[0] = bulkhead_local_pool_take(POOL_OWN);
    return own_blocks[0] != NULL;
}

static bool allocate_own_other(void) {
    own_blocks[1] = bulkhead_local_pool_take(POOL_OWN);
    return own_blocks[1] != NULL;
}

static bool free_own(void) {
    return is_ok(bulkhead_pool_free(POOL_OWN, own_blocks[0]));
}

static bool free_own_other(void) {
    return is_ok(bulkhead_pool_free(POOL_OWN, own_blocks[1]));
}

static bool allocate_own_both(void) {
    return allocate_own() && allocate_own_other();
}

static bool free_own_both(void) {
    return own_blocks[0] != own_blocks[1] && bulkhead_local_pool_take(POOL_OWN) == NULL &&
           free_own() && free_own_other();
}

static bool try_own_both(void) {
    return allocate_own_both() && free_own_both();
}

// --- Without waiting -----------------------------------------------------------------------------
// These calls return without waiting, so no other thread and no tick has to end a wait.

static bool is_none(enum bulkhead_result result) {
    return result == BULKHEAD_TIMED_OUT;
}

static bool take_nothing(void) {
    return is_none(bulkhead_semaphore_take(SEMAPHORE_OWN, BULKHEAD_NO_WAIT)) &&
           is_none(bulkhead_semaphore_take(SEMAPHORE_KERNELS, BULKHEAD_NO_WAIT)) &&
           is_none(bulkhead_notification_wait(BULKHEAD_NO_WAIT));
}

static bool receive_nothing(void) {
    uint32_t message[4], flags = ONE;
    return is_none(bulkhead_queue_receive(QUEUE_OWN, message, BULKHEAD_NO_WAIT)) &&
           is_none(bulkhead_queue_receive(QUEUE_KERNELS, message, BULKHEAD_NO_WAIT)) &&
           is_none(bulkhead_flags_take_any(FLAGS_KERNELS, &flags, BULKHEAD_NO_WAIT));
}

static bool allocate_nothing(void) {
    return is_none(bulkhead_pool_allocate(POOL_KERNELS, &other_block, BULKHEAD_NO_WAIT));
}

static bool try_lock(void) {
    const enum bulkhead_result result = bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_NO_WAIT);
    return is_none(result) || (is_ok(result) && unlock());
}

// --- Interrupts ----------------------------------------------------------------------------------

static bool await_line(void) {
    return is_expected(bulkhead_interrupt_wait(INTERRUPT_DELIVERED, wait_ticks));
}

// Acknowledges an interrupt, then waits for the next one. An interrupt that comes between the two
// calls is pending when the wait begins.
static bool acknowledge_and_await_line(void) {
    return is_ok(bulkhead_interrupt_acknowledge(INTERRUPT_DELIVERED)) && await_line();
}

static bool await_line_long(void) {
    return is_ok(bulkhead_interrupt_wait(INTERRUPT_DELIVERED, 1000));
}

// clang-format off: a row a path
const struct path object_paths[] = {
    {"a semaphore of its own", ENDED, .wait = take_own, .end = give_own},
    {"a semaphore", ENDED, .wait = take, .end = give},
    {"a semaphore that both take", ENDED, .prepare = give_two, .wait = take_own, .end = take_own},
    {"a semaphore that both give", ENDED, .wait = give_own, .end = give_own, .restore = take_two},
    {"a semaphore of its own, in time", TIMED, .wait = take_own},
    {"a semaphore, in time", TIMED, .wait = take},
    {"giving one of its own in time", RACED, .prepare = take_own_in_time, .wait = give_own,
     .restore = take_own_left},
    {"giving a semaphore in time", RACED, .prepare = take_in_time, .wait = give,
     .restore = take_left},

    {"a mutex of its own", ENDED, .prepare = lock_own, .wait = lock_own, .end = unlock_own,
     .restore = unlock_own},
    {"a mutex", ENDED, .prepare = lock, .wait = lock, .end = unlock, .restore = unlock},
    {"a mutex of its own, in time", TIMED, .prepare = lock_own, .wait = lock_own,
     .end = unlock_own},
    {"a mutex, in time", TIMED, .prepare = lock, .wait = lock, .end = unlock},
    {"unlocking one of its own in time", RACED, .first = lock_own, .prepare = lock_own_in_time,
     .wait = unlock_own, .end = unlock_own_locked},
    {"unlocking a mutex in time", RACED, .first = lock, .prepare = lock_in_time, .wait = unlock,
     .end = unlock_locked},

    {"an empty queue of its own", ENDED, .wait = receive_own, .end = send_own},
    {"an empty queue", ENDED, .wait = receive, .end = send},
    {"a full queue of its own", ENDED, .prepare = send_two, .wait = send_own, .end = receive_own,
     .restore = receive_two},
    {"a full queue", ENDED, .prepare = send, .wait = send, .end = receive, .restore = receive},
    {"a queue that both empty", ENDED, .prepare = send_two, .wait = receive_own,
     .end = receive_own},
    {"a queue that both fill", ENDED, .wait = send_own, .end = send_own, .restore = receive_two},
    {"an empty queue of its own, in time", TIMED, .wait = receive_own},
    {"an empty queue, in time", TIMED, .wait = receive},
    {"a full queue of its own, in time", TIMED, .prepare = send_two, .wait = send_own,
     .restore = receive_two},
    {"a full queue, in time", TIMED, .prepare = send, .wait = send, .restore = receive},
    {"sending to one of its own in time", RACED, .prepare = receive_own_in_time, .wait = send_own,
     .restore = receive_own_left},
    {"sending to a queue in time", RACED, .prepare = receive_in_time, .wait = send,
     .restore = receive_left},
    {"emptying one of its own in time", RACED, .first = send_two, .prepare = send_own_in_time,
     .wait = receive_own, .restore = receive_own_sent},
    {"emptying a queue in time", RACED, .first = send, .prepare = send_in_time, .wait = receive,
     .restore = receive_sent},

    {"a notification", ENDED, .wait = listen, .end = notify},
    {"a notification, in time", TIMED, .wait = listen},
    {"notifying in time", RACED, .prepare = listen_in_time, .wait = notify_high,
     .end = listen_left},

    {"flags", ENDED, .wait = await, .end = set},
    {"all of several flags", ENDED, .prepare = set, .wait = watch_all, .end = set_other,
     .restore = clear_both},
    {"flags of its own", ENDED, .wait = await_own, .end = set_own},
    {"all of its own flags", ENDED, .prepare = set_own, .wait = watch_own_all, .end = set_own_other,
     .restore = clear_own_both},
    {"flags that both set", ENDED, .wait = set_own, .end = set_own_other, .restore = take_own_all},
    {"flags that both take", ENDED, .prepare = set_own_both, .wait = await_own,
     .end = take_own_other},
    {"flags that one clears and one sets", ENDED, .prepare = set_own, .wait = clear_own,
     .end = set_own_other, .restore = own_is_other},
    {"flags, in time", TIMED, .wait = await},
    {"flags of its own, in time", TIMED, .wait = await_own},
    {"setting flags in time", RACED, .prepare = await_in_time, .wait = set, .restore = await_left},
    {"setting its own in time", RACED, .prepare = await_own_in_time, .wait = set_own,
     .restore = await_own_left},

    {"a block", ENDED, .prepare = allocate, .wait = allocate, .end = free_block,
     .restore = free_block},
    {"blocks of its own that both allocate", ENDED, .wait = allocate_own, .end = allocate_own_other,
     .restore = free_own_both},
    {"blocks of its own that both free", ENDED, .prepare = allocate_own_both, .wait = free_own,
     .end = free_own_other, .restore = try_own_both},
    {"a block, in time", TIMED, .prepare = allocate, .wait = allocate, .end = free_block},
    {"freeing a block in time", RACED, .first = allocate, .prepare = allocate_in_time,
     .wait = free_block, .end = free_allocated},

    {"taking nothing", ENDED, .wait = take_nothing},
    {"receiving nothing", ENDED, .wait = receive_nothing},
    {"allocating nothing", ENDED, .first = allocate, .wait = allocate_nothing,
     .restore = free_block},
    {"a try to lock", ENDED, .prepare = lock, .wait = try_lock, .end = unlock},

    {"an interrupt", DELIVERED, .wait = await_line},
    {"an interrupt that may have come", DELIVERED, .wait = acknowledge_and_await_line},
    {"an interrupt before a timeout", DELIVERED, .wait = await_line_long},
    {"an interrupt, in time", TIMED, .wait = await_line},
    {0},
};
// clang-format on
