// SPDX-License-Identifier: MIT
//
// Defines every service of bench/port.h for a kernel that lacks it. The definitions are weak: a
// port overrides those that its kernel offers. `ticklab docs generate` writes this file.
//
// A scenario is not built for a kernel that lacks one of its services, so these functions run only
// if kernel.toml names a service that the port does not define. They then fail the run or return
// BENCH_UNSUPPORTED.
#include <bench/port.h>

#define WEAK __attribute__((weak))

WEAK enum bench_status bench_task_create(struct bench_task task) {
    (void)task;
    return BENCH_UNSUPPORTED;
}

WEAK _Noreturn void bench_task_exit(void) {
    bench_fail("service task-exit is unsupported; take it out of kernel.toml");
}

WEAK void bench_task_yield(void) {
    bench_fail("service yield is unsupported; take it out of kernel.toml");
}

WEAK enum bench_status bench_task_suspend(struct bench_task task) {
    (void)task;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_task_resume(struct bench_task task) {
    (void)task;
    return BENCH_UNSUPPORTED;
}

WEAK void bench_task_delay(uint32_t ticks) {
    (void)ticks;
    bench_fail("service delay is unsupported; take it out of kernel.toml");
}

WEAK void bench_task_delay_until(uint32_t *wake, uint32_t period) {
    (void)wake;
    (void)period;
    bench_fail("service delay-periodic is unsupported; take it out of kernel.toml");
}

WEAK enum bench_status bench_task_set_priority(struct bench_task task, uint32_t priority) {
    (void)task;
    (void)priority;
    return BENCH_UNSUPPORTED;
}

WEAK uint32_t bench_ticks(void) {
    bench_fail("this kernel has no tick");
}

WEAK enum bench_status bench_semaphore_take(struct bench_semaphore semaphore,
                                            uint32_t timeout_ticks) {
    (void)semaphore;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {
    (void)semaphore;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks) {
    (void)mutex;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_mutex_unlock(struct bench_mutex mutex) {
    (void)mutex;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_condition_wait(struct bench_condition condition,
                                            struct bench_mutex mutex) {
    (void)condition;
    (void)mutex;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_condition_signal(struct bench_condition condition) {
    (void)condition;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_condition_broadcast(struct bench_condition condition) {
    (void)condition;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_rwlock_lock_read(struct bench_rwlock lock, uint32_t timeout_ticks) {
    (void)lock;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_rwlock_unlock_read(struct bench_rwlock lock) {
    (void)lock;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_rwlock_lock_write(struct bench_rwlock lock, uint32_t timeout_ticks) {
    (void)lock;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_rwlock_unlock_write(struct bench_rwlock lock) {
    (void)lock;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_flags_wait_all(struct bench_flags flags, uint32_t bits,
                                            uint32_t timeout_ticks) {
    (void)flags;
    (void)bits;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_flags_set(struct bench_flags flags, uint32_t bits) {
    (void)flags;
    (void)bits;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                        uint32_t timeout_ticks) {
    (void)queue;
    (void)message;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                           uint32_t timeout_ticks) {
    (void)queue;
    (void)message;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_message_send(struct bench_message_buffer buffer, const void *message,
                                          uint32_t bytes, uint32_t timeout_ticks) {
    (void)buffer;
    (void)message;
    (void)bytes;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_message_receive(struct bench_message_buffer buffer, void *message,
                                             uint32_t *bytes, uint32_t timeout_ticks) {
    (void)buffer;
    (void)message;
    (void)bytes;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_notify(struct bench_task task) {
    (void)task;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_notification_wait(uint32_t timeout_ticks) {
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_pool_allocate(struct bench_pool pool, void **block) {
    (void)pool;
    (void)block;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_pool_free(struct bench_pool pool, void *block) {
    (void)pool;
    (void)block;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_heap_allocate(struct bench_heap heap, uint32_t bytes, void **block) {
    (void)heap;
    (void)bytes;
    (void)block;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_heap_free(struct bench_heap heap, void *block) {
    (void)heap;
    (void)block;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_timer_start(struct bench_timer timer) {
    (void)timer;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_timer_stop(struct bench_timer timer) {
    (void)timer;
    return BENCH_UNSUPPORTED;
}

WEAK void bench_interrupt_trigger(struct bench_interrupt interrupt) {
    (void)interrupt;
    bench_fail("service interrupt is unsupported; take it out of kernel.toml");
}

WEAK uint32_t bench_interrupt_line(struct bench_interrupt interrupt) {
    (void)interrupt;
    bench_fail("service interrupt-line is unsupported; take it out of kernel.toml");
}

WEAK enum bench_status bench_interrupt_wait(struct bench_interrupt interrupt,
                                            uint32_t timeout_ticks) {
    (void)interrupt;
    (void)timeout_ticks;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_semaphore_give_from_interrupt(struct bench_semaphore semaphore) {
    (void)semaphore;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_task_resume_from_interrupt(struct bench_task task) {
    (void)task;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_call(struct bench_gate gate, uint32_t words[4]) {
    (void)gate;
    (void)words;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_null_call(void) {
    return BENCH_UNSUPPORTED;
}

WEAK uint32_t bench_process_faults(uint32_t process) {
    (void)process;
    bench_fail("service fault is unsupported; take it out of kernel.toml");
}

WEAK uint32_t bench_node_self(void) {
    return 0; // one node
}

WEAK enum bench_status bench_task_migrate(uint32_t node) {
    (void)node;
    return BENCH_UNSUPPORTED;
}

WEAK volatile void *bench_shared_memory(void) {
    bench_fail("service shared-memory is unsupported; take it out of kernel.toml");
}

WEAK enum bench_status bench_channel_send(struct bench_channel channel, const uint32_t *words,
                                          uint32_t count) {
    (void)channel;
    (void)words;
    (void)count;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_channel_receive(struct bench_channel channel, uint32_t *words,
                                             uint32_t count) {
    (void)channel;
    (void)words;
    (void)count;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_bus_send(struct bench_bus bus, const void *message, uint32_t bytes,
                                      uint32_t priority) {
    (void)bus;
    (void)message;
    (void)bytes;
    (void)priority;
    return BENCH_UNSUPPORTED;
}

WEAK enum bench_status bench_bus_receive(struct bench_bus bus, void *message, uint32_t *bytes) {
    (void)bus;
    (void)message;
    (void)bytes;
    return BENCH_UNSUPPORTED;
}
