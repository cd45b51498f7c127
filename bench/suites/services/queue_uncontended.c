// SPDX-License-Identifier: MIT
//
// One task sends 4-byte messages to a queue with room, and receives them without waiting.
#include "services.h"

enum { CALLER, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_queue queue = {0};

static void caller(void) {
    for (uint32_t sent = 1;; sent++) {
        uint32_t received = 0;
        BENCH_MARK("send.before");
        const enum bench_status sending = bench_queue_send(queue, &sent, BENCH_FOREVER);
        BENCH_MARK("send.after");
        BENCH_REQUIRE(sending == BENCH_OK, "queue: refused below capacity");
        BENCH_MARK("receive.before");
        const enum bench_status receiving = bench_queue_receive(queue, &received, BENCH_FOREVER);
        BENCH_MARK("receive.after");
        BENCH_REQUIRE(receiving == BENCH_OK, "queue: a message is missing");
        BENCH_REQUIRE(received == sent, "queue: a message is not the one sent first");
    }
}

static const struct bench_task_declaration tasks[] = {
    [CALLER] = TASK(caller, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {{.capacity = 4, .message_bytes = 4}};

const struct bench_scenario bench_scenario = {
    .name = "queue-uncontended", SO_MANY(tasks, TASKS), BENCH_QUEUES(queues)};
