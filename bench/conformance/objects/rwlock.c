// SPDX-License-Identifier: MIT
//
// `rwlock`: readers share the lock, a writer excludes all, and a waiting writer runs when the last
// reader leaves.
#include "../conformance.h"

static const struct bench_rwlock lock = {0};
static volatile bool may_write, wrote;

static void writer(void) {
    while (!may_write) {
        bench_task_delay(1);
    }
    REQUIRE_OK(bench_rwlock_lock_write(lock, BENCH_FOREVER), "rwlock: a wait to write failed");
    wrote = true;
    REQUIRE_OK(bench_rwlock_unlock_write(lock), "rwlock: the writer could not unlock");
    for (;;) {
        bench_task_delay(1000);
    }
}

static void prove_exclusion(void) {
    REQUIRE_OK(bench_rwlock_lock_read(lock, BENCH_NO_WAIT), "rwlock: free, and not to be read");
    REQUIRE_OK(bench_rwlock_lock_read(lock, BENCH_NO_WAIT), "rwlock: two readers excluded");
    REQUIRE_TIMED_OUT(bench_rwlock_lock_write(lock, BENCH_NO_WAIT), "rwlock: written while read");
    REQUIRE_OK(bench_rwlock_unlock_read(lock), "rwlock: a reader could not unlock");
    REQUIRE_TIMED_OUT(bench_rwlock_lock_write(lock, 1), "rwlock: written while one still reads");
    REQUIRE_OK(bench_rwlock_unlock_read(lock), "rwlock: the last reader could not unlock");
    REQUIRE_OK(bench_rwlock_lock_write(lock, BENCH_NO_WAIT), "rwlock: free, and not to be written");
    REQUIRE_TIMED_OUT(bench_rwlock_lock_read(lock, BENCH_NO_WAIT), "rwlock: read while written");
    REQUIRE_OK(bench_rwlock_unlock_write(lock), "rwlock: the writer could not unlock");
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_exclusion();
    REQUIRE_OK(bench_rwlock_lock_read(lock, BENCH_FOREVER), "rwlock: free, and not to be read");
    may_write = true;
    bench_task_delay(3);
    BENCH_REQUIRE(!wrote, "rwlock: a task wrote while another read");
    REQUIRE_OK(bench_rwlock_unlock_read(lock), "rwlock: the last reader could not unlock");
    BENCH_REQUIRE(wrote, "rwlock: a waiting writer did not run after the last reader");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(writer, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_rwlock_declaration rwlocks[] = {{0}};

const struct bench_scenario bench_scenario = {
    .name = "rwlock", BENCH_TASKS(tasks), BENCH_RWLOCKS(rwlocks)};
