// SPDX-License-Identifier: MIT
//
// Shared by the scenarios with a pool: allocate one block, and free it.
#ifndef WORST_CASE_POOL_H
#define WORST_CASE_POOL_H

#include "worst_case.h"

enum { BLOCKS = 2, BLOCK_BYTES = 128 };

static const struct bench_pool pool = {0};
static void *block;

static void allocate(void) {
    require_ok(bench_pool_allocate(pool, &block), "a pool with free blocks gave none");
}

static void release(void) {
    require_ok(bench_pool_free(pool, block), "a block of the pool was not taken back");
}

#define WORST_CASE_POOL(scenario_name)                                                          \
    static const struct bench_task_declaration tasks[] = {WORST_CASE_OWN_TASKS};                \
    static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES}; \
    static const struct bench_pool_declaration pools[] = {                                      \
        {.blocks = BLOCKS, .block_bytes = BLOCK_BYTES},                                         \
    };                                                                                          \
    const struct bench_scenario bench_scenario = {.name = (scenario_name),                      \
                                                  BENCH_TASKS(tasks),                           \
                                                  BENCH_SEMAPHORES(semaphores),                 \
                                                  BENCH_POOLS(pools),                           \
                                                  BENCH_INTERRUPTS(worst_case_interrupts)}

#endif
