// SPDX-License-Identifier: MIT
//
// `timer`: a timer gives its semaphore after its ticks, once or in every period; started again, it
// begins again; stopped, it gives nothing.
#include "../conformance.h"

enum { ONCE, PERIODIC, TICKS = 4, LATE_TICKS = 1 };

static const struct bench_timer once = {ONCE}, periodic = {PERIODIC};
static const struct bench_semaphore after_once = {ONCE}, after_period = {PERIODIC};

static void require_given(struct bench_semaphore semaphore, uint32_t start, uint32_t ticks) {
    REQUIRE_OK(bench_semaphore_take(semaphore, 2 * TICKS), "timer: it is not due");
    const uint32_t waited = bench_ticks() - start;
    BENCH_REQUIRE(waited >= ticks, "timer: due too early");
    BENCH_REQUIRE(waited <= ticks + LATE_TICKS, "timer: due too late");
}

static void prove_once(void) {
    const uint32_t start = bench_ticks();
    REQUIRE_OK(bench_timer_start(once), "timer: could not be started");
    require_given(after_once, start, TICKS);
    bench_task_delay(2 * TICKS);
    REQUIRE_TIMED_OUT(bench_semaphore_take(after_once, BENCH_NO_WAIT), "timer: due twice");
}

static void prove_start_again(void) {
    REQUIRE_OK(bench_timer_start(once), "timer: could not be started");
    bench_task_delay(TICKS / 2);
    const uint32_t start = bench_ticks();
    REQUIRE_OK(bench_timer_start(once), "timer: could not be started again");
    require_given(after_once, start, TICKS);
}

static void prove_stop(struct bench_timer timer, struct bench_semaphore semaphore) {
    REQUIRE_OK(bench_timer_stop(timer), "timer: could not be stopped");
    bench_task_delay(2 * TICKS);
    REQUIRE_TIMED_OUT(bench_semaphore_take(semaphore, BENCH_NO_WAIT), "timer: due after a stop");
}

static void prover(void) {
    BENCH_MARK("begin");
    bench_task_delay(1);
    prove_once();
    prove_start_again();
    REQUIRE_OK(bench_timer_start(once), "timer: could not be started");
    prove_stop(once, after_once);
    const uint32_t start = bench_ticks();
    REQUIRE_OK(bench_timer_start(periodic), "timer: could not be started");
    require_given(after_period, start, TICKS);
    require_given(after_period, start, 2 * TICKS);
    prove_stop(periodic, after_period);
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_semaphore_declaration semaphores[] = {
    [ONCE] = {.initial = 0, .maximum = 1},
    [PERIODIC] = {.initial = 0, .maximum = 1},
};

static const struct bench_timer_declaration timers[] = {
    [ONCE] = {.ticks = TICKS, .semaphore = ONCE},
    [PERIODIC] = {.ticks = TICKS, .periodic = 1, .semaphore = PERIODIC},
};

const struct bench_scenario bench_scenario = {
    .name = "timer", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores), BENCH_TIMERS(timers)};
