// SPDX-License-Identifier: MIT
//
// Memory pools: osMemoryPoolXxx. A semaphore counts the free blocks; the blocks are a local pool.
#include "os.h"

static struct bulkhead_os_pool *find(osMemoryPoolId_t id) {
    return OS_FIND(pool, pools, id);
}

static bool has_memory(const void *entry, const void *wanted) {
    const struct bulkhead_os_pool *pool = entry;
    return pool->memory_bytes >= *(const uint32_t *)wanted;
}

static void link_blocks(struct bulkhead_os_pool *pool, void *memory) {
    const uint32_t start = (uint32_t)memory;
    const uint32_t bytes = pool->block_count * pool->block_bytes;
    pool->blocks = (struct bulkhead_pool){.start = start, .bytes = bytes};
    for (uint32_t block = start + bytes; block != start;) {
        block -= pool->block_bytes;
        (void)bulkhead_pool_free(&pool->blocks, (void *)block);
    }
    pool->free->count = (int32_t)pool->block_count;
}

// Returns whether a pool of `count` blocks of `size` bytes is possible: its size fits in 32 bits,
// and the memory in the attributes, if given, is large enough.
static bool is_possible(uint32_t count, uint32_t size, const osMemoryPoolAttr_t *attr) {
    const uint32_t bytes = BULKHEAD_OS_POOL_BYTES(count, size);
    if (count == 0 || size == 0 || count > INT16_MAX || size > INT16_MAX) {
        return false;
    }
    if (attr == NULL || attr->mp_mem == NULL) {
        return attr == NULL || attr->mp_size == 0;
    }
    return (uint32_t)attr->mp_mem % sizeof(uint32_t) == 0 && attr->mp_size >= bytes;
}

osMemoryPoolId_t osMemoryPoolNew(uint32_t block_count, uint32_t block_size,
                                 const osMemoryPoolAttr_t *attr) {
    if (!is_possible(block_count, block_size, attr)) {
        return NULL;
    }
    void *given = attr != NULL ? attr->mp_mem : NULL;
    const uint32_t bytes = given != NULL ? 0 : BULKHEAD_OS_POOL_BYTES(block_count, block_size);
    struct bulkhead_os_pool *made =
        os_take(&(struct os_request){OS_REQUEST(pool, pools, attr, 0), has_memory, &bytes});
    if (made != NULL) {
        made->block_count = block_count;
        made->block_bytes = BULKHEAD_OS_ROUNDED(block_size);
        link_blocks(made, given != NULL ? given : made->memory);
    }
    return made;
}

const char *osMemoryPoolGetName(osMemoryPoolId_t mp_id) {
    return os_name(find(mp_id));
}

void *osMemoryPoolAlloc(osMemoryPoolId_t mp_id, uint32_t timeout) {
    struct bulkhead_os_pool *pool = find(mp_id);
    void *block = NULL;
    if (pool == NULL || os_count_take(pool->free, timeout) != osOK) {
        return NULL;
    }
    (void)bulkhead_pool_allocate(&pool->blocks, &block, BULKHEAD_NO_WAIT);
    return block;
}

osStatus_t osMemoryPoolFree(osMemoryPoolId_t mp_id, void *block) {
    struct bulkhead_os_pool *pool = find(mp_id);
    if (pool == NULL || block == NULL ||
        ((uint32_t)block - pool->blocks.start) % pool->block_bytes != 0) {
        return osErrorParameter;
    }
    if (os_count(pool->free) >= pool->block_count) {
        return osErrorResource; // all blocks are free
    }
    if (bulkhead_pool_free(&pool->blocks, block) != BULKHEAD_OK) {
        return osErrorParameter;
    }
    return bulkhead_semaphore_give(pool->free) == BULKHEAD_OK ? osOK : osErrorResource;
}

uint32_t osMemoryPoolGetCapacity(osMemoryPoolId_t mp_id) {
    const struct bulkhead_os_pool *pool = find(mp_id);
    return pool == NULL ? 0 : pool->block_count;
}

uint32_t osMemoryPoolGetBlockSize(osMemoryPoolId_t mp_id) {
    const struct bulkhead_os_pool *pool = find(mp_id);
    return pool == NULL ? 0 : pool->block_bytes;
}

uint32_t osMemoryPoolGetSpace(osMemoryPoolId_t mp_id) {
    const struct bulkhead_os_pool *pool = find(mp_id);
    return pool == NULL ? 0 : os_count(pool->free);
}

uint32_t osMemoryPoolGetCount(osMemoryPoolId_t mp_id) {
    return osMemoryPoolGetCapacity(mp_id) - osMemoryPoolGetSpace(mp_id);
}

osStatus_t osMemoryPoolDelete(osMemoryPoolId_t mp_id) {
    struct bulkhead_os_pool *pool = find(mp_id);
    return pool == NULL ? osErrorParameter : os_release(&pool->entry, pool->free);
}
