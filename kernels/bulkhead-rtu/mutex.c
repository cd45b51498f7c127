// SPDX-License-Identifier: MIT
//
// The service `node-mutex`: mutexes with priority inheritance, which only the RTU has.
#include <bench/port.h>
#include <bulkhead/nodes.h>

enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    if (timeout_ticks != BENCH_FOREVER) {
        return BENCH_UNSUPPORTED;
    }
    return nodes_lock(mutex.index) == NODES_OK ? BENCH_OK : BENCH_REFUSED;
}

enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    return nodes_unlock(mutex.index) == NODES_OK ? BENCH_OK : BENCH_REFUSED;
}
