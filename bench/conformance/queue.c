// SPDX-License-Identifier: MIT
//
// `queue`: messages of one word arrive in the order sent; a send to a full queue and a receive from
// an empty one fail at once; a higher receiver that waits pre-empts the sender.
#include "conformance.h"

enum { CAPACITY = 3, FIRST = 0x10203040 };

static const struct bench_queue queue = {0}, served = {1};
static volatile uint32_t received;

static void send(struct bench_queue to, uint32_t number) {
    const uint32_t message = FIRST + number;
    REQUIRE_OK(bench_queue_send(to, &message, BENCH_NO_WAIT), "queue: refused below capacity");
}

static void require_received(struct bench_queue from, uint32_t number, uint32_t timeout_ticks) {
    uint32_t message = 0;
    REQUIRE_OK(bench_queue_receive(from, &message, timeout_ticks), "queue: a message is missing");
    BENCH_REQUIRE(message == FIRST + number, "queue: a message differs from the one sent first");
}

static void prove_fifo(void) {
    uint32_t message = 0;
    for (uint32_t number = 0; number < CAPACITY; number++) {
        send(queue, number);
    }
    REQUIRE_TIMED_OUT(bench_queue_send(queue, &message, BENCH_NO_WAIT),
                      "queue: a send to a full queue succeeded");
    for (uint32_t number = 0; number < CAPACITY; number++) {
        require_received(queue, number, BENCH_NO_WAIT);
    }
    REQUIRE_TIMED_OUT(bench_queue_receive(queue, &message, BENCH_NO_WAIT),
                      "queue: a receive from an empty queue succeeded");
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
    for (uint32_t number = 0; number < 2 * CAPACITY; number++) {
        send(served, number);
        BENCH_REQUIRE(received == number + 1,
                      "queue: a higher receiver did not pre-empt the sender");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(receiver, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = CAPACITY, .message_bytes = sizeof(uint32_t)},
    {.capacity = CAPACITY, .message_bytes = sizeof(uint32_t)},
};

const struct bench_scenario bench_scenario = {
    .name = "queue", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
