// SPDX-License-Identifier: MIT
//
// A task sends a message of 16 bytes to a higher task, which receives it and waits for the next.

enum { WORDS = 4 }; // of a message

#include "message_passing.h"

const struct bench_scenario bench_scenario = {
    .name = "message-passing", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
