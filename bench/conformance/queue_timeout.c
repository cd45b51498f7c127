// SPDX-License-Identifier: MIT
//
// `queue.timeout`: a receive from an empty queue fails after its timeout and not before, and gets
// no message that is sent later: a task of lower priority that waits gets that message.
#include "conformance.h"

enum { TIMEOUT_TICKS = 2, MESSAGE = 0x10203040 };

static const struct bench_queue queue = {0};
static volatile uint32_t received;

static void lower(void) {
    uint32_t message = 0;
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_FOREVER),
               "queue: a receive without timeout failed");
    received = message;
    for (;;) {
    }
}

static void prover(void) {
    uint32_t message = 0;
    BENCH_MARK("begin");
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_queue_receive(queue, &message, TIMEOUT_TICKS),
                      "queue: a receive from an empty queue succeeded");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "queue: timed out too early");
    message = MESSAGE;
    REQUIRE_OK(bench_queue_send(queue, &message, BENCH_NO_WAIT), "queue: refused a message");
    bench_task_delay(1);
    BENCH_REQUIRE(received == MESSAGE, "queue: a receive that timed out got a message");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(prover, 5, BENCH_READY),
    TASK(lower, 10, BENCH_READY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = 1, .message_bytes = sizeof(uint32_t)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-timeout", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
