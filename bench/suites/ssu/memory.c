// SPDX-License-Identifier: MIT
//
// One task allocates a block and frees it.
#include "../shared/tasks.h"

enum { BLOCK_BYTES = 128 };

static const struct bench_pool pool = {0};

static void caller(void) {
    for (;;) {
        void *block = NULL;
        BENCH_MARK("allocate.before");
        const enum bench_status allocated = bench_pool_allocate(pool, &block);
        BENCH_MARK("allocate.after");
        BENCH_REQUIRE(allocated == BENCH_OK && block != NULL, "a pool with free blocks gave none");
        BENCH_MARK("free.before");
        const enum bench_status freed = bench_pool_free(pool, block);
        BENCH_MARK("free.after");
        BENCH_REQUIRE(freed == BENCH_OK, "a block could not be freed");
    }
}

static const struct bench_task_declaration tasks[] = {TASK(caller, LOW_PRIORITY)};

static const struct bench_pool_declaration pools[] = {{.blocks = 2, .block_bytes = BLOCK_BYTES}};

const struct bench_scenario bench_scenario = {
    .name = "memory", BENCH_TASKS(tasks), BENCH_POOLS(pools)};
