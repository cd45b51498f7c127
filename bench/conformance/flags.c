// SPDX-License-Identifier: MIT
//
// `flags`: a wait succeeds when all of its bits are set, and clears those bits and no others; a set
// wakes every task whose bits are now all set, and no other task.
#include "conformance.h"

enum { FIRST = 1u << 0, NEVER_SET = 1u << 1, SECOND = 1u << 5, THIRD = 1u << 23 };

static const struct bench_flags own = {0}, shared = {1};
static volatile unsigned woken_never, woken_both, woken_third;

static void set(struct bench_flags flags, uint32_t bits) {
    REQUIRE_OK(bench_flags_set(flags, bits), "flags: refused to set bits");
}

static void prove_bits(void) {
    REQUIRE_OK(bench_flags_wait_all(own, THIRD, BENCH_NO_WAIT), "flags: initial bits missing");
    REQUIRE_TIMED_OUT(bench_flags_wait_all(own, THIRD, BENCH_NO_WAIT),
                      "flags: a wait did not clear its bits");
    set(own, FIRST);
    REQUIRE_TIMED_OUT(bench_flags_wait_all(own, FIRST | SECOND, BENCH_NO_WAIT),
                      "flags: a wait ended before all its bits were set");
    set(own, SECOND | THIRD);
    REQUIRE_OK(bench_flags_wait_all(own, FIRST | SECOND, BENCH_NO_WAIT),
               "flags: bits that were set are missing");
    REQUIRE_OK(bench_flags_wait_all(own, THIRD, BENCH_NO_WAIT),
               "flags: a wait cleared a bit that it did not wait for");
}

static void await(uint32_t bits, volatile unsigned *woken) {
    for (;;) {
        REQUIRE_OK(bench_flags_wait_all(shared, bits, BENCH_FOREVER),
                   "flags: a wait without timeout failed");
        (*woken)++;
    }
}

static void for_both(void) {
    await(FIRST | SECOND, &woken_both);
}

static void for_third(void) {
    await(THIRD, &woken_third);
}

static void for_never(void) {
    await(NEVER_SET, &woken_never);
}

static void prove_waking(void) {
    set(shared, FIRST);
    BENCH_REQUIRE(woken_both == 0, "flags: a task was woken before all its bits were set");
    set(shared, SECOND);
    BENCH_REQUIRE(woken_both == 1, "flags: a higher waiter did not pre-empt");
    BENCH_REQUIRE(woken_third == 0 && woken_never == 0,
                  "flags: woke a task whose bits were not set");
    set(shared, FIRST | SECOND | THIRD);
    BENCH_REQUIRE(woken_both == 2 && woken_third == 1, "flags: one set did not wake two tasks");
    BENCH_REQUIRE(woken_never == 0, "flags: woke a task whose bits were not set");
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_bits();
    prove_waking();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(for_both, 5, BENCH_READY),
    TASK(for_third, 6, BENCH_READY),
    TASK(for_never, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_flags_declaration flags[] = {{.initial = THIRD}, {.initial = 0}};

const struct bench_scenario bench_scenario = {
    .name = "flags", BENCH_TASKS(tasks), BENCH_FLAGS(flags)};
