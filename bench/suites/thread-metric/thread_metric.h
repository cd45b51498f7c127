// SPDX-License-Identifier: MIT
//
// Shared by the Thread-Metric scenarios.
//
// The original benchmark has a reporter thread that sleeps for 30 s and then prints the growth of
// the counters. Here a mark beside each counter reports every increment to the observer, and the
// lab computes the 30 s figure from the lengths of the iterations, ticks included. The measured
// work is the same: the reporter sleeps while the counters run, and a sleeping thread costs a
// kernel at most a comparison per tick.
//
// Each scenario first runs verification rounds: the services under test with every check that would
// cost time in the measured loop. The loop keeps the checks of the original benchmark and no
// others.
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
