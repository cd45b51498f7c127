// SPDX-License-Identifier: MIT
//
// Proof about core/pool.c: in every sequence of calls with any addresses, an allocation returns
// only a free block of the pool, a call frees only the address of an allocated block, and a waiter
// gets that block.
#include "one_caller.h"

// The argument as it was read last. Each read may return another value, because a thread may have
// its frame in registers of a device that change.
static uint32_t argument;

static uint32_t read_argument(const struct arch_frame *frame) {
    (void)frame;
    argument = nondet_word();
    return argument;
}

#define arch_argument read_argument
#include <pool.c>

enum { BLOCKS = 3, CALLS = 5, START = 0x20001000, BLOCK_BYTES = 24 };

static uint16_t links[BLOCKS];
static struct pool pool;
static bool is_out[BLOCKS];
static struct thread waiter;

// Chooses any state of the pool: each block is free or allocated, and the list of free blocks is in
// one of three orders.
static void begin(void) {
    pool = (struct pool){0, START, BLOCK_BYTES, BLOCKS, links, {NULL}};
    for (uint32_t i = 0; i < BLOCKS; i++) {
        links[i] = i + 1 < BLOCKS ? (uint16_t)(i + 1) : POOL_END;
        is_out[i] = false;
    }
}

static void allocate(void) {
    struct arch_frame frame = {0};
    const bool has_free = !is_out[0] || !is_out[1] || !is_out[2];
    ignore_next(pool_allocate(&pool, &frame));
    require((result == BULKHEAD_OK) == has_free);
    if (result == BULKHEAD_OK) {
        const uint32_t index = (frame.argument - START) / BLOCK_BYTES;
        require(index < BLOCKS && frame.argument == START + index * BLOCK_BYTES);
        require(!is_out[index]);
        is_out[index] = true;
    }
}

static void give_back(void) {
    struct arch_frame frame = {0};
    const bool is_awaited = nondet_bool();
    pool.waiters.first = is_awaited ? &waiter : NULL;
    ignore_next(pool_free(&pool, &frame));
    pool.waiters.first = NULL;
    const uint32_t index = (argument - START) / BLOCK_BYTES;
    const bool is_block = index < BLOCKS && argument == START + index * BLOCK_BYTES;
    const bool is_right = is_block && is_out[index];
    require((result == BULKHEAD_OK) == is_right);
    if (is_right && is_awaited) {
        require(waiter.context.frame.argument == argument);
    } else if (is_right) {
        is_out[index] = false;
    }
}

PROOF(calls, 7) {
    begin();
    for (uint32_t i = 0; i < CALLS; i++) {
        result = BULKHEAD_OK;
        if (nondet_bool()) {
            allocate();
        } else {
            give_back();
        }
    }
}

// --- Stubs of other files ------------------------------------------------------------------------

struct thread *thread_wake_first(struct wait_list *list) {
    (void)list;
    return NO_SWITCH;
}
