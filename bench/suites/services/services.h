// SPDX-License-Identifier: MIT
//
// Shared by the scenarios of this suite: the groups of tasks that their parameters define.
//
// A parameter is a macro: PARAM_ and its name in capitals (suite.toml, `params`):
//   fpu      unused, or used by both tasks of a switch (fpu.h)
//   ready    number of tasks of the lowest priority that are always ready and never run
//   waiters  number of tasks that wait for the object
//   tasks    number of ready tasks of the caller's priority, besides the caller
//   sleepers number of tasks that sleep
//
// The tasks that wait for one object share one priority and one entry. A woken task waits again
// after the others, so every sample has the same number of waiters.
#ifndef SERVICES_H
#define SERVICES_H

#include "../shared/tasks.h"

// Declares `count` tasks from row `first` on. C's designated initialisers have no empty range: if
// `count` is 0, the macro fills row `spare`, after the rows that SO_MANY counts.
#define CROWD(first, count, spare, task_entry, task_priority) \
    [(count) > 0                ? (first)                     \
        : (spare)...(count) > 0 ? (first) + (count) - 1       \
                                : (spare)] = TASK(task_entry, task_priority)
#define SO_MANY(table, count) .tasks = (table), .task_count = (count)

#endif
