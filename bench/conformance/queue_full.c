// SPDX-License-Identifier: MIT
//
// `queue`: a sender blocks while the queue is full and times out if no task receives; a higher
// sender pre-empts the receiver that makes room; every message arrives whole and in order.
#include "conformance.h"

enum { WORDS = 3, CAPACITY = 2, MESSAGES = 12, TIMEOUT_TICKS = 2 };

struct message {
    uint32_t words[WORDS];
};

static const struct bench_queue queue = {0};
static volatile uint32_t sent;

static struct message compose(uint32_t number) {
    return (struct message){{number, ~number, number * 0x01010101u}};
}

static void prove_timeout(void) {
    const struct message message = compose(0);
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_queue_send(queue, &message, TIMEOUT_TICKS),
                      "queue: a send to a full queue succeeded");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "queue: timed out too early");
}

static void sender(void) {
    for (uint32_t number = 0; number < MESSAGES; number++) {
        const struct message message = compose(number);
        if (number == CAPACITY) {
            prove_timeout();
        }
        REQUIRE_OK(bench_queue_send(queue, &message, BENCH_FOREVER),
                   "queue: a send without timeout failed");
        sent++;
    }
    for (;;) {
        bench_task_delay(1000);
    }
}

static void require_message(uint32_t number) {
    const struct message expected = compose(number);
    struct message message = {{0}};
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_NO_WAIT), "queue: a message is missing");
    for (int i = 0; i < WORDS; i++) {
        BENCH_REQUIRE(message.words[i] == expected.words[i],
                      "queue: a message differs from the one sent first");
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    bench_task_delay(TIMEOUT_TICKS + 2);
    BENCH_REQUIRE(sent == CAPACITY, "queue: a sender did not block at its capacity");
    for (uint32_t number = 0; number < MESSAGES; number++) {
        const uint32_t room_for = number + 1 + CAPACITY;
        require_message(number);
        BENCH_REQUIRE(sent == (room_for < MESSAGES ? room_for : MESSAGES),
                      "queue: a higher sender did not pre-empt the receiver");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(sender, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = CAPACITY, .message_bytes = sizeof(struct message)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-full", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
