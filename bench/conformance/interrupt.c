// SPDX-License-Identifier: MIT
//
// `interrupt`: when the trigger returns, the interrupt has been taken and the higher task that its
// action wakes has run. The event log proves that it was an exception (suite.toml: external).
#include "posting.h"

static void prover(void) {
    BENCH_MARK("begin");
    bench_interrupt_trigger((struct bench_interrupt){0});
    BENCH_REQUIRE(woken != 0, "interrupt: not taken, or the task it woke did not pre-empt");
    BENCH_REQUIRE(woken == 1, "interrupt: taken more than once");
    proved();
}

const struct bench_scenario bench_scenario = POSTING_SCENARIO("interrupt");
