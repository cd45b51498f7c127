// SPDX-License-Identifier: MIT
//
// Model of queues: every message arrives once and unchanged, the messages of one sender arrive in
// the order of sending, and no thread waits although it could continue.
#include "world.h"

enum { MESSAGES = 3 }; // largest number of messages of one sender

static uint32_t sent[WORLD_THREADS], received;
// Latest[receiver][sender]: number of the last message that has arrived.
static uint32_t latest[WORLD_THREADS][WORLD_THREADS];
static bool seen[WORLD_THREADS][MESSAGES + 1];

static uint32_t other_half(uint32_t word) {
    return ~word * 3;
}

static void send_within(uint32_t thread, uint32_t timeout_ticks) {
    const uint32_t word = thread * 16 + sent[thread] + 1;
    const uint32_t message[] = {word, other_half(word)};
    const enum bulkhead_result result = bulkhead_queue_send(world_queues, message, timeout_ticks);
    world_require(result == BULKHEAD_OK || timeout_ticks != BULKHEAD_FOREVER, "a send failed");
    sent[thread] += result == BULKHEAD_OK;
}

static void check(uint32_t receiver, const uint32_t message[2]) {
    const uint32_t sender = message[0] / 16, number = message[0] % 16;
    if (message[1] != other_half(message[0]) || sender >= WORLD_THREADS || number > MESSAGES) {
        world_require(false, "a message is not whole");
        return;
    }
    world_require(!seen[sender][number], "a message came twice");
    world_require(number > latest[receiver][sender], "messages came out of order");
    seen[sender][number] = true;
    latest[receiver][sender] = number;
    received++;
}

static void receive_within(uint32_t thread, uint32_t timeout_ticks) {
    uint32_t message[2];
    const enum bulkhead_result result =
        bulkhead_queue_receive(world_queues, message, timeout_ticks);
    world_require(result == BULKHEAD_OK || timeout_ticks != BULKHEAD_FOREVER, "a receive failed");
    if (result == BULKHEAD_OK) {
        check(thread, message);
    }
}

static void send(uint32_t thread, uint32_t messages) {
    for (uint32_t i = 0; i < messages; i++) {
        send_within(thread, BULKHEAD_FOREVER);
    }
}

static void receive(uint32_t thread, uint32_t messages) {
    for (uint32_t i = 0; i < messages; i++) {
        receive_within(thread, BULKHEAD_FOREVER);
    }
}

static void first_sends_one(void) {
    send(0, 1);
}

static void first_receives_one(void) {
    receive(0, 1);
}

static void first_uses_timeouts(void) {
    receive_within(0, 1);
    receive_within(0, BULKHEAD_NO_WAIT);
}

static void second_sends_two(void) {
    send(1, 2);
}

static void second_receives_two(void) {
    receive(1, 2);
}

static void second_uses_timeouts(void) {
    send_within(1, 1);
    send_within(1, BULKHEAD_NO_WAIT);
}

static void third_receives_three(void) {
    receive(2, 3);
}

static void third_sends_three(void) {
    send(2, 3);
}

static void third_passes_on(void) {
    receive(2, 1);
    send(2, 1);
}

static const char *wrong(bool rests) {
    const struct bulkhead_queue *queue = world_queues;
    uint32_t under_way = queue->tail - queue->head + received;
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        under_way -= sent[i];
    }
    if (rests && !world_all_ended()) {
        return "a thread waits for ever";
    }
    return rests && under_way != 0 ? "a message was lost or made" : NULL;
}

const struct scenario queue_scenarios[] = {
    {.name = "queue: two senders, one place",
     .programs = {first_sends_one, second_sends_two, third_receives_three},
     .priorities = {3, 4, 5},
     .capacity = 1,
     .wrong = wrong},
    {.name = "queue: two senders of one priority below the receiver",
     .programs = {first_sends_one, second_sends_two, third_receives_three},
     .priorities = {5, 5, 4},
     .capacity = 2,
     .wrong = wrong},
    {.name = "queue: two receivers",
     .programs = {first_receives_one, second_receives_two, third_sends_three},
     .priorities = {3, 4, 5},
     .capacity = 1,
     .wrong = wrong},
    {.name = "queue: senders and receivers wait at once",
     .programs = {first_receives_one, second_sends_two, third_passes_on},
     .priorities = {4, 5, 5},
     .capacity = 1,
     .wrong = wrong},
    {.name = "queue: timeouts",
     .programs = {first_uses_timeouts, second_uses_timeouts, NULL},
     .priorities = {4, 5, 3},
     .ticks = 2,
     .capacity = 1,
     .wrong = wrong},
    {0},
};
