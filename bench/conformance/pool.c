// SPDX-License-Identifier: MIT
//
// `pool`: provides as many blocks as declared, each aligned to 8 and without overlap, and provides
// them again after they are freed.
#include "conformance.h"

enum { BLOCKS = 5, BLOCK_WORDS = 6, ROUNDS = 3 };

static const struct bench_pool pool = {0};

static uint32_t *allocate(uint32_t pattern) {
    void *block = NULL;
    REQUIRE_OK(bench_pool_allocate(pool, &block), "pool: fewer blocks than declared");
    BENCH_REQUIRE(block != NULL && (uintptr_t)block % 8 == 0, "pool: a block not aligned to 8");
    for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
        ((uint32_t *)block)[i] = pattern + i;
    }
    return block;
}

static void require_intact(const uint32_t *block, uint32_t pattern) {
    for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
        BENCH_REQUIRE(block[i] == pattern + i, "pool: two allocated blocks share memory");
    }
}

static void prove_round(void) {
    uint32_t *blocks[BLOCKS];
    for (uint32_t i = 0; i < BLOCKS; i++) {
        blocks[i] = allocate(i << 16);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        require_intact(blocks[i], i << 16);
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        REQUIRE_OK(bench_pool_free(pool, blocks[i]), "pool: a block could not be freed");
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    for (int round = 0; round < ROUNDS; round++) {
        prove_round();
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_pool_declaration pools[] = {
    {.blocks = BLOCKS, .block_bytes = BLOCK_WORDS * sizeof(uint32_t)},
};

const struct bench_scenario bench_scenario = {
    .name = "pool", BENCH_TASKS(tasks), BENCH_POOLS(pools)};
