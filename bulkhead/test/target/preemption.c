// SPDX-License-Identifier: MIT
//
// Tests objects in user space that two threads share while the higher thread preempts the lower one
// at arbitrary instructions. The tick comes after a fixed number of instructions, and the lower
// thread delays itself by a random number of instructions, so that the tick comes at every
// instruction in time.
//
// Invariants: every message arrives once, whole and in the order of its sender; counts are neither
// lost nor invented; two words that a mutex guards always change together; no block is allocated
// twice; no flag is lost or taken twice.
#include "handles.h"
#include "report.h"
#include <bulkhead/local.h>

enum { ROUNDS = 5000 * TEST_LENGTH, WORDS = 5 };
enum { LOW, HIGH, SENDERS };

// A pool needs no declaration.
static uint32_t blocks[4][2] = {
    [0][0] = (uint32_t)blocks[1], [1][0] = (uint32_t)blocks[2], [2][0] = (uint32_t)blocks[3]};
static struct bulkhead_pool pool = {(uint32_t)blocks, (uint32_t)blocks, sizeof blocks};

static uint32_t sent[SENDERS], received[SENDERS];
static volatile uint32_t pair[2];
static volatile uint32_t visits; // number of rounds of the higher thread

static uint32_t random_below(uint32_t limit) {
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
}

static void send(uint32_t sender) {
    const uint32_t number = sent[sender];
    const uint32_t message[WORDS] = {sender, number, ~number, number * 3, number ^ sender};
    if (bulkhead_queue_send(QUEUE_MAIL, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
        sent[sender]++;
    }
}

static void receive(void) {
    uint32_t message[WORDS];
    if (bulkhead_queue_receive(QUEUE_MAIL, message, BULKHEAD_NO_WAIT) != BULKHEAD_OK) {
        return;
    }
    const uint32_t sender = message[0], number = message[1];
    require(sender < SENDERS && message[2] == ~number && message[3] == number * 3 &&
                message[4] == (number ^ sender),
            "a message is not whole");
    require(number == received[sender], "a message is lost, doubled or out of order");
    received[sender]++;
}

// Takes a token. There are enough tokens for both threads, so none is ever missing, and there is
// never one too many.
static void take_token(void) {
    require(bulkhead_semaphore_take(SEMAPHORE_TOKENS, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "a count was lost");
}

static void give_token(void) {
    require(bulkhead_semaphore_give(SEMAPHORE_TOKENS) == BULKHEAD_OK,
            "a count was made from nothing");
}

static void lock(void) {
    require(bulkhead_mutex_lock(MUTEX_PAIR, BULKHEAD_FOREVER) == BULKHEAD_OK, "a lock was refused");
    require(pair[0] == pair[1], "a mutex let two in");
    pair[0]++;
}

static void unlock(void) {
    pair[1]++;
    require(bulkhead_mutex_unlock(MUTEX_PAIR) == BULKHEAD_OK, "an unlock was refused");
}

static uint32_t *allocate(void) {
    uint32_t *block = bulkhead_local_pool_take(&pool);
    require(block != NULL, "a pool with free blocks gave none");
    block[1] = (uint32_t)block ^ bulkhead_page.self;
    return block;
}

static void free_block(uint32_t *block) {
    require(block[1] == ((uint32_t)block ^ bulkhead_page.self), "a block was given out twice");
    require(bulkhead_pool_free(&pool, block) == BULKHEAD_OK, "a block was not taken back");
}

// Sets a flag and takes it again. Each thread has a flag of its own; the flags of both threads are
// in one word.
static void set_flag(uint32_t sender) {
    require(bulkhead_flags_set(FLAGS_SIGNS, 1u << sender) == BULKHEAD_OK, "a flag was refused");
}

static void take_flag(uint32_t sender) {
    uint32_t flags = 1u << sender;
    require(bulkhead_flags_take_all(FLAGS_SIGNS, &flags, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "a flag was lost");
}

static void require_no_flag(uint32_t sender) {
    uint32_t flags = 1u << sender;
    require(bulkhead_flags_take_any(FLAGS_SIGNS, &flags, BULKHEAD_NO_WAIT) == BULKHEAD_TIMED_OUT,
            "a flag was taken twice");
}

static void idle_a_little(void) {
    for (volatile uint32_t left = random_below(16); left != 0; left--) {
    }
}

// The higher thread takes all tokens in one round and gives them back in the next round. If a stale
// store of the lower thread undid the first change, the second change would not hide the error.
// Between the rounds the higher thread holds the mutex, so the lower thread has to wait.
void high_main(void);
void high_main(void) {
    for (;;) {
        bulkhead_delay(1);
        visits++;
        send(HIGH);
        take_token();
        lock();
        uint32_t *block = allocate();
        set_flag(HIGH);
        bulkhead_delay(2);
        visits++;
        send(HIGH);
        give_token();
        unlock();
        free_block(block);
        take_flag(HIGH);
    }
}

void low_main(void);
void low_main(void) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        send(LOW);
        take_token();
        give_token();
        lock();
        unlock();
        free_block(allocate());
        set_flag(LOW);
        take_flag(LOW);
        require_no_flag(LOW);
        receive();
        receive();
        idle_a_little();
    }
    require(sent[HIGH] > 0 && received[LOW] > ROUNDS / 2, "the threads did not meet");
    say("preemption: rounds ");
    say_number(ROUNDS);
    say(", preempted ");
    say_number(visits);
    succeed();
}
