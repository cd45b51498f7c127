// SPDX-License-Identifier: MIT
//
// `flags.timeout`: a wait for a flag that is not set fails after its timeout and not before, and
// clears no flag that is set later.
#include "conformance.h"

enum { FLAG = 1u << 5, TIMEOUT_TICKS = 2 };

static const struct bench_flags flags = {0};

static void prover(void) {
    BENCH_MARK("begin");
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_flags_wait_all(flags, FLAG, TIMEOUT_TICKS),
                      "flags: a wait ended before its bit was set");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "flags: timed out too early");
    REQUIRE_OK(bench_flags_set(flags, FLAG), "flags: refused to set bits");
    REQUIRE_OK(bench_flags_wait_all(flags, FLAG, TIMEOUT_TICKS),
               "flags: bits that were set are missing");
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_flags_declaration declared[] = {{.initial = 0}};

const struct bench_scenario bench_scenario = {
    .name = "flags-timeout", BENCH_TASKS(tasks), BENCH_FLAGS(declared)};
