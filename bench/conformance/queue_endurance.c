// SPDX-License-Identifier: MIT
//
// `queue`: over 100 000 operations on a queue that is often full, every message arrives exactly
// once and each sender's messages arrive in order.
#include "endurance.h"

enum { FROM_PROVER, FROM_INTERFERER, SENDERS };
enum { CAPACITY = 4 };

// A message is one word: these low bits hold its number, and the bits above hold its sender.
enum { NUMBER_BITS = 24, NUMBER_MASK = (1 << NUMBER_BITS) - 1 };

static const struct bench_queue queue = {0};
static volatile uint32_t sent[SENDERS], received[SENDERS];

static void receive(void) {
    uint32_t message = (uint32_t)SENDERS << NUMBER_BITS;
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_FOREVER),
               "queue: a receive without timeout failed");
    const uint32_t sender = message >> NUMBER_BITS;
    BENCH_REQUIRE(sender < SENDERS, "queue: received a message that was not sent");
    BENCH_REQUIRE((message & NUMBER_MASK) == received[sender],
                  "queue: a message was lost, repeated or reordered");
    received[sender]++;
}

static void send(uint32_t sender) {
    const uint32_t message = sender << NUMBER_BITS | sent[sender];
    REQUIRE_OK(bench_queue_send(queue, &message, BENCH_FOREVER),
               "queue: a send without timeout failed");
    sent[sender]++;
}

// Lower than the prover, so that the prover fills the queue and then blocks.
static void receiver(void) {
    for (;;) {
        receive();
    }
}

static void do_round(uint32_t round) {
    (void)round;
    send(FROM_PROVER);
}

static void interfere(void) {
    send(FROM_INTERFERER);
}

static void require_nothing_lost(void) {
    while (received[FROM_PROVER] != ROUNDS) {
        bench_task_delay(1);
        BENCH_MARK("alive");
    }
    BENCH_REQUIRE(received[FROM_INTERFERER] + CAPACITY >= sent[FROM_INTERFERER],
                  "queue: a message was lost");
}

static const struct bench_task_declaration tasks[] = {
    ENDURING_TASKS,
    TASK(receiver, 12, BENCH_READY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = CAPACITY, .message_bytes = sizeof(uint32_t)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-endurance", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
