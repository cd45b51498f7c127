// SPDX-License-Identifier: MIT
//
// `pool`: over 100 000 operations, no block belongs to two tasks and no block is lost.
#include "endurance.h"

enum { BLOCKS = 3 }; // two for the prover, one for the interferer

static const struct bench_pool pool = {0};

static volatile uint32_t *allocate(uint32_t pattern) {
    void *block = NULL;
    REQUIRE_OK(bench_pool_allocate(pool, &block), "pool: a block was lost");
    BENCH_REQUIRE(block != NULL, "pool: a block was lost");
    *(volatile uint32_t *)block = pattern;
    return block;
}

static void release(volatile uint32_t *block, uint32_t pattern) {
    BENCH_REQUIRE(*block == pattern, "pool: two allocated blocks share memory");
    REQUIRE_OK(bench_pool_free(pool, (void *)block), "pool: a block could not be freed");
}

// Keeps one block until the next round, so that the pool is never completely free.
static void do_round(uint32_t round) {
    static volatile uint32_t *kept;
    static uint32_t kept_pattern;
    volatile uint32_t *const block = allocate(round);
    if (kept) {
        release(kept, kept_pattern);
    }
    kept = block;
    kept_pattern = round;
}

static void interfere(void) {
    release(allocate(~interferences), ~interferences);
}

static void require_nothing_lost(void) {
    volatile uint32_t *const block = allocate(ROUNDS);
    release(block, ROUNDS);
}

static const struct bench_task_declaration tasks[] = {ENDURING_TASKS};

static const struct bench_pool_declaration pools[] = {{.blocks = BLOCKS, .block_bytes = 32}};

const struct bench_scenario bench_scenario = {
    .name = "pool-endurance", BENCH_TASKS(tasks), BENCH_POOLS(pools)};
