// SPDX-License-Identifier: MIT
//
// Deadlock break: a high task needs a resource that a low task holds, while a middle task has
// pre-empted the low one. The kernel resolves the conflict: the low task inherits the high task's
// priority. The spans are the kernel's time: from the request to the low task's next instruction,
// and from the release to the grant.
#include "../shared/tasks.h"

static const struct bench_mutex resource = {0};
static const struct bench_semaphore start_high = {0}, start_middle = {1};
static volatile uint32_t requested, granted;
static volatile int middle_done;

static void high(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(start_high, BENCH_FOREVER),
                   "a take without timeout failed");
        requested++;
        BENCH_MARK("request");
        const enum bench_status status = bench_mutex_lock(resource, BENCH_FOREVER);
        BENCH_MARK("granted");
        BENCH_REQUIRE(status == BENCH_OK, "a lock without timeout failed");
        BENCH_REQUIRE(!middle_done, "a middle task ran before a higher one got its resource");
        granted++;
        REQUIRE_OK(bench_mutex_unlock(resource), "mutex: the owner could not unlock");
    }
}

// Starts the high task while the low task cannot run.
static void middle(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(start_middle, BENCH_FOREVER),
                   "a take without timeout failed");
        REQUIRE_OK(bench_semaphore_give(start_high), "a semaphore at 0 could not be given");
        middle_done = 1;
    }
}

static void low(void) {
    for (;;) {
        middle_done = 0;
        REQUIRE_OK(bench_mutex_lock(resource, BENCH_FOREVER),
                   "mutex: a free mutex could not be locked");
        const enum bench_status started = bench_semaphore_give(start_middle);
        BENCH_MARK("owner.runs");
        BENCH_REQUIRE(started == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(requested == granted + 1, "mutex: a second task locked it");
        BENCH_REQUIRE(!middle_done, "a middle task ran before a higher one got its resource");
        BENCH_MARK("release");
        const enum bench_status released = bench_mutex_unlock(resource);
        BENCH_REQUIRE(released == BENCH_OK, "mutex: the owner could not unlock");
        BENCH_REQUIRE(granted == requested, "the higher task that was woken did not run at once");
        BENCH_REQUIRE(middle_done, "the middle task did not run when the resource was free");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(middle, MIDDLE_PRIORITY),
    TASK(low, LOW_PRIORITY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1},
    {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {.name = "deadlock-break",
                                              BENCH_TASKS(tasks),
                                              BENCH_MUTEXES(mutexes),
                                              BENCH_SEMAPHORES(semaphores)};
