// SPDX-License-Identifier: MIT
//
// The slow paths of a process's own semaphores, mutexes and event flags: they call the kernel. They
// are not inline, so that the fast paths (local.h) need no registers for them.
#include <bulkhead/local.h>

enum bulkhead_result bulkhead_local_semaphore_wait(const struct bulkhead_semaphore *semaphore,
                                                   uint32_t timeout_ticks) {
    return bulkhead_kernel_semaphore_take(semaphore->handle, timeout_ticks);
}

enum bulkhead_result bulkhead_local_semaphore_wake(const struct bulkhead_semaphore *semaphore) {
    return bulkhead_kernel_semaphore_give(semaphore->handle);
}

enum bulkhead_result bulkhead_local_mutex_wait(const struct bulkhead_mutex *mutex,
                                               uint32_t timeout_ticks) {
    return bulkhead_kernel_mutex_lock(mutex->handle, timeout_ticks);
}

enum bulkhead_result bulkhead_local_mutex_wake(const struct bulkhead_mutex *mutex) {
    return bulkhead_kernel_mutex_unlock(mutex->handle);
}

// For an architecture on which the fast paths are functions (local_words.h).
enum bulkhead_result bulkhead_local_flags_set_waited(const struct bulkhead_flags *object,
                                                     uint32_t flags);
enum bulkhead_result bulkhead_local_flags_set_waited(const struct bulkhead_flags *object,
                                                     uint32_t flags) {
    return bulkhead_kernel_flags_set(object->handle, flags);
}

enum bulkhead_result bulkhead_local_flags_clear_waited(const struct bulkhead_flags *object,
                                                       uint32_t flags);
enum bulkhead_result bulkhead_local_flags_clear_waited(const struct bulkhead_flags *object,
                                                       uint32_t flags) {
    return bulkhead_kernel_flags_clear(object->handle, flags);
}

enum bulkhead_result bulkhead_local_flags_take_any_wait(const struct bulkhead_flags *object,
                                                        uint32_t *flags, uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_flags_take_any_wait(const struct bulkhead_flags *object,
                                                        uint32_t *flags, uint32_t timeout_ticks) {
    return bulkhead_kernel_flags_take_any(object->handle, flags, timeout_ticks);
}

enum bulkhead_result bulkhead_local_flags_take_all_wait(const struct bulkhead_flags *object,
                                                        uint32_t *flags, uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_flags_take_all_wait(const struct bulkhead_flags *object,
                                                        uint32_t *flags, uint32_t timeout_ticks) {
    return bulkhead_kernel_flags_take_all(object->handle, flags, timeout_ticks);
}
