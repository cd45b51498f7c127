// SPDX-License-Identifier: MIT
//
// A task sends messages to a task of higher priority that waits for them. The including file
// defines WORDS, the size of a message: 4, or 1 for a word such as the address of a buffer.
#ifndef SHARED_MESSAGE_H
#define SHARED_MESSAGE_H

#include "tasks.h"

struct message {
    uint32_t words[WORDS];
};

static const struct bench_queue queue = {0};
static volatile uint32_t sent, received;

static inline struct message compose(uint32_t number) {
    struct message message;
    for (uint32_t i = 0; i + 1 < WORDS; i++) {
        message.words[i] = number;
    }
    message.words[WORDS - 1] = ~number;
    return message;
}

static inline bool is_last_sent(const struct message *message) {
    return (WORDS == 1 || message->words[0] == sent) && message->words[WORDS - 1] == ~sent;
}

static void receiver(void) {
    for (;;) {
        struct message message = {{0}};
        const enum bench_status status = bench_queue_receive(queue, &message, BENCH_FOREVER);
        BENCH_MARK("received");
        BENCH_REQUIRE(status == BENCH_OK, "a receive without timeout failed");
        BENCH_REQUIRE(is_last_sent(&message), "queue: a message is not the one sent");
        received++;
    }
}

static inline void send_message(void) {
    const uint32_t number = ++sent;
    const struct message message = compose(number);
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
