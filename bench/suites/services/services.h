// SPDX-License-Identifier: MIT
//
// What the scenarios of this suite share: the crowds of tasks that their parameters ask for.
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

#include "../shared/tasks.h"

// `count` tasks from row `first` on. C knows no empty range: without tasks one row behind the table
// is filled in, `spare`, which SO_MANY leaves out.
#define CROWD(first, count, spare, task_entry, task_priority) \
    [(count) > 0                ? (first)                     \
        : (spare)...(count) > 0 ? (first) + (count) - 1       \
                                : (spare)] = TASK(task_entry, task_priority)
#define SO_MANY(table, count) .tasks = (table), .task_count = (count)

#endif
