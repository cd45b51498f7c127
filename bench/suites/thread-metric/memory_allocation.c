// SPDX-License-Identifier: MIT
//
// Thread-Metric 8: one thread allocates and frees a block of 128 bytes with the kernel's own
// allocator.
#include "thread_metric.h"

enum { BLOCKS = 4, BLOCK_BYTES = 128 };

static volatile unsigned long counter;

static unsigned char *verify_allocated(int index) {
    unsigned char *block = NULL;
    BENCH_REQUIRE(tm_memory_pool_allocate(0, &block) == TM_SUCCESS && block != NULL,
                  "a pool with free blocks gave none");
    BENCH_REQUIRE((uintptr_t)block % TM_BLOCK_ALIGNMENT == 0, "a block is not aligned to 8 bytes");
    for (int i = 0; i < BLOCK_BYTES; i++) {
        block[i] = (unsigned char)(index + 1);
    }
    return block;
}

static void verify_intact(const unsigned char *block, int index) {
    for (int i = 0; i < BLOCK_BYTES; i++) {
        BENCH_REQUIRE(block[i] == index + 1,
                      "same block twice: two allocated blocks share their memory");
    }
}

static void verify_round(void) {
    unsigned char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = verify_allocated(i);
    }
    for (int i = 0; i < BLOCKS; i++) {
        verify_intact(blocks[i], i);
    }
    for (int i = 0; i < BLOCKS; i++) {
        BENCH_REQUIRE(tm_memory_pool_deallocate(0, blocks[i]) == TM_SUCCESS,
                      "a block could not be freed");
    }
}

static void thread_0(void) {
    for (int round = 0; round < TM_VERIFY_ROUNDS; round++) {
        verify_round();
    }
    for (;;) {
        unsigned char *block;
        if (tm_memory_pool_allocate(0, &block) != TM_SUCCESS ||
            tm_memory_pool_deallocate(0, block) != TM_SUCCESS) {
            break;
        }
        BENCH_MARK("iteration.0");
        counter++;
    }
    bench_fail("a pool with free blocks gave none, or took none back");
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
};

static const struct bench_pool_declaration pools[] = {
    {.blocks = BLOCKS, .block_bytes = BLOCK_BYTES},
};

const struct bench_scenario bench_scenario = {
    .name = "memory-allocation", BENCH_TASKS(threads), BENCH_POOLS(pools)};
