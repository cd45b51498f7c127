// SPDX-License-Identifier: MIT
//
// One task sets a flag that no task waits for, and waits for it without blocking.
#include "services.h"

enum { FLAG = 1 };

static const struct bench_flags flags = {0};

static void caller(void) {
    for (;;) {
        BENCH_MARK("set.before");
        const enum bench_status set = bench_flags_set(flags, FLAG);
        BENCH_MARK("set.after");
        BENCH_REQUIRE(set == BENCH_OK, "flags: a flag could not be set");
        BENCH_MARK("wait.before");
        const enum bench_status awaited = bench_flags_wait_all(flags, FLAG, BENCH_FOREVER);
        BENCH_MARK("wait.after");
        BENCH_REQUIRE(awaited == BENCH_OK, "flags: a wait for a set flag failed");
    }
}

static const struct bench_task_declaration tasks[] = {TASK(caller, LOW_PRIORITY)};

static const struct bench_flags_declaration declared_flags[] = {{.initial = 0}};

const struct bench_scenario bench_scenario = {
    .name = "flags-uncontended", BENCH_TASKS(tasks), BENCH_FLAGS(declared_flags)};
