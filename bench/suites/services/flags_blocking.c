// SPDX-License-Identifier: MIT
//
// A high task waits for a flag that a low task sets. Other tasks, of the high task's priority, wait
// for another flag of the same object that is never set.
#include "services.h"

enum { LOW, HIGH, FIRST_OTHER, TASKS = FIRST_OTHER + PARAM_WAITERS - 1 };
enum { FLAG = 1, NEVER_SET = 2 };

static const struct bench_flags flags = {0};

static volatile uint32_t set, seen;

static void high(void) {
    for (;;) {
        BENCH_MARK("wait.before");
        const enum bench_status status = bench_flags_wait_all(flags, FLAG, BENCH_FOREVER);
        BENCH_MARK("wait.after");
        BENCH_REQUIRE(status == BENCH_OK, "a wait for a flag without timeout failed");
        seen++;
        BENCH_REQUIRE(seen == set, "a task was woken before its flag was set");
    }
}

static void low(void) {
    for (;;) {
        set++;
        BENCH_MARK("set.before");
        const enum bench_status status = bench_flags_set(flags, FLAG);
        BENCH_MARK("set.after");
        BENCH_REQUIRE(status == BENCH_OK, "flags: a flag could not be set");
        BENCH_REQUIRE(seen == set, "the higher task that was woken did not run at once");
    }
}

static void other(void) {
    REQUIRE_OK(bench_flags_wait_all(flags, NEVER_SET, BENCH_FOREVER),
               "flags: a wait without timeout failed");
    bench_fail("flags: a task was woken whose flag was never set");
}

static const struct bench_task_declaration tasks[] = {
    [LOW] = TASK(low, LOW_PRIORITY),
    [HIGH] = TASK(high, HIGH_PRIORITY),
    CROWD(FIRST_OTHER, PARAM_WAITERS - 1, TASKS, other, HIGH_PRIORITY),
};

static const struct bench_flags_declaration declared_flags[] = {{.initial = 0}};

const struct bench_scenario bench_scenario = {
    .name = "flags-blocking", SO_MANY(tasks, TASKS), BENCH_FLAGS(declared_flags)};
