// SPDX-License-Identifier: MIT
//
// `pool`: provides blocks of 128 bytes without overlap, and provides them again after they are
// freed.
#include "tm_conformance.h"

enum { BLOCKS = 4, BLOCK_BYTES = 128, ROUNDS = 8 };

static unsigned char *allocate(int pattern) {
    unsigned char *block = NULL;
    REQUIRE_SUCCESS(tm_memory_pool_allocate(0, &block), "pool: fewer than 4 blocks");
    BENCH_REQUIRE(block != NULL, "pool: fewer than 4 blocks");
    for (int i = 0; i < BLOCK_BYTES; i++) {
        block[i] = (unsigned char)pattern;
    }
    return block;
}

static void release(unsigned char *block, int pattern) {
    for (int i = 0; i < BLOCK_BYTES; i++) {
        BENCH_REQUIRE(block[i] == pattern, "pool: two allocated blocks share memory");
    }
    REQUIRE_SUCCESS(tm_memory_pool_deallocate(0, block), "pool: a block could not be freed");
}

static void prove_round(void) {
    unsigned char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = allocate(i + 1);
    }
    for (int i = 0; i < BLOCKS; i++) {
        release(blocks[i], i + 1);
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
    {.blocks = BLOCKS, .block_bytes = BLOCK_BYTES},
};

const struct bench_scenario bench_scenario = {
    .name = "tm-pool", BENCH_TASKS(tasks), BENCH_POOLS(pools)};
