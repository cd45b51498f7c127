// SPDX-License-Identifier: MIT
//
// What the Thread-Metric scenarios share.
//
// The benchmark has a reporter thread that sleeps for 30 s and prints how far the counters came.
// Here a mark beside each counter reports every single increment to the observer, and the lab
// derives the 30 s figure from the lengths, tick included. It is the same test: the reporter is
// asleep while the counters run, and a sleeper costs a kernel at most a comparison on each tick.
//
// Each scenario first takes a verification round: the services under test, with every check that
// would cost time in the measured loop. The loop itself keeps the checks that the benchmark has,
// and no other.
#ifndef THREAD_METRIC_H
#define THREAD_METRIC_H

#include <bench/mark.h>
#include <bench/port.h>
#include <thread_metric/tm_api.h>

enum { TM_VERIFY_ROUNDS = 8 };

// For the scenario's own calls, which nest two deep.
enum { TM_STACK_BYTES = 512 };

#define TM_THREAD(task_entry, task_priority, state) \
    {                                               \
        .name = #task_entry,                        \
        .entry = (task_entry),                      \
        .stack_bytes = TM_STACK_BYTES,              \
        .priority = (task_priority),                \
        .initially = (state),                       \
    }

#endif
