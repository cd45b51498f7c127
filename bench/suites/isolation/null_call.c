// SPDX-License-Identifier: MIT
//
// A call that enters the kernel and does nothing: the minimum cost of a system call.
#include "isolation.h"

static void caller(void) {
    for (;;) {
        BENCH_MARK("call.before");
        const enum bench_status status = bench_null_call();
        BENCH_MARK("call.after");
        BENCH_REQUIRE(status == BENCH_OK, "null-call: refused");
    }
}

static const struct bench_task_declaration tasks[] = {TASK_OF(FIRST, caller, LOW_PRIORITY)};

const struct bench_scenario bench_scenario = {.name = "null-call", BENCH_TASKS(tasks)};
