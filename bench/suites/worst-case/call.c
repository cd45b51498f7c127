// SPDX-License-Identifier: MIT
//
// Calls a function of another process and returns, with four words each way.
#include "processes.h"

static const struct bench_gate gate = {0};
static uint32_t words[4];

static void invert(uint32_t called[4]) {
    for (int i = 0; i < 4; i++) {
        called[i] = ~called[i];
    }
}

static void service(void) {
    require_ok(bench_call(gate, words), "a call into another process was refused");
}

static void undo(void) {
    for (uint32_t i = 0; i < BENCH_COUNT(words); i++) {
        BENCH_REQUIRE(words[i] == ~i, "call: a result word is wrong");
        words[i] = i;
    }
}

static void sweeper(void) {
    for (uint32_t i = 0; i < BENCH_COUNT(words); i++) {
        words[i] = i;
    }
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {WORST_CASE_OWN_TASKS};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};
static const struct bench_gate_declaration gates[] = {
    {.function = invert, .process = SECOND, .users = 1u << FIRST},
};

const struct bench_scenario bench_scenario = {.name = "call",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_PROCESSES(processes),
                                              BENCH_GATES(gates),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
