// SPDX-License-Identifier: MIT
//
// Tests event flags, timers, periods and pools of blocks. The waiters, threads of another process,
// have higher priorities than the prover: when a call of the prover returns, every waiter that the
// call has woken has already run.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { ENOUGH_TICKS = 50, BLOCKS = 3, BLOCK_BYTES = 24, LONG_TICKS = 5, PERIOD_TICKS = 2 };
// A timeout so long that the kernel cannot distinguish its end from a time in the past.
#define NO_TIME_TICKS 0x80000000u

// The event flags `within` of the declaration, which are in the memory of the process.
static struct bulkhead_flags *const within = FLAGS_WITHIN;

// --- Orders for the other threads, and their results ---------------------------------------------

enum { WAIT_ANY, WAIT_ALL, TAKE_ANY, TAKE_ALL, ALLOCATE, SEND, SEND_NOTHING };

struct order {
    uint32_t what, flags, timeout_ticks;
    enum bulkhead_result result;
    uint32_t found; // the flags that the call returned, or the address of the block
    uint32_t done;
};

static volatile struct order first, second;
static volatile uint32_t neighbour_flags; // all flags that the neighbour has taken so far
static volatile enum bulkhead_result stranger_set = BULKHEAD_OK, stranger_start = BULKHEAD_OK;

static enum bulkhead_result obey(uint32_t what, uint32_t *value, uint32_t timeout_ticks) {
    const uint32_t message[4] = {*value};
    void *block = NULL;
    enum bulkhead_result result = BULKHEAD_REFUSED;
    switch (what) {
    case WAIT_ANY:
        return bulkhead_flags_wait_any(FLAGS_BETWEEN, value, timeout_ticks);
    case WAIT_ALL:
        return bulkhead_flags_wait_all(FLAGS_BETWEEN, value, timeout_ticks);
    case TAKE_ANY:
        return bulkhead_flags_take_any(FLAGS_BETWEEN, value, timeout_ticks);
    case TAKE_ALL:
        return bulkhead_flags_take_all(FLAGS_BETWEEN, value, timeout_ticks);
    case SEND:
        return bulkhead_queue_send(QUEUE_NARROW, message, timeout_ticks);
    case SEND_NOTHING:
        return bulkhead_queue_send(QUEUE_NARROW, NULL, timeout_ticks);
    case ALLOCATE:
        result = bulkhead_pool_allocate(POOL_BLOCKS, &block, timeout_ticks);
        *value = (uint32_t)block;
    }
    return result;
}

static void serve(volatile struct order *order) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        uint32_t value = order->flags;
        order->result = obey(order->what, &value, order->timeout_ticks);
        order->found = value;
        order->done = 1;
    }
}

void first_main(void);
void first_main(void) {
    serve(&first);
}

void second_main(void);
void second_main(void) {
    serve(&second);
}

static void tell(volatile struct order *order, uint32_t thread, uint32_t what, uint32_t flags,
                 uint32_t timeout_ticks) {
    order->what = what;
    order->flags = flags;
    order->timeout_ticks = timeout_ticks;
    order->done = 0;
    bulkhead_notify(thread);
}

static void tell_first(uint32_t what, uint32_t flags) {
    tell(&first, THREAD_FIRST, what, flags, BULKHEAD_FOREVER);
}

static void tell_second(uint32_t what, uint32_t flags) {
    tell(&second, THREAD_SECOND, what, flags, BULKHEAD_FOREVER);
}

// Waits for the next tick and returns its number. The caller then has a whole tick for its next
// action.
static uint32_t next_tick(void) {
    bulkhead_delay(1);
    return bulkhead_page.ticks;
}

static void require_found(const volatile struct order *order, uint32_t found, const char *line) {
    require(order->done && order->result == BULKHEAD_OK && order->found == found, line);
}

// A thread whose process has no right to any object.
void stranger_main(void);
void stranger_main(void) {
    stranger_set = bulkhead_flags_set(FLAGS_BETWEEN, 1);
    stranger_start = bulkhead_timer_start(TIMER_TICKING, 1, 0);
    bulkhead_exit();
}

// --- Event flags ---------------------------------------------------------------------------------

