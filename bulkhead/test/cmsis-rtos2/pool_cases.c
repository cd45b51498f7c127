// SPDX-License-Identifier: MIT
//
// Tests of memory pools.
#include "cases.h"
#include <string.h>

enum { BLOCKS = 4, BLOCK_BYTES = 12 };

static osMemoryPoolId_t pool;
static void *volatile block;

static void creation(void) {
    static uint32_t memory[8];
    const osMemoryPoolAttr_t small = {.mp_mem = memory, .mp_size = 4};
    const osMemoryPoolAttr_t odd = {.mp_mem = (char *)memory + 1, .mp_size = sizeof memory - 4};
    const osMemoryPoolAttr_t no_memory = {.mp_size = 4};
    const osMemoryPoolAttr_t own = {.name = "pool", .mp_mem = memory, .mp_size = sizeof memory};
    CHECK(osMemoryPoolNew(0, 4, NULL) == NULL && osMemoryPoolNew(1, 0, NULL) == NULL);
    CHECK(osMemoryPoolNew(BLOCKS + 1, BLOCK_BYTES, NULL) == NULL); // more than is declared
    CHECK(osMemoryPoolNew(0x10000, 0x10000, NULL) == NULL);
    CHECK(osMemoryPoolNew(2, 8, &small) == NULL && osMemoryPoolNew(2, 8, &odd) == NULL);
    CHECK(osMemoryPoolNew(2, 8, &no_memory) == NULL);
    pool = osMemoryPoolNew(2, 16, &own);
    block = osMemoryPoolAlloc(pool, 0);
    CHECK(pool != NULL && block == memory && strcmp(osMemoryPoolGetName(pool), "pool") == 0);
    CHECK(osMemoryPoolNew(1, 4, NULL) == NULL); // one is declared
    CHECK(osMemoryPoolDelete(pool) == osOK && osMemoryPoolDelete(pool) == osErrorParameter);
    CHECK(osMemoryPoolGetName(pool) == NULL && osMemoryPoolDelete(NULL) == osErrorParameter);
}

static void allocation(void) {
    void *blocks[BLOCKS];
    pool = osMemoryPoolNew(BLOCKS, BLOCK_BYTES - 1, NULL);
    CHECK(osMemoryPoolGetCapacity(pool) == BLOCKS && osMemoryPoolGetBlockSize(pool) == BLOCK_BYTES);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(osMemoryPoolGetCount(pool) == i && osMemoryPoolGetSpace(pool) == BLOCKS - i);
        blocks[i] = osMemoryPoolAlloc(pool, 0);
        CHECK(blocks[i] != NULL && (i == 0 || blocks[i] != blocks[i - 1]));
        memset(blocks[i], 0xff, BLOCK_BYTES);
    }
    CHECK(osMemoryPoolAlloc(pool, 0) == NULL && osMemoryPoolAlloc(pool, 3) == NULL);
    CHECK(osMemoryPoolFree(pool, (char *)blocks[0] + 1) == osErrorParameter);
    CHECK(osMemoryPoolFree(pool, no_object) == osErrorParameter);
    CHECK(osMemoryPoolFree(pool, NULL) == osErrorParameter);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(osMemoryPoolFree(pool, blocks[i]) == osOK);
    }
    CHECK(osMemoryPoolFree(pool, blocks[0]) == osErrorResource); // every block is free
    CHECK(osMemoryPoolAlloc(NULL, 0) == NULL && osMemoryPoolFree(NULL, block) == osErrorParameter);
    CHECK(osMemoryPoolGetCapacity(NULL) == 0 && osMemoryPoolGetBlockSize(NULL) == 0);
    CHECK(osMemoryPoolGetCount(NULL) == 0 && osMemoryPoolGetSpace(NULL) == 0);
}

static void allocate(void *argument) {
    (void)argument;
    block = osMemoryPoolAlloc(pool, osWaitForever);
}

static void waiters(void) {
    void *last = NULL;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        last = osMemoryPoolAlloc(pool, 0);
    }
    block = NULL;
    start(allocate, osPriorityHigh);
    CHECK(block == NULL && osMemoryPoolDelete(pool) == osErrorResource);
    CHECK(osMemoryPoolFree(pool, last) == osOK && block == last);
    wait_for_ends();
    CHECK(osMemoryPoolDelete(pool) == osOK);
}

void pool_cases(void) {
    creation();
    allocation();
    waiters();
}
