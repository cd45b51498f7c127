// SPDX-License-Identifier: MIT
//
// Scenario `message` with a message of one word, such as the address of a buffer: what a mailbox
// passes. What the word refers to is not measured.

enum { WORDS = 1 }; // of a message

#include "../shared/message.h"

static const struct bench_task_declaration tasks[] = {
    TASK(receiver, HIGH_PRIORITY),
    TASK(sender, LOW_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {MESSAGE_QUEUE(0)};

const struct bench_scenario bench_scenario = {
    .name = "message-reference", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
