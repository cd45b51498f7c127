// SPDX-License-Identifier: MIT
//
// A low task requests an interrupt, which gives a semaphore that a high task waits for.
//
// Each including file declares the interrupt.
#ifndef INTERRUPT_TO_TASK_H
#define INTERRUPT_TO_TASK_H

#include "fpu.h"

enum { HIGH, LOW, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_semaphore semaphore = {0};

static volatile uint32_t requested, served;

static void high(void) {
    float kept = HIGH;
    for (;;) {
        kept = compute(kept, HIGH);
        const enum bench_status status = bench_semaphore_take(semaphore, BENCH_FOREVER);
        BENCH_MARK("task");
        BENCH_REQUIRE(status == BENCH_OK, "a take without timeout failed");
        served++;
        BENCH_REQUIRE(served == requested, "a task was woken before its interrupt");
    }
}

static void low(void) {
    float kept = LOW;
    for (;;) {
        kept = compute(kept, LOW);
        requested++;
        BENCH_MARK("request");
        bench_interrupt_trigger((struct bench_interrupt){0});
        BENCH_REQUIRE(served == requested,
                      "interrupt: not taken, or the task it woke did not pre-empt");
    }
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = FPU_TASK(high, HIGH_PRIORITY),
    [LOW] = FPU_TASK(low, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

#endif
