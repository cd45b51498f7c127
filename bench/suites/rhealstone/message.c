// SPDX-License-Identifier: MIT
//
// Messages from a low task to a high one that waits for them.
//
// 1990, inter-task message latency: from before the send to behind the receive. 1989, datagram
// throughput: so many bytes for each round, from one send to the next, waiting included.
#include "rhealstone.h"

enum { WORDS = 4 };

struct message {
    uint32_t words[WORDS];
};

static const struct bench_queue queue = {0};
static volatile uint32_t sent, received;

static void high(void) {
    for (;;) {
        struct message message = {{0}};
        const enum bench_status status = bench_queue_receive(queue, &message, BENCH_FOREVER);
        BENCH_MARK("received");
        BENCH_REQUIRE(status == BENCH_OK, "an endless wait for a message ended without one");
        BENCH_REQUIRE(message.words[0] == sent && message.words[WORDS - 1] == ~sent,
                      "queue: a message is not the one sent");
        received++;
    }
}

static void low(void) {
    for (;;) {
        const uint32_t number = ++sent;
        const struct message message = {{number, number, number, ~number}};
        BENCH_MARK("send");
        const enum bench_status status = bench_queue_send(queue, &message, BENCH_FOREVER);
        BENCH_REQUIRE(status == BENCH_OK, "queue: refused below capacity");
        BENCH_REQUIRE(received == number, "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(low, LOW_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = 4, .message_bytes = sizeof(struct message)},
};

const struct bench_scenario bench_scenario = {
    .name = "message", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
