// SPDX-License-Identifier: MIT
//
// `call`: passes four words each way unchanged and runs the gate's function at its caller's
// priority, whether that is high or low.
#include "conformance.h"

enum { CALLS = 1000 };

static const struct bench_gate gate = {0};
static const struct bench_semaphore start_lower = {0}, start_middle = {1};
static volatile unsigned middle_ran, called;

// Readies `middle`, whose priority is between those of the two callers.
static void callee(uint32_t words[4]) {
    const unsigned before = called++;
    REQUIRE_OK(bench_semaphore_give(start_middle), "call: the callee was refused a service");
    BENCH_REQUIRE(words[0] == before, "call: the first argument word is wrong");
    for (uint32_t i = 1; i < 4; i++) {
        BENCH_REQUIRE(words[i] == words[0] + i, "call: an argument word is wrong");
    }
    for (uint32_t i = 0; i < 4; i++) {
        words[i] = ~words[i];
    }
}

static void call(uint32_t number) {
    uint32_t words[4] = {number, number + 1, number + 2, number + 3};
    REQUIRE_OK(bench_call(gate, words), "call: refused");
    for (uint32_t i = 0; i < 4; i++) {
        BENCH_REQUIRE(words[i] == ~(number + i), "call: a result word is wrong");
    }
}

static void middle(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(start_middle, BENCH_FOREVER), "semaphore: refused");
        middle_ran++;
    }
}

// The gate's function runs at this caller's low priority, so `middle` pre-empts the function.
static void lower(void) {
    REQUIRE_OK(bench_semaphore_take(start_lower, BENCH_FOREVER), "semaphore: refused");
    const unsigned before = middle_ran;
    call(CALLS);
    BENCH_REQUIRE(middle_ran == before + 1, "call: the callee ran above its caller's priority");
    proved();
}

static void higher(void) {
    BENCH_MARK("begin");
    for (uint32_t number = 0; number < CALLS; number++) {
        call(number);
    }
    BENCH_REQUIRE(middle_ran == 0, "call: the callee ran below its caller's priority");
    REQUIRE_OK(bench_semaphore_give(start_lower), "semaphore: refused");
    for (;;) {
        bench_task_delay(BENCH_FOREVER);
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(higher, 5, BENCH_READY),
    TASK(middle, 10, BENCH_READY),
    TASK(lower, 15, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1},
    {.initial = 0, .maximum = CALLS + 1},
};

static const struct bench_gate_declaration gates[] = {{.function = callee}};

const struct bench_scenario bench_scenario = {
    .name = "call", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores), BENCH_GATES(gates)};
