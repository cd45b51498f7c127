// SPDX-License-Identifier: MIT
//
// What the six components share. Where Kar and Porter leave open by which service a task waits, it
// is a semaphore, which every kernel has.
#ifndef RHEALSTONE_H
#define RHEALSTONE_H

#include <bench/mark.h>
#include <bench/port.h>

enum { STACK_BYTES = 512 };
enum { HIGH_PRIORITY = 5, MIDDLE_PRIORITY = 8, LOW_PRIORITY = 10 };

#define TASK(task_entry, task_priority) \
    {.name = #task_entry,               \
     .entry = (task_entry),             \
     .stack_bytes = STACK_BYTES,        \
     .priority = (task_priority)}

#define REQUIRE_OK(call, reason) BENCH_REQUIRE((call) == BENCH_OK, reason)

#endif
