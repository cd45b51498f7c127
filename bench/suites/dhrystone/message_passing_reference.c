// SPDX-License-Identifier: MIT
//
// A task sends a message of one word, such as the address of a buffer, to a task of higher
// priority, which receives it and waits for the next.

enum { WORDS = 1 }; // of a message

#include "message_passing.h"

const struct bench_scenario bench_scenario = {
    .name = "message-passing-reference", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
