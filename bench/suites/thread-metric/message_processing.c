// SPDX-License-Identifier: MIT
//
// Thread-Metric 6: one thread sends itself a message of 16 bytes and receives it. The kernel
// switches nothing: the test measures the copy into the queue and out of it, and the queue's
// bookkeeping.
#include "thread_metric.h"

enum { WORDS = 4, CAPACITY = 10, FIRST_WORD = 0x11112222 };

static volatile unsigned long counter;

static void compose(unsigned long message[WORDS], unsigned long seed) {
    for (unsigned long i = 0; i < WORDS; i++) {
        message[i] = FIRST_WORD * (i + 1) + seed;
    }
}

static void verify_received(unsigned long seed) {
    unsigned long expected[WORDS], message[WORDS] = {0};
    compose(expected, seed);
    BENCH_REQUIRE(tm_queue_receive(0, message) == TM_SUCCESS, "a sent message was not there");
    for (int i = 0; i < WORDS; i++) {
        BENCH_REQUIRE(message[i] == expected[i],
                      "message word lost: a received word is not the one sent first");
    }
}

static void send(unsigned long seed) {
    unsigned long message[WORDS];
    compose(message, seed);
    BENCH_REQUIRE(tm_queue_send(0, message) == TM_SUCCESS, "a queue with room refused a message");
}

// The contract defines the result for a full and an empty queue. Another Thread-Metric port may
// wait in these cases, and it chooses its capacity.
static void verify_full_and_empty(void) {
    unsigned long message[WORDS] = {0};
    for (unsigned long i = 0; i < CAPACITY; i++) {
        send(i);
    }
    BENCH_REQUIRE(tm_queue_send(0, message) != TM_SUCCESS, "a full queue took a message");
    for (unsigned long i = 0; i < CAPACITY; i++) {
        verify_received(i);
    }
    BENCH_REQUIRE(tm_queue_receive(0, message) != TM_SUCCESS, "an empty queue gave a message");
}

static void verify(void) {
    for (unsigned long round = 0; round < TM_VERIFY_ROUNDS; round++) {
        send(round);
        verify_received(round);
    }
    if (TM_REFUSES) {
        verify_full_and_empty();
    }
}

static void thread_0(void) {
    static unsigned long sent[WORDS], received[WORDS];
    verify();
    compose(sent, 0);
    for (;;) {
        tm_queue_send(0, sent);
        tm_queue_receive(0, received);
        if (received[WORDS - 1] != sent[WORDS - 1]) {
            break;
        }
        sent[WORDS - 1]++;
        BENCH_MARK("iteration.0");
        counter++;
    }
    bench_fail("message word lost: the last word received is not the one sent");
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
};

static const struct bench_queue_declaration queues[] = {
    {.capacity = CAPACITY, .message_bytes = WORDS * sizeof(unsigned long)},
};

const struct bench_scenario bench_scenario = {
    .name = "message-processing", BENCH_TASKS(threads), BENCH_QUEUES(queues)};
