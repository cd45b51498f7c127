// SPDX-License-Identifier: MIT
//
// High tasks wait at an empty queue for 4-byte messages that a low task sends. Every send wakes one
// of them, and its next receive blocks it again.
#include "services.h"

enum {
    LOW,
    FIRST_WAITER,
    FIRST_READY = FIRST_WAITER + PARAM_WAITERS,
    TASKS = FIRST_READY + PARAM_READY
};

static const struct bench_queue queue = {0};

static volatile uint32_t sent, received;

static void waiter(void) {
    for (;;) {
        uint32_t message = 0;
        BENCH_MARK("receive.before");
        const enum bench_status status = bench_queue_receive(queue, &message, BENCH_FOREVER);
        BENCH_MARK("receive.after");
        BENCH_REQUIRE(status == BENCH_OK, "a receive without timeout failed");
        received++;
        BENCH_REQUIRE(message == sent, "queue: a message is not the one sent");
        BENCH_REQUIRE(received == sent, "queue: more messages received than sent");
    }
}

static void low(void) {
    for (;;) {
        const uint32_t message = ++sent;
        BENCH_MARK("send.before");
        const enum bench_status status = bench_queue_send(queue, &message, BENCH_FOREVER);
        BENCH_MARK("send.after");
        BENCH_REQUIRE(status == BENCH_OK, "queue: refused below capacity");
        BENCH_REQUIRE(received == sent, "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    [LOW] = TASK(low, LOW_PRIORITY),
    [FIRST_WAITER... FIRST_READY - 1] = TASK(waiter, HIGH_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {{.capacity = 4, .message_bytes = 4}};

const struct bench_scenario bench_scenario = {
    .name = "queue-empty", SO_MANY(tasks, TASKS), BENCH_QUEUES(queues)};
