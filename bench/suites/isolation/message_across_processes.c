// SPDX-License-Identifier: MIT
//
// A task of one process sends messages to a task of higher priority in another process.

enum { WORDS = 4 }; // of a message

#include "../shared/message.h"
#include "isolation.h"

static const struct bench_task_declaration tasks[] = {
    TASK_OF(SECOND, receiver, HIGH_PRIORITY),
    TASK_OF(FIRST, sender, LOW_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {MESSAGE_QUEUE(BOTH)};

const struct bench_scenario bench_scenario = {.name = "message-across-processes",
                                              BENCH_TASKS(tasks),
                                              BENCH_PROCESSES(processes),
                                              BENCH_QUEUES(queues)};
