// SPDX-License-Identifier: MIT
//
// Scenario `message` with a message of one word, such as the address of a buffer: what a mailbox
// passes. What the word refers to is not measured.

enum { WORDS = 1 }; // of a message

#include "message.h"

const struct bench_scenario bench_scenario = {
    .name = "message-reference", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
