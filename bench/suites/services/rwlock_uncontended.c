// SPDX-License-Identifier: MIT
//
// One task reads and writes under a read-write lock that no other task uses.
#include "services.h"

enum { CALLER, TASKS };

static const struct bench_rwlock lock = {0};

static void caller(void) {
    for (;;) {
        BENCH_MARK("lock-read.before");
        const enum bench_status reads = bench_rwlock_lock_read(lock, BENCH_FOREVER);
        BENCH_MARK("lock-read.after");
        BENCH_REQUIRE(reads == BENCH_OK, "rwlock: free, and not to be read");
        BENCH_MARK("unlock-read.before");
        const enum bench_status has_read = bench_rwlock_unlock_read(lock);
        BENCH_MARK("unlock-read.after");
        BENCH_REQUIRE(has_read == BENCH_OK, "rwlock: a reader could not unlock");
        BENCH_MARK("lock-write.before");
        const enum bench_status writes = bench_rwlock_lock_write(lock, BENCH_FOREVER);
        BENCH_MARK("lock-write.after");
        BENCH_REQUIRE(writes == BENCH_OK, "rwlock: free, and not to be written");
        BENCH_MARK("unlock-write.before");
        const enum bench_status has_written = bench_rwlock_unlock_write(lock);
        BENCH_MARK("unlock-write.after");
        BENCH_REQUIRE(has_written == BENCH_OK, "rwlock: the writer could not unlock");
    }
}

static const struct bench_task_declaration tasks[] = {[CALLER] = TASK(caller, LOW_PRIORITY)};

static const struct bench_rwlock_declaration rwlocks[] = {{0}};

const struct bench_scenario bench_scenario = {
    .name = "rwlock-uncontended", SO_MANY(tasks, TASKS), BENCH_RWLOCKS(rwlocks)};
