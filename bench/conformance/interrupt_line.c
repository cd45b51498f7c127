// SPDX-License-Identifier: MIT
//
// `interrupt-line`: a device that pends the line of a declared interrupt causes its action exactly
// once, while the interrupted code calls no service.
#include "posting.h"

#include <bench/injection.h>

enum { SOON_INSTRUCTIONS = 200, LONG_AFTER = 10000 };

static void prover(void) {
    bench_injection_bind(bench_interrupt_line((struct bench_interrupt){0}));
    bench_injection_arm(SOON_INSTRUCTIONS);
    BENCH_REQUIRE(woken == 0, "interrupt-line: pended too early");
    for (volatile unsigned i = 0; i < LONG_AFTER; i++) {
    }
    BENCH_REQUIRE(bench_injection_disarm() != 0, "interrupt-line: the device pended nothing");
    BENCH_REQUIRE(woken != 0, "interrupt-line: not taken, or the task it woke did not pre-empt");
    BENCH_REQUIRE(woken == 1, "interrupt-line: taken more than once");
    proved();
}

const struct bench_scenario bench_scenario = POSTING_SCENARIO("interrupt-line");
