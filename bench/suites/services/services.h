// SPDX-License-Identifier: MIT
//
// What the scenarios of this suite share: tasks, the crowds that their parameters ask for, and how
// a service must answer.
//
// Parameters are macros, PARAM_ and the name in capitals (suite.toml, `params`):
//   fpu      unused, or used by both tasks of a switch (fpu.h)
//   ready    tasks of the lowest priority that are ready all the time, and never run
//   waiters  tasks that wait for the object
//   tasks    ready tasks of the caller's priority, besides the caller
//   sleepers tasks that sleep
//
// Tasks that wait for one object have one priority and one entry: the one that is woken waits again
// behind the others, so that every sample meets as many of them.
#ifndef SERVICES_H
#define SERVICES_H

#include <bench/mark.h>
#include <bench/port.h>

enum { STACK_BYTES = 512 };
enum { HIGH_PRIORITY = 5, LOW_PRIORITY = 10, IDLE_PRIORITY = 20 };

#define TASK(task_entry, task_priority) \
    {.name = #task_entry,               \
     .entry = (task_entry),             \
     .stack_bytes = STACK_BYTES,        \
     .priority = (task_priority)}

// `count` tasks from row `first` on. C knows no empty range: without tasks one row behind the table
// is filled in, `spare`, which SO_MANY leaves out.
#define CROWD(first, count, spare, task_entry, task_priority) \
    [(count) > 0                ? (first)                     \
        : (spare)...(count) > 0 ? (first) + (count) - 1       \
                                : (spare)] = TASK(task_entry, task_priority)
#define SO_MANY(table, count) .tasks = (table), .task_count = (count)

#define REQUIRE_OK(call, reason) BENCH_REQUIRE((call) == BENCH_OK, reason)

// Ready, and never to run: higher tasks are always there.
static inline void stay_ready(void) {
    for (;;) {
    }
}

#endif
