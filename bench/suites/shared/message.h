// SPDX-License-Identifier: MIT
//
// A task sends 16-byte messages to a higher task that waits for them.
#ifndef SHARED_MESSAGE_H
#define SHARED_MESSAGE_H

#include "tasks.h"

enum { WORDS = 4 };

struct message {
    uint32_t words[WORDS];
};

static const struct bench_queue queue = {0};
static volatile uint32_t sent, received;

static void receiver(void) {
    for (;;) {
        struct message message = {{0}};
        const enum bench_status status = bench_queue_receive(queue, &message, BENCH_FOREVER);
        BENCH_MARK("received");
        BENCH_REQUIRE(status == BENCH_OK, "a receive without timeout failed");
        BENCH_REQUIRE(message.words[0] == sent && message.words[WORDS - 1] == ~sent,
                      "queue: a message is not the one sent");
        received++;
    }
}

static inline void send_message(void) {
    const uint32_t number = ++sent;
    const struct message message = {{number, number, number, ~number}};
    BENCH_MARK("send");
    const enum bench_status status = bench_queue_send(queue, &message, BENCH_FOREVER);
    BENCH_REQUIRE(status == BENCH_OK, "queue: refused below capacity");
    BENCH_REQUIRE(received == number, "the higher task that was woken did not run at once");
}

static inline void sender(void) {
    for (;;) {
        send_message();
    }
}

// One row of a scenario's queues; `users` are the processes besides the owner.
#define MESSAGE_QUEUE(processes) \
    {.capacity = 4, .message_bytes = sizeof(struct message), .users = (processes)}

#endif
