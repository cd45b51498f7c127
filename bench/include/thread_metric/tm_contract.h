// SPDX-License-Identifier: MIT
//
// Thread-Metric's services as inline functions over the porting contract, so that a scenario's call
// is the contract's call.
//
// The contract creates all declared objects before the kernel starts. The creation services
// therefore create nothing: they report whether the object is declared as the caller wants it.
#ifndef TM_CONTRACT_H
#define TM_CONTRACT_H

#include <bench/port.h>

// The contract's services fail at once if the object is not available.
#define TM_REFUSES 1

// The contract's blocks are aligned to this number of bytes.
#define TM_BLOCK_ALIGNMENT 8

#define TM_INLINE static inline __attribute__((always_inline, unused))

TM_INLINE int tm_status(enum bench_status status) {
    return status == BENCH_OK ? TM_SUCCESS : TM_ERROR;
}

TM_INLINE int tm_declared(int id, size_t count) {
    return id >= 0 && (size_t)id < count ? TM_SUCCESS : TM_ERROR;
}

TM_INLINE void tm_initialize(void (*test_initialization_function)(void)) {
    test_initialization_function();
}

TM_INLINE int tm_thread_create(int thread_id, int priority, void (*entry_function)(void)) {
    if (tm_declared(thread_id, bench_scenario.task_count) != TM_SUCCESS) {
        return TM_ERROR;
    }
    const struct bench_task_declaration *declared = &bench_scenario.tasks[thread_id];
    return declared->priority == priority && declared->entry == entry_function ? TM_SUCCESS
                                                                               : TM_ERROR;
}

TM_INLINE int tm_thread_resume(int thread_id) {
    return tm_status(bench_task_resume((struct bench_task){(uint32_t)thread_id}));
}

TM_INLINE int tm_thread_suspend(int thread_id) {
    return tm_status(bench_task_suspend((struct bench_task){(uint32_t)thread_id}));
}

TM_INLINE void tm_thread_relinquish(void) {
    bench_task_yield();
}

TM_INLINE void tm_thread_sleep(int seconds) {
    bench_task_delay((uint32_t)seconds * BENCH_TICK_HZ);
}

TM_INLINE int tm_queue_create(int queue_id) {
    return tm_declared(queue_id, bench_scenario.queue_count);
}

TM_INLINE int tm_queue_send(int queue_id, unsigned long *message_ptr) {
    return tm_status(
        bench_queue_send((struct bench_queue){(uint32_t)queue_id}, message_ptr, BENCH_NO_WAIT));
}

TM_INLINE int tm_queue_receive(int queue_id, unsigned long *message_ptr) {
    return tm_status(
        bench_queue_receive((struct bench_queue){(uint32_t)queue_id}, message_ptr, BENCH_NO_WAIT));
}

TM_INLINE int tm_semaphore_create(int semaphore_id) {
    return tm_declared(semaphore_id, bench_scenario.semaphore_count);
}

TM_INLINE int tm_semaphore_get(int semaphore_id) {
    return tm_status(
        bench_semaphore_take((struct bench_semaphore){(uint32_t)semaphore_id}, BENCH_NO_WAIT));
}

TM_INLINE int tm_semaphore_put(int semaphore_id) {
    return tm_status(bench_semaphore_give((struct bench_semaphore){(uint32_t)semaphore_id}));
}

TM_INLINE int tm_memory_pool_create(int pool_id) {
    return tm_declared(pool_id, bench_scenario.pool_count);
}

TM_INLINE int tm_memory_pool_allocate(int pool_id, unsigned char **memory_ptr) {
    void *block = NULL;
    const enum bench_status status =
        bench_pool_allocate((struct bench_pool){(uint32_t)pool_id}, &block);
    *memory_ptr = block;
    return tm_status(status);
}

TM_INLINE int tm_memory_pool_deallocate(int pool_id, unsigned char *memory_ptr) {
    return tm_status(bench_pool_free((struct bench_pool){(uint32_t)pool_id}, memory_ptr));
}

TM_INLINE void tm_cause_interrupt(void) {
    bench_interrupt_trigger((struct bench_interrupt){0});
}

#define TM_CAUSE_INTERRUPT tm_cause_interrupt()

#endif
