// SPDX-License-Identifier: MIT
//
// A task sends a message of WORDS words to a higher task, which receives it and waits for the next.
#ifndef DHRYSTONE_MESSAGE_PASSING_H
#define DHRYSTONE_MESSAGE_PASSING_H

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

#endif
