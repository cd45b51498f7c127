// SPDX-License-Identifier: MIT
//
// Messages from a low task to a high task that waits for them.
//
// Latency, as defined in 1990: from before the send to after the receive. Throughput, as defined in
// 1989: the bytes of one message per round, from one send to the next, waiting included.

enum { WORDS = 4 }; // of a message

#include "message.h"

const struct bench_scenario bench_scenario = {
    .name = "message", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
