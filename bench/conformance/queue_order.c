// SPDX-License-Identifier: MIT
//
// `queue.order`: the order in which waiting receivers get messages.
#include "waiters.h"

static const struct bench_queue queue = {0};

static void wait_for_object(unsigned self) {
    uint32_t message = 0;
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_FOREVER),
               "queue: a receive without timeout failed");
    BENCH_REQUIRE(message == services, "queue: messages not received in the waiters' order");
    record_service(self);
}

static void prover(void) {
    BENCH_MARK("begin");
    bench_task_delay(3);
    require_all_wait();
    for (uint32_t message = 0; message < WAITERS; message++) {
        REQUIRE_OK(bench_queue_send(queue, &message, BENCH_NO_WAIT), "queue: refused a message");
        BENCH_REQUIRE(services == message + 1, "queue: a higher receiver did not pre-empt");
    }
    require_order();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    WAITING_TASKS,
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_queue_declaration queues[] = {{.capacity = 4, .message_bytes = 4}};

const struct bench_scenario bench_scenario = {
    .name = "queue-order", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
