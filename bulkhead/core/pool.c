// SPDX-License-Identifier: MIT
//
// Pools of blocks that several processes share. The blocks lie in a region of the processes. The
// list of free blocks is in the kernel. So no process can damage the list or free a block twice,
// and no allocation returns an address that is not a block.
#include "methods.h"

static uint32_t address_of(const struct pool *pool, uint32_t index) {
    return pool->start + index * pool->block_bytes;
}

struct thread *pool_wait(struct pool *pool, struct arch_frame *frame) {
    return thread_wait_if_any(&pool->waiters, arch_argument(frame));
}

struct thread *pool_allocate(struct pool *pool, struct arch_frame *frame) {
    const uint32_t index = pool->free;
    if (index != POOL_END) {
        pool->free = pool->links[index];
        pool->links[index] = POOL_TAKEN;
        arch_set_value(frame, address_of(pool, index));
        return NO_SWITCH;
    }
    return pool_wait(pool, frame);
}

struct thread *pool_hand_over(struct pool *pool, uint32_t address) {
    arch_set_value(arch_context_frame(&pool->waiters.first->context), address);
    return thread_wake_first(&pool->waiters);
}

struct thread *pool_free(struct pool *pool, struct arch_frame *frame) {
    const uint32_t address = arch_argument(frame);
    const uint32_t offset = address - pool->start;
    const uint32_t index = offset / pool->block_bytes;
    if (index >= pool->blocks || offset != index * pool->block_bytes ||
        pool->links[index] != POOL_TAKEN) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    if (pool->waiters.first != NULL) {
        return pool_hand_over(pool, address);
    }
    pool->links[index] = (uint16_t)pool->free;
    pool->free = index;
    return NO_SWITCH;
}
