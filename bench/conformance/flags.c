// SPDX-License-Identifier: MIT
//
// `flags`: a wait for all is neither early nor late, clears what it waited for and no more, and a
// waiting higher task pre-empts.
#include "conformance.h"

enum { TIMEOUT_TICKS = 2 };

static const struct bench_flags plain = {0}, waited = {1};
static volatile unsigned woken;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_flags_wait_all(waited, 0x6, BENCH_FOREVER),
                   "flags: waiting for ever ended");
        woken++;
    }
}

static void prove_flags(void) {
    REQUIRE_OK(bench_flags_wait_all(plain, 0x8, BENCH_NO_WAIT), "flags: initial flag missing");
    REQUIRE_TIMED_OUT(bench_flags_wait_all(plain, 0x8, BENCH_NO_WAIT), "flags: not cleared");
    REQUIRE_OK(bench_flags_set(plain, 0x5), "flags: refused");
    REQUIRE_TIMED_OUT(bench_flags_wait_all(plain, 0x3, BENCH_NO_WAIT), "flags: one for all");
    REQUIRE_OK(bench_flags_wait_all(plain, 0x1, BENCH_NO_WAIT), "flags: one is lost");
    REQUIRE_OK(bench_flags_wait_all(plain, 0x4, BENCH_NO_WAIT), "flags: one too many cleared");
}

static void prove_timeout(void) {
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_flags_wait_all(plain, 0x1, TIMEOUT_TICKS),
                      "flags: a timed wait for nothing succeeded");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "flags: timed out too early");
}

static void prove_waking(void) {
    REQUIRE_OK(bench_flags_set(waited, 0x2), "flags: refused");
    BENCH_REQUIRE(woken == 0, "flags: one woke who waits for two");
    REQUIRE_OK(bench_flags_set(waited, 0x5), "flags: refused");
    BENCH_REQUIRE(woken == 1, "flags: a higher waiter did not pre-empt");
    REQUIRE_OK(bench_flags_wait_all(waited, 0x1, BENCH_NO_WAIT), "flags: a waiter took another's");
    REQUIRE_TIMED_OUT(bench_flags_wait_all(waited, 0x2, BENCH_NO_WAIT), "flags: not cleared");
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_flags();
    prove_timeout();
    prove_waking();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(waiter, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_flags_declaration flags[] = {{.initial = 0x8}, {.initial = 0}};

const struct bench_scenario bench_scenario = {
    .name = "flags", BENCH_TASKS(tasks), BENCH_FLAGS(flags)};
