// SPDX-License-Identifier: MIT
//
// Shared by the scenarios that send a message that higher tasks wait for: the first of them
// receives it and waits again after the others. The including file defines WORDS, the size of a
// message.
#ifndef WORST_CASE_MESSAGE_WAKES_H
#define WORST_CASE_MESSAGE_WAKES_H

#include "worst_case.h"

enum { CAPACITY = 1 };

static const struct bench_queue queue = {0};
static uint32_t sent[WORDS];
static volatile uint32_t received;

static void receiver(void) {
    for (;;) {
        uint32_t message[WORDS];
        require_ok(bench_queue_receive(queue, message, BENCH_FOREVER),
                   "a call without timeout failed");
        for (uint32_t i = 0; i < WORDS; i++) {
            BENCH_REQUIRE(message[i] == sent[i], "message word lost: a received word was not sent");
        }
        received++;
    }
}

static void service(void) {
    require_ok(bench_queue_send(queue, sent, BENCH_NO_WAIT), "a queue with room refused a message");
}

static void undo(void) {
    static uint32_t messages;
    messages++;
    BENCH_REQUIRE(received == messages, "the higher task that waited did not run");
    for (uint32_t i = 0; i < WORDS; i++) {
        sent[i] += i + 1;
    }
}

static void sweeper(void) {
    sweep_in_turns(service, undo, PARAM_WAITERS);
}

#define WORST_CASE_MESSAGE_WAKES(scenario_name)                                                 \
    static const struct bench_task_declaration tasks[] = {                                      \
        WORST_CASE_OWN_TASKS,                                                                   \
        WORST_CASE_WAITERS(receiver),                                                           \
    };                                                                                          \
    static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES}; \
    static const struct bench_queue_declaration queues[] = {                                    \
        {.capacity = CAPACITY, .message_bytes = sizeof sent},                                   \
    };                                                                                          \
    const struct bench_scenario bench_scenario = {.name = (scenario_name),                      \
                                                  BENCH_TASKS(tasks),                           \
                                                  BENCH_SEMAPHORES(semaphores),                 \
                                                  BENCH_QUEUES(queues),                         \
                                                  BENCH_INTERRUPTS(worst_case_interrupts)}

#endif
