// SPDX-License-Identifier: MIT
//
// `queue`: a message of 16 bytes arrives whole, although the sender changes its buffer after the
// send.
#include "tm_conformance.h"

enum { WORDS = 4, ROUNDS = 24 };

static void compose(unsigned long message[WORDS], unsigned long seed) {
    for (unsigned long i = 0; i < WORDS; i++) {
        message[i] = 0x10203040u * (i + 1) + seed;
    }
}

static void prove_round(unsigned long round) {
    unsigned long sent[WORDS], expected[WORDS], received[WORDS] = {0};
    compose(sent, round);
    REQUIRE_SUCCESS(tm_queue_send(0, sent), "queue: an empty queue refused a message");
    compose(sent, round + ROUNDS);
    REQUIRE_SUCCESS(tm_queue_receive(0, received), "queue: a message is missing");
    compose(expected, round);
    for (int i = 0; i < WORDS; i++) {
        BENCH_REQUIRE(received[i] == expected[i], "queue: a message differs from the one sent");
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    for (unsigned long round = 0; round < ROUNDS; round++) {
        prove_round(round);
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_queue_declaration queues[] = {
    {.capacity = 10, .message_bytes = WORDS * sizeof(unsigned long)},
};

const struct bench_scenario bench_scenario = {
    .name = "tm-queue", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
