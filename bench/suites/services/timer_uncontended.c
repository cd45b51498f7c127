// SPDX-License-Identifier: MIT
//
// A task starts and stops a software timer that is never due, while other timers run. A kernel with
// a task for its timers has done the work when the call returns, because that task is higher.
#include "services.h"

enum { CALLER, TASKS };
enum { NEVER_DUE_TICKS = 1000000 };

static const struct bench_timer timer = {0};

static void caller(void) {
    for (uint32_t other = 1; other < 4; other++) {
        BENCH_REQUIRE(bench_timer_start((struct bench_timer){other}) == BENCH_OK,
                      "timer: could not be started");
    }
    for (;;) {
        BENCH_MARK("start.before");
        const enum bench_status started = bench_timer_start(timer);
        BENCH_MARK("start.after");
        BENCH_REQUIRE(started == BENCH_OK, "timer: could not be started");
        BENCH_MARK("stop.before");
        const enum bench_status stopped = bench_timer_stop(timer);
        BENCH_MARK("stop.after");
        BENCH_REQUIRE(stopped == BENCH_OK, "timer: could not be stopped");
    }
}

static const struct bench_task_declaration tasks[] = {[CALLER] = TASK(caller, LOW_PRIORITY)};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_timer_declaration timers[] = {
    {.ticks = 2 * NEVER_DUE_TICKS},
    {.ticks = NEVER_DUE_TICKS},
    {.ticks = 3 * NEVER_DUE_TICKS},
    {.ticks = 4 * NEVER_DUE_TICKS},
};

const struct bench_scenario bench_scenario = {.name = "timer-uncontended",
                                              SO_MANY(tasks, TASKS),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_TIMERS(timers)};
