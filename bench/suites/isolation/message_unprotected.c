// SPDX-License-Identifier: MIT
//
// A task sends messages to a task of higher priority; the scenario declares no process. On a kernel
// without isolation it is the comparison for message-across-processes; on an isolating kernel it
// shows the protection that the configuration chooses.

enum { WORDS = 4 }; // of a message

#include "../shared/message.h"
#include "isolation.h"

static const struct bench_task_declaration tasks[] = {
    TASK_OF(FIRST, receiver, HIGH_PRIORITY),
    TASK_OF(FIRST, sender, LOW_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {MESSAGE_QUEUE(BOTH)};

const struct bench_scenario bench_scenario = {
    .name = "message-unprotected", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
