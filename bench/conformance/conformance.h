// SPDX-License-Identifier: MIT
//
// Shared by all conformance scenarios. Each scenario proves the obligations that bench/port.h puts
// on one service. It ends with bench_finish, or fails and names the broken obligation. Nothing is
// measured.
//
// The marks "begin" and "proved" enclose the interval in which suite.toml's expectations hold.
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <bench/mark.h>
#include <bench/port.h>

enum { CONFORMANCE_STACK_BYTES = 512 };

#define TASK(...) TASK_ON(0, __VA_ARGS__)
#define TASK_ON(task_node, task_entry, task_priority, state) \
    {                                                        \
        .name = #task_entry,                                 \
        .entry = (task_entry),                               \
        .stack_bytes = CONFORMANCE_STACK_BYTES,              \
        .priority = (task_priority),                         \
        .initially = (state),                                \
        .node = (task_node),                                 \
    }

#define REQUIRE_OK(call, reason) BENCH_REQUIRE((call) == BENCH_OK, reason)
#define REQUIRE_TIMED_OUT(call, reason) BENCH_REQUIRE((call) == BENCH_TIMED_OUT, reason)

static inline _Noreturn void proved(void) {
    BENCH_MARK("proved");
    bench_finish();
}

#endif