static uint32_t flags_between(void) {
    uint32_t all = 0;
    require(bulkhead_flags_wait_all(FLAGS_BETWEEN, &all, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "no flags at all were waited for");
    return all;
}

static void prove_take(void) {
    require(flags_between() == 0x8, "flags did not begin as declared");
    tell_first(TAKE_ALL, 0x3);
    bulkhead_flags_set(FLAGS_BETWEEN, 0x1);
    require(!first.done, "one flag was taken for all");
    bulkhead_flags_set(FLAGS_BETWEEN, 0x2);
    require_found(&first, 0xB, "all flags did not wake");
    require(flags_between() == 0x8, "what was taken is not what was cleared");
    tell_first(TAKE_ANY, 0xC);
    require_found(&first, 0x8, "a flag that is set was waited for");
    require(flags_between() == 0, "a taken flag stayed");
}

static void prove_wait(void) {
    tell_first(WAIT_ANY, 0x6);
    tell_second(TAKE_ALL, 0x4);
    bulkhead_flags_set(FLAGS_BETWEEN, 0x4);
    require_found(&first, 0x4, "any flag did not wake");
    require_found(&second, 0x4, "one waiter took a flag from another");
    require(flags_between() == 0, "a taken flag stayed");
    tell_first(WAIT_ALL, 0x3);
    bulkhead_flags_set(FLAGS_BETWEEN, 0x3);
    require_found(&first, 0x3, "all flags did not wake");
    require(flags_between() == 0x3, "a wait took flags");
    bulkhead_flags_clear(FLAGS_BETWEEN, 0x80000001u);
    require(flags_between() == 0x2, "flags were not cleared");
    bulkhead_flags_clear(FLAGS_BETWEEN, 0x2);
}

static void prove_timeout(void) {
    uint32_t flags = 0x1;
    tell_second(WAIT_ALL, 0x5);
    const uint32_t start = next_tick();
    require(bulkhead_flags_take_any(FLAGS_BETWEEN, &flags, 2) == BULKHEAD_TIMED_OUT,
            "flags were found that nobody set");
    require(bulkhead_page.ticks - start == 2, "a wait for flags timed out at the wrong time");
    bulkhead_flags_set(FLAGS_BETWEEN, 0x1);
    require(flags_between() == 0x1 && !second.done, "a waiter that was gone took flags");
    bulkhead_flags_set(FLAGS_BETWEEN, 0x4);
    require_found(&second, 0x5, "a waiter was forgotten");
    bulkhead_flags_clear(FLAGS_BETWEEN, 0x5);
}

static void prove_interrupt(void) {
    tell_first(TAKE_ANY, 0x10);
    bulkhead_interrupt_pend(INTERRUPT_BELL);
    require_found(&first, 0x10, "an interrupt did not wake the thread that waits for its flags");
    bulkhead_interrupt_pend(INTERRUPT_BELL);
    require(flags_between() == 0x10, "an interrupt did not set flags");
    first.done = 0;
    bulkhead_interrupt_pend(INTERRUPT_ROUSE);
    require(!first.done, "a thread that is not suspended was resumed");
}

// Takes the flags that the prover sets, one flag at a time.
void neighbour_main(void);
void neighbour_main(void) {
    for (;;) {
        uint32_t flags = 0x3;
        require(bulkhead_flags_take_any(within, &flags, BULKHEAD_FOREVER) == BULKHEAD_OK,
                "flags of a process were refused");
        neighbour_flags |= flags & 0x3;
    }
}

static void prove_local(void) {
    uint32_t flags = 0x1C;
    // Bit 31 is no flag: it marks that a thread waits.
    bulkhead_kernel_flags_clear(HANDLE_FLAGS_WITHIN, 0x80000000u);
    bulkhead_flags_set(within, 0x20);
    bulkhead_flags_clear(within, 0x20);
    bulkhead_flags_set(within, 0x1);
    require(neighbour_flags == 0x1, "a local flag did not wake");
    bulkhead_flags_set(within, 0x12);
    require(neighbour_flags == 0x3, "a local flag did not wake again");
    require(bulkhead_flags_wait_any(within, &flags, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                flags == 0x10,
            "a local flag was lost");
    flags = 0x14;
    require(bulkhead_flags_take_all(within, &flags, 1) == BULKHEAD_TIMED_OUT,
            "a local flag was found that nobody set");
    bulkhead_flags_set(within, 0x4);
    require(bulkhead_flags_wait_all(within, &flags, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                flags == 0x14,
            "local flags were lost");
    bulkhead_flags_clear(within, 0x4);
    flags = 0x10;
    require(bulkhead_flags_take_all(within, &flags, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                flags == 0x10,
            "a local flag was not cleared");
}

// --- Time ----------------------------------------------------------------------------------------

static void prove_one_shot(void) {
    const uint32_t start = next_tick();
    require(bulkhead_timer_start(TIMER_TICKING, 0, 0) == BULKHEAD_REFUSED,
            "a timer was started that is due at once");
    require(bulkhead_timer_start(TIMER_TICKING, NO_TIME_TICKS, 0) == BULKHEAD_REFUSED &&
                bulkhead_timer_start(TIMER_TICKING, 1, NO_TIME_TICKS) == BULKHEAD_REFUSED,
            "a timer was started for no time");
    bulkhead_timer_start(TIMER_TICKING, 2, 0);
    bulkhead_timer_start(TIMER_TICKING, 3, 0);
    require(bulkhead_semaphore_take(SEMAPHORE_TICKED, ENOUGH_TICKS) == BULKHEAD_OK &&
                bulkhead_page.ticks - start == 3,
            "a timer was not due when it should");
    require(bulkhead_semaphore_take(SEMAPHORE_TICKED, LONG_TICKS) == BULKHEAD_TIMED_OUT,
            "a timer was due twice");
}

static void prove_periodic(void) {
    const uint32_t start = next_tick();
    bulkhead_timer_start(TIMER_TICKING, 1, PERIOD_TICKS);
    for (uint32_t i = 0; i < 4; i++) {
        require(bulkhead_semaphore_take(SEMAPHORE_TICKED, ENOUGH_TICKS) == BULKHEAD_OK &&
                    bulkhead_page.ticks - start == 1 + i * PERIOD_TICKS,
                "a periodic timer drifted");
    }
    bulkhead_timer_stop(TIMER_TICKING);
    require(bulkhead_semaphore_take(SEMAPHORE_TICKED, LONG_TICKS) == BULKHEAD_TIMED_OUT,
            "a stopped timer was due");
    require(bulkhead_timer_stop(TIMER_TICKING) == BULKHEAD_OK,
            "a timer could not be stopped twice");
}

static void prove_flag_timer(void) {
    uint32_t flags = 0x40;
    bulkhead_timer_start(TIMER_WAVING, 2, 0);
    require(bulkhead_flags_take_all(within, &flags, ENOUGH_TICKS) == BULKHEAD_OK,
            "a timer did not set its flags");
}

static void spin_until(uint32_t tick) {
    while ((int32_t)(bulkhead_page.ticks - tick) < 0) {
    }
}

static void prove_period(void) {
    struct bulkhead_period period = {.release = next_tick(), .period_ticks = PERIOD_TICKS};
    const uint32_t start = period.release;
    require(bulkhead_period_wait(&period) == BULKHEAD_OK &&
                bulkhead_page.ticks == start + PERIOD_TICKS,
            "a period was not waited for");
    spin_until(start + 3 * PERIOD_TICKS + 1);
    require(bulkhead_period_wait(&period) == BULKHEAD_TIMED_OUT &&
                bulkhead_period_wait(&period) == BULKHEAD_TIMED_OUT && period.overruns == 2,
            "an overrun was not counted");
    require(bulkhead_period_wait(&period) == BULKHEAD_OK &&
                bulkhead_page.ticks == start + 4 * PERIOD_TICKS && period.overruns == 2,
            "an overrun moved the releases after it");
}

// --- Pools ---------------------------------------------------------------------------------------

static void *allocate(void) {
    void *block = NULL;
    require(bulkhead_pool_allocate(POOL_BLOCKS, &block, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "a pool with free blocks gave none");
    return block;
}

static void prove_pool(void) {
    uint32_t *blocks[BLOCKS];
    void *none;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        blocks[i] = allocate();
        for (uint32_t word = 0; word < BLOCK_BYTES / 4; word++) {
            blocks[i][word] = i;
        }
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        require(blocks[i][0] == i && blocks[i][BLOCK_BYTES / 4 - 1] == i, "blocks overlap");
    }
    require(bulkhead_pool_allocate(POOL_BLOCKS, &none, 1) == BULKHEAD_TIMED_OUT,
            "a block was given out twice");
    require(bulkhead_pool_free(POOL_BLOCKS, blocks[0] + 1) == BULKHEAD_REFUSED,
            "a part of a block was taken back");
    tell_first(ALLOCATE, 0);
    require(!first.done, "a block was given out twice");
    require(bulkhead_pool_free(POOL_BLOCKS, blocks[1]) == BULKHEAD_OK, "a block was refused");
    require_found(&first, (uint32_t)blocks[1], "a thread that waits for a block did not get it");
    for (uint32_t i = 0; i < BLOCKS; i++) {
        require(bulkhead_pool_free(POOL_BLOCKS, blocks[i]) == BULKHEAD_OK, "a block was refused");
    }
    const uint32_t start = (uint32_t)blocks[0];
    const uint32_t no_blocks[] = {start, start + 4, start - BLOCK_BYTES, 0,
                                  start + BLOCKS * BLOCK_BYTES};
    for (uint32_t i = 0; i < sizeof no_blocks / sizeof no_blocks[0]; i++) {
        require(bulkhead_pool_free(POOL_BLOCKS, (void *)no_blocks[i]) == BULKHEAD_REFUSED,
                "what is no block in use was taken back");
    }
}

// Tests a pool whose block size is a power of two, so that an address below the first block can be
// a multiple of the block size too: such an address must be refused.
static void prove_even_pool(void) {
    void *block;
    require(bulkhead_pool_allocate(POOL_EVEN, &block, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "a pool with free blocks gave none");
    require(bulkhead_pool_free(POOL_EVEN, (char *)block - 32) == BULKHEAD_REFUSED,
            "what lies below a pool was taken back");
    require(bulkhead_pool_free(POOL_EVEN, block) == BULKHEAD_OK, "a block was refused");
}

static void prove_local_pool(void) {
    struct bulkhead_pool *pool = POOL_OWN;
    void *one = bulkhead_local_pool_take(pool), *other = bulkhead_local_pool_take(pool);
    require(one != NULL && other != NULL && bulkhead_local_pool_take(pool) == NULL,
            "a local pool has not the blocks that it should have");
    require(bulkhead_pool_free(pool, one) == BULKHEAD_OK, "a block was refused");
    require(bulkhead_pool_free(pool, &pool) == BULKHEAD_REFUSED, "what is no block was taken back");
}

// --- Queues --------------------------------------------------------------------------------------

// Tests two threads that wait to send to a full queue. The thread that is woken first has passed an
// address outside its memory, so its call is denied and the second thread must send instead.
static void prove_refused_sender(void) {
    uint32_t message[4] = {0};
    require(bulkhead_queue_send(QUEUE_NARROW, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "a queue had no room");
    tell_first(SEND_NOTHING, 0);
    tell_second(SEND, 7);
    require(bulkhead_queue_receive(QUEUE_NARROW, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "it had no message");
    require(first.done && first.result == BULKHEAD_DENIED, "a message was read from nowhere");
    require_found(&second, 7, "a sender waited where there was room");
    require(bulkhead_queue_receive(QUEUE_NARROW, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                message[0] == 7,
            "a message was lost");
}

void prover_main(void);
void prover_main(void) {
    bulkhead_delay(1);
    require(stranger_set == BULKHEAD_DENIED && stranger_start == BULKHEAD_DENIED,
            "an object was used without the right");
    prove_take();
    prove_wait();
    prove_timeout();
    prove_interrupt();
    prove_local();
    prove_one_shot();
    prove_periodic();
    prove_flag_timer();
    prove_period();
    prove_pool();
    prove_even_pool();
    prove_local_pool();
    prove_refused_sender();
    say("signals: flags, timers, periods, pools, queues");
    succeed();
}
