// SPDX-License-Identifier: MIT
//
// `queue.timeout` with `queue.waiting_senders`: a send to a full queue fails after its timeout and
// not before, and its message never arrives.
#include "conformance.h"

enum { TIMEOUT_TICKS = 2, FIRST = 0x10203040, LATE };

static const struct bench_queue queue = {0};

static void prover(void) {
    uint32_t message = FIRST;
    BENCH_MARK("begin");
    REQUIRE_OK(bench_queue_send(queue, &message, BENCH_NO_WAIT), "queue: refused below capacity");
    message = LATE;
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_queue_send(queue, &message, TIMEOUT_TICKS),
                      "queue: a send to a full queue succeeded");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "queue: timed out too early");
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_NO_WAIT), "queue: a message is missing");
    BENCH_REQUIRE(message == FIRST, "queue: a message differs from the one sent first");
    REQUIRE_TIMED_OUT(bench_queue_receive(queue, &message, BENCH_NO_WAIT),
                      "queue: a send that timed out delivered its message");
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_queue_declaration queues[] = {
    {.capacity = 1, .message_bytes = sizeof(uint32_t)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-full-timeout", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
