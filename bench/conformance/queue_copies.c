// SPDX-License-Identifier: MIT
//
// `queue.copies`: a message of several words arrives whole, although the sender changes its buffer
// after the send.
#include "conformance.h"

enum { WORDS = 4, CAPACITY = 3 };

struct message {
    uint32_t words[WORDS];
};

static const struct bench_queue queue = {0};

static struct message compose(uint32_t seed) {
    struct message message;
    for (uint32_t i = 0; i < WORDS; i++) {
        message.words[i] = 0x10203040u * (i + 1) + seed;
    }
    return message;
}

static void require_received(uint32_t seed) {
    const struct message expected = compose(seed);
    struct message message = {{0}};
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_NO_WAIT), "queue: a message is missing");
    for (int i = 0; i < WORDS; i++) {
        BENCH_REQUIRE(message.words[i] == expected.words[i],
                      "queue: a message differs from the one sent first");
    }
}

static void prove_copies(void) {
    static struct message message; // one buffer for all messages
    for (uint32_t seed = 0; seed < CAPACITY; seed++) {
        message = compose(seed);
        REQUIRE_OK(bench_queue_send(queue, &message, BENCH_NO_WAIT),
                   "queue: refused below capacity");
    }
    message = compose(CAPACITY);
    for (uint32_t seed = 0; seed < CAPACITY; seed++) {
        require_received(seed);
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_copies();
    prove_copies(); // wraps around the end of the buffer
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_queue_declaration queues[] = {
    {.capacity = CAPACITY, .message_bytes = sizeof(struct message)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-copies", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
