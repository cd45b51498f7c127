// SPDX-License-Identifier: MIT
//
// A task allocates a block of 128 bytes and frees it.
#include "background.h"

enum { BLOCK_BYTES = 128 };

static const struct bench_pool pool = {0};

static void allocate_and_free(void) {
    void *block = NULL;
    REQUIRE_OK(bench_pool_allocate(pool, &block), "a pool with free blocks gave none");
    BENCH_REQUIRE(block != NULL, "a pool with free blocks gave none");
    REQUIRE_OK(bench_pool_free(pool, block), "a block could not be freed");
}

static void user(void) {
    use_at_each_tick(allocate_and_free, USES);
}

static const struct bench_task_declaration tasks[] = {TASK(user, LOW_PRIORITY), DHRYSTONE};

static const struct bench_pool_declaration pools[] = {{.blocks = 2, .block_bytes = BLOCK_BYTES}};

const struct bench_scenario bench_scenario = {
    .name = "memory-allocation", BENCH_TASKS(tasks), BENCH_POOLS(pools)};
