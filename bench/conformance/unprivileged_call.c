// SPDX-License-Identifier: MIT
//
// `unprivileged` with `call`: neither the called function nor, after the call, the caller runs
// privileged.
#include "unprivileged.h"

enum { CALLS = 2 };

static const struct bench_gate gate = {0};
static volatile unsigned called;

static void callee(uint32_t words[4]) {
    (void)words;
    require_unprivileged();
    called++;
}

static void prover(void) {
    BENCH_MARK("begin");
    for (unsigned calls = 1; calls <= CALLS; calls++) {
        uint32_t words[4] = {0};
        REQUIRE_OK(bench_call(gate, words), "call: refused");
        BENCH_REQUIRE(called == calls, "call: not made");
        require_unprivileged();
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};
static const struct bench_gate_declaration gates[] = {{.function = callee}};

const struct bench_scenario bench_scenario = {
    .name = "unprivileged-call", BENCH_TASKS(tasks), BENCH_GATES(gates)};
