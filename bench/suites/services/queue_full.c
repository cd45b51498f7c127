// SPDX-License-Identifier: MIT
//
// High tasks wait to send 4-byte messages to a full queue from which a low task receives. Every
// receive lets one of them send, and its next send blocks it again.
#include "services.h"

enum {
    LOW,
    FIRST_WAITER,
    FIRST_READY = FIRST_WAITER + PARAM_WAITERS,
    TASKS = FIRST_READY + PARAM_READY
};
enum { CAPACITY = 4 };

static const struct bench_queue queue = {0};

static volatile uint32_t next_message, sent, received;

// A message gets its number when its sender starts to wait, so the messages have the order of the
// waiters.
static void waiter(void) {
    for (;;) {
        const uint32_t message = next_message++;
        BENCH_MARK("send.before");
        const enum bench_status status = bench_queue_send(queue, &message, BENCH_FOREVER);
        BENCH_MARK("send.after");
        BENCH_REQUIRE(status == BENCH_OK, "a send without timeout failed");
        sent++;
    }
}

static void low(void) {
    for (;;) {
        uint32_t message = 0;
        BENCH_MARK("receive.before");
        const enum bench_status status = bench_queue_receive(queue, &message, BENCH_FOREVER);
        BENCH_MARK("receive.after");
        BENCH_REQUIRE(status == BENCH_OK, "queue: a message is missing");
        BENCH_REQUIRE(message == received, "queue: a message is not the one sent first");
        received++;
        BENCH_REQUIRE(sent == received + CAPACITY,
                      "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    [LOW] = TASK(low, LOW_PRIORITY),
    [FIRST_WAITER... FIRST_READY - 1] = TASK(waiter, HIGH_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = CAPACITY, .message_bytes = 4},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-full", SO_MANY(tasks, TASKS), BENCH_QUEUES(queues)};
