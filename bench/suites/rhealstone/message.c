// SPDX-License-Identifier: MIT
//
// Messages from a low task to a high task that waits for them.
//
// 1990, inter-task message latency: from before the send to after the receive. 1989, datagram
// throughput: the bytes of one message per round, from one send to the next, waiting included.

enum { WORDS = 4 }; // of a message

#include "message.h"

const struct bench_scenario bench_scenario = {
    .name = "message", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
