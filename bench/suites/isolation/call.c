// SPDX-License-Identifier: MIT
//
// A call into another process and back, with four words each way.
#include "isolation.h"

static const struct bench_gate gate = {0};

static void invert(uint32_t words[4]) {
    BENCH_MARK("callee");
    for (int i = 0; i < 4; i++) {
        words[i] = ~words[i];
    }
}

static void caller(void) {
    for (uint32_t number = 0;; number += 4) {
        uint32_t words[4] = {number, number + 1, number + 2, number + 3};
        BENCH_MARK("call.before");
        const enum bench_status status = bench_call(gate, words);
        BENCH_MARK("call.after");
        BENCH_REQUIRE(status == BENCH_OK, "call: refused");
        for (uint32_t i = 0; i < 4; i++) {
            BENCH_REQUIRE(words[i] == ~(number + i), "call: a result word is wrong");
        }
    }
}

static const struct bench_task_declaration tasks[] = {TASK_OF(FIRST, caller, LOW_PRIORITY)};

static const struct bench_gate_declaration gates[] = {
    {.function = invert, .process = SECOND, .users = BOTH},
};

const struct bench_scenario bench_scenario = {
    .name = "call", BENCH_TASKS(tasks), BENCH_PROCESSES(processes), BENCH_GATES(gates)};
