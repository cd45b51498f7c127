// SPDX-License-Identifier: MIT
//
// The heap of one process, and its lock, for every C library (newlib.c, picolibc.c). Every process
// that uses a C library has its own copy of the library and of these files (bulkhead_libc of
// cmake/BulkheadConfig.cmake): its own heap, its own errno and its own streams, in its own memory.
//
// BULKHEAD_HEAP_BYTES is the size of the heap. If BULKHEAD_LIBC_MUTEX is defined, as the name of a
// mutex of the process, its threads may allocate at the same time; otherwise one thread allocates.
#include "heap.h"
#include <bulkhead/bulkhead.h>
#include <errno.h>
#include <handles.h>
#include <stdint.h>

static char heap[BULKHEAD_HEAP_BYTES] __attribute__((aligned(8)));
static uint32_t heap_used;

void *bulkhead_libc_grow(ptrdiff_t bytes) {
    const uint32_t before = heap_used;
    if (bytes > (ptrdiff_t)(sizeof heap - before) || bytes < -(ptrdiff_t)before) {
        errno = ENOMEM;
        return (void *)-1;
    }
    heap_used = before + (uint32_t)bytes;
    return &heap[before];
}

#ifdef BULKHEAD_LIBC_MUTEX
static uint32_t locks; // nested acquisitions of the holder

void bulkhead_libc_lock(void) {
    // fails with REFUSED if the caller already holds the mutex
    (void)bulkhead_mutex_lock(BULKHEAD_LIBC_MUTEX, BULKHEAD_FOREVER);
    locks++;
}

void bulkhead_libc_unlock(void) {
    if (--locks == 0) {
        bulkhead_mutex_unlock(BULKHEAD_LIBC_MUTEX);
    }
}
#else
void bulkhead_libc_lock(void) {
}

void bulkhead_libc_unlock(void) {
}
#endif
