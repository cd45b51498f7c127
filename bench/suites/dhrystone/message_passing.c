// SPDX-License-Identifier: MIT
//
// A task sends a message of 16 bytes to a higher task, which receives it and waits for the next.

enum { WORDS = 4 }; // of a message

#include "../shared/message.h"
#include "background.h"

static void user(void) {
    use_at_each_tick(send_message, USES);
}

static const struct bench_task_declaration tasks[] = {
    TASK(receiver, HIGH_PRIORITY),
    TASK(user, LOW_PRIORITY),
    DHRYSTONE,
};

static const struct bench_queue_declaration queues[] = {MESSAGE_QUEUE(0)};

const struct bench_scenario bench_scenario = {
    .name = "message-passing", BENCH_TASKS(tasks), BENCH_QUEUES(queues)};
