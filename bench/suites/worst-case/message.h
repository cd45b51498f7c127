// SPDX-License-Identifier: MIT
//
// Shared by the scenarios with messages: a queue of messages, all of them different. The including
// file defines WORDS, the size of a message: 4, or 1 for a word such as the address of a buffer.
#ifndef WORST_CASE_MESSAGE_H
#define WORST_CASE_MESSAGE_H

#include "worst_case.h"

// Room for one message, so that each message takes the same path around the end of a ring buffer.
enum { CAPACITY = 1 };

static const struct bench_queue queue = {0};
static uint32_t sent[WORDS], received[WORDS];

static void send(void) {
    require_ok(bench_queue_send(queue, sent, BENCH_NO_WAIT), "a queue with room refused a message");
}

static void receive(void) {
    require_ok(bench_queue_receive(queue, received, BENCH_NO_WAIT), "a sent message was not there");
}

static void verify_and_renew(void) {
    for (uint32_t i = 0; i < WORDS; i++) {
        BENCH_REQUIRE(received[i] == sent[i], "message word lost: a received word was not sent");
        sent[i] += i + 1;
    }
}

#define WORST_CASE_MESSAGES(scenario_name)                                                      \
    static const struct bench_task_declaration tasks[] = {WORST_CASE_OWN_TASKS};                \
    static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES}; \
    static const struct bench_queue_declaration queues[] = {                                    \
        {.capacity = CAPACITY, .message_bytes = WORDS * sizeof(uint32_t)},                      \
    };                                                                                          \
    const struct bench_scenario bench_scenario = {.name = (scenario_name),                      \
                                                  BENCH_TASKS(tasks),                           \
                                                  BENCH_SEMAPHORES(semaphores),                 \
                                                  BENCH_QUEUES(queues),                         \
                                                  BENCH_INTERRUPTS(worst_case_interrupts)}

#endif
