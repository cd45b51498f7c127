// SPDX-License-Identifier: MIT
//
// `queue.waiting_senders`: a sender blocks while the queue is full; a higher sender pre-empts the
// receiver that makes room; every message arrives in order.
#include "conformance.h"

enum { CAPACITY = 2, MESSAGES = 12, FIRST = 0x10203040 };

static const struct bench_queue queue = {0};
static volatile uint32_t sent;

static void sender(void) {
    for (uint32_t number = 0; number < MESSAGES; number++) {
        const uint32_t message = FIRST + number;
        REQUIRE_OK(bench_queue_send(queue, &message, BENCH_FOREVER),
                   "queue: a send without timeout failed");
        sent++;
    }
    for (;;) {
        bench_task_delay(1000);
    }
}

static void require_message(uint32_t number) {
    uint32_t message = 0;
    REQUIRE_OK(bench_queue_receive(queue, &message, BENCH_NO_WAIT), "queue: a message is missing");
    BENCH_REQUIRE(message == FIRST + number, "queue: a message differs from the one sent first");
}

static void prover(void) {
    BENCH_MARK("begin");
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
    {.capacity = CAPACITY, .message_bytes = sizeof(uint32_t)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue-full", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
