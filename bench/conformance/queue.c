// SPDX-License-Identifier: MIT
//
// `queue`: messages arrive whole and in the order sent; a send to a full queue and a receive from
// an empty one fail at once or after the timeout; a higher receiver that waits pre-empts the
// sender.
#include "conformance.h"

enum { WORDS = 4, CAPACITY = 3, TIMEOUT_TICKS = 2 };

struct message {
    uint32_t words[WORDS];
};

static const struct bench_queue queue = {0}, served = {1};
static volatile uint32_t received;

static struct message compose(uint32_t seed) {
    struct message message;
    for (uint32_t i = 0; i < WORDS; i++) {
        message.words[i] = 0x10203040u * (i + 1) + seed;
    }
    return message;
}

static void require_received(struct bench_queue from, uint32_t seed, uint32_t timeout_ticks) {
    struct message expected = compose(seed), message = {{0}};
    REQUIRE_OK(bench_queue_receive(from, &message, timeout_ticks), "queue: a message is missing");
    for (int i = 0; i < WORDS; i++) {
        BENCH_REQUIRE(message.words[i] == expected.words[i],
                      "queue: a message differs from the one sent first");
    }
}

static void prove_fifo(void) {
    struct message message = {{0}};
    for (uint32_t seed = 0; seed < CAPACITY; seed++) {
        message = compose(seed);
        REQUIRE_OK(bench_queue_send(queue, &message, BENCH_NO_WAIT),
                   "queue: refused below capacity");
    }
    REQUIRE_TIMED_OUT(bench_queue_send(queue, &message, BENCH_NO_WAIT),
                      "queue: a send to a full queue succeeded");
    for (uint32_t seed = 0; seed < CAPACITY; seed++) {
        require_received(queue, seed, BENCH_NO_WAIT);
    }
    REQUIRE_TIMED_OUT(bench_queue_receive(queue, &message, BENCH_NO_WAIT),
                      "queue: a receive from an empty queue succeeded");
}

static void prove_timeout(void) {
    struct message message;
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_queue_receive(queue, &message, TIMEOUT_TICKS),
                      "queue: a receive from an empty queue succeeded");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "queue: timed out too early");
}

static void receiver(void) {
    for (;;) {
        require_received(served, received, BENCH_FOREVER);
        received++;
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_fifo();
    prove_fifo(); // wraps around the end of the buffer
    prove_timeout();
    for (uint32_t seed = 0; seed < 2 * CAPACITY; seed++) {
        struct message message = compose(seed);
        REQUIRE_OK(bench_queue_send(served, &message, BENCH_NO_WAIT), "queue: refused a message");
        BENCH_REQUIRE(received == seed + 1, "queue: a higher receiver did not pre-empt the sender");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(receiver, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = CAPACITY, .message_bytes = sizeof(struct message)},
    {.capacity = CAPACITY, .message_bytes = sizeof(struct message)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
