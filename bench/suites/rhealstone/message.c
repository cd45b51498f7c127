// SPDX-License-Identifier: MIT
//
// Messages from a low task to a high task that waits for them.
//
// 1990, inter-task message latency: from before the send to after the receive. 1989, datagram
// throughput: the bytes of one message per round, from one send to the next, waiting included.

enum { WORDS = 4 }; // of a message

#include "../shared/message.h"

static const struct bench_task_declaration tasks[] = {
    TASK(receiver, HIGH_PRIORITY),
    TASK(sender, LOW_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {MESSAGE_QUEUE(0)};

const struct bench_scenario bench_scenario = {
    .name = "message", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
