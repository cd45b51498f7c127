// SPDX-License-Identifier: MIT
//
// Messages of WORDS words from a low task to a high task that waits for them.
#ifndef RHEALSTONE_MESSAGE_H
#define RHEALSTONE_MESSAGE_H

#include "../shared/message.h"

static const struct bench_task_declaration tasks[] = {
    TASK(receiver, HIGH_PRIORITY),
    TASK(sender, LOW_PRIORITY),
};

static const struct bench_queue_declaration queues[] = {MESSAGE_QUEUE(0)};

#endif
