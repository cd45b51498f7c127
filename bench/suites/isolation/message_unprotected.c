// SPDX-License-Identifier: MIT
//
// No process is declared: on a kernel that isolates nothing, what the message across processes is
// to be compared with; on an isolating one, whatever its configuration makes of it.
#include "../shared/message.h"
#include "isolation.h"

static const struct bench_task_declaration tasks[] = {
    TASK_OF(FIRST, receiver, HIGH_PRIORITY),
    TASK_OF(FIRST, sender, LOW_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {MESSAGE_QUEUE(BOTH)};

const struct bench_scenario bench_scenario = {
    .name = "message-unprotected", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
