// SPDX-License-Identifier: MIT
//
// Model of pools: a block belongs to one thread at a time, each block is returned, and no thread
// waits while a block is free.
//
// The model takes no interrupt between the LDREX of a local pool's first block and the read of its
// link: STREX would fail then, and the value that was read would not be used.
#include "world.h"

static uint32_t in_use[WORLD_THREADS]; // address of the block that each thread has; 0: none

static void begin_use(uint32_t thread, uint32_t block) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        world_require(in_use[i] != block, "a block was given out twice");
    }
    in_use[thread] = block;
    world_point();
    in_use[thread] = 0;
}

// --- Pools of a process --------------------------------------------------------------------------

static void use_own(uint32_t thread) {
    void *block = bulkhead_local_pool_take(world_pools);
    if (block == NULL) {
        return;
    }
    begin_use(thread, (uint32_t)(uintptr_t)block);
    world_require(bulkhead_pool_free(world_pools, block) == BULKHEAD_OK, "a block was refused");
}

static void first_uses_own(void) {
    use_own(0);
}

static void second_uses_own_twice(void) {
    use_own(1);
    use_own(1);
}

static void third_uses_own(void) {
    use_own(2);
}

static uint32_t own_blocks(void) {
    uint32_t count = 0;
    for (uint32_t block = world_pools[0].free; block != 0 && count <= WORLD_BLOCKS; count++) {
        block = *(uint32_t *)(uintptr_t)block;
    }
    return count;
}

static const char *own_wrong(bool rests) {
    if (rests && !world_all_ended()) {
        return "a thread does not end";
    }
    return rests && own_blocks() != WORLD_BLOCKS ? "a block was lost or made" : NULL;
}

// --- Pools of the kernel -------------------------------------------------------------------------

static void use(uint32_t thread, uint32_t timeout_ticks) {
    void *block;
    const enum bulkhead_result result = bulkhead_pool_allocate(WORLD_POOL, &block, timeout_ticks);
    world_require(result == BULKHEAD_OK || timeout_ticks != BULKHEAD_FOREVER,
                  "an allocation without a timeout failed");
    if (result != BULKHEAD_OK) {
        return;
    }
    begin_use(thread, (uint32_t)(uintptr_t)block);
    world_require(bulkhead_pool_free(WORLD_POOL, (char *)block + 4) == BULKHEAD_REFUSED,
                  "a part of a block was taken back");
    world_require(bulkhead_pool_free(WORLD_POOL, world_after_blocks()) == BULKHEAD_REFUSED,
                  "a block after the last was taken back");
    world_require(bulkhead_pool_free(WORLD_POOL, block) == BULKHEAD_OK, "a block was refused");
}

static void first_uses(void) {
    use(0, BULKHEAD_FOREVER);
}

static void first_uses_timeouts(void) {
    use(0, 1);
    use(0, BULKHEAD_NO_WAIT);
}

static void second_uses_twice(void) {
    use(1, BULKHEAD_FOREVER);
    use(1, BULKHEAD_FOREVER);
}

static void third_uses(void) {
    use(2, BULKHEAD_FOREVER);
}

static void client_uses(void) {
    use(WORLD_CLIENT, BULKHEAD_FOREVER);
}

static const char *wrong(bool rests) {
    if (rests && !world_all_ended()) {
        return "a thread waits for ever";
    }
    return rests && world_free_blocks() != WORLD_BLOCKS ? "a block was lost or made" : NULL;
}

const struct scenario pool_scenarios[] = {
    {.name = "pool: three users of a process's own",
     .programs = {first_uses_own, second_uses_own_twice, third_uses_own},
     .priorities = {3, 4, 5},
     .wrong = own_wrong},
    {.name = "pool: equals that use a process's own",
     .programs = {first_uses_own, second_uses_own_twice, third_uses_own},
     .priorities = {5, 5, 5},
     .wrong = own_wrong},
    {.name = "pool: three users of two blocks",
     .programs = {first_uses, second_uses_twice, third_uses},
     .priorities = {3, 4, 5},
     .wrong = wrong},
    {.name = "pool: equals, in two processes",
     .programs = {first_uses, second_uses_twice, NULL, client_uses},
     .priorities = {5, 5, 5, 5},
     .wrong = wrong},
    {.name = "pool: timeouts",
     .programs = {first_uses_timeouts, second_uses_twice, third_uses},
     .priorities = {3, 5, 5},
     .ticks = 2,
     .wrong = wrong},
    {0},
};
