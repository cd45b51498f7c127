// SPDX-License-Identifier: MIT
//
// `heap`: blocks of different sizes lie apart from each other, and freed memory is allocated again.
#include "../conformance.h"

enum { BLOCKS = 6, ROUNDS = 200, BYTES = 24 + 100 + 8 + 260 + 16 + 40 };

static const struct bench_heap heap = {0};
static const uint32_t sizes[BLOCKS] = {24, 100, 8, 260, 16, 40};
static uint8_t *blocks[BLOCKS];

static void allocate(uint32_t i) {
    void *block = NULL;
    REQUIRE_OK(bench_heap_allocate(heap, sizes[i], &block), "heap: refused what is declared");
    BENCH_REQUIRE(block != NULL && (uintptr_t)block % 8 == 0, "heap: a block is not aligned to 8");
    blocks[i] = block;
    for (uint32_t at = 0; at < sizes[i]; at++) {
        blocks[i][at] = (uint8_t)(0x11u * i + at);
    }
}

static void release(uint32_t i) {
    for (uint32_t at = 0; at < sizes[i]; at++) {
        BENCH_REQUIRE(blocks[i][at] == (uint8_t)(0x11u * i + at), "heap: two blocks overlap");
    }
    REQUIRE_OK(bench_heap_free(heap, blocks[i]), "heap: a block could not be returned");
}

static void prover(void) {
    BENCH_MARK("begin");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < BLOCKS; i++) {
            allocate(i);
        }
        release(1);
        release(3);
        allocate(3);
        allocate(1);
        for (uint32_t i = 0; i < BLOCKS; i++) {
            release((i + round) % BLOCKS); // in another order each time
        }
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_heap_declaration heaps[] = {{.bytes = BYTES}};

const struct bench_scenario bench_scenario = {
    .name = "heap", BENCH_TASKS(tasks), BENCH_HEAPS(heaps)};
