// SPDX-License-Identifier: MIT
//
// `queue`: over 100 000 operations on a queue that is often full, every message arrives exactly
// once and each sender's messages arrive in order.
#include "endurance.h"

enum { FROM_PROVER, FROM_INTERFERER, SENDERS };
enum { CAPACITY = 4 };

struct message {
    uint32_t sender, number;
};

static const struct bench_queue queue = {0};
static volatile uint32_t sent[SENDERS], received[SENDERS];

static void receive(void) {
    struct message message = {SENDERS, 0};
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_FOREVER),
               "queue: a receive without timeout failed");
    BENCH_REQUIRE(message.sender < SENDERS, "queue: received a message that was not sent");
    BENCH_REQUIRE(message.number == received[message.sender],
                  "queue: a message was lost, repeated or reordered");
    received[message.sender]++;
}

static void send(uint32_t sender) {
    const struct message message = {sender, sent[sender]};
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
    {.capacity = CAPACITY, .message_bytes = sizeof(struct message)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-endurance", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
