// SPDX-License-Identifier: MIT
//
// The slow path of a process's own queues, for a thread that has to wait. The fast path is in
// sequences.S.
#include <bulkhead/local.h>

// Returns the ticks that are left until `start` + `timeout_ticks`. After a wait, another thread may
// take the free space or the message first, so one call may wait several times.
static uint32_t left_ticks(uint32_t start, uint32_t timeout_ticks) {
    const uint32_t passed = bulkhead_page.ticks - start;
    if (timeout_ticks == BULKHEAD_FOREVER) {
        return BULKHEAD_FOREVER;
    }
    return passed < timeout_ticks ? timeout_ticks - passed : BULKHEAD_NO_WAIT;
}

enum bulkhead_result bulkhead_local_queue_send_wait(struct bulkhead_queue *queue,
                                                    const void *message, uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_queue_send_wait(struct bulkhead_queue *queue,
                                                    const void *message, uint32_t timeout_ticks) {
    const uint32_t start = bulkhead_page.ticks;
    enum bulkhead_result result =
        bulkhead_local_queue_await(queue->handle, BULKHEAD_QUEUE_SENDS, timeout_ticks);
    if (result != BULKHEAD_OK) {
        return result;
    }
    return bulkhead_local_queue_send(queue, message, left_ticks(start, timeout_ticks));
}

enum bulkhead_result bulkhead_local_queue_receive_wait(struct bulkhead_queue *queue, void *message,
                                                       uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_queue_receive_wait(struct bulkhead_queue *queue, void *message,
                                                       uint32_t timeout_ticks) {
    const uint32_t start = bulkhead_page.ticks;
    enum bulkhead_result result =
        bulkhead_local_queue_await(queue->handle, BULKHEAD_QUEUE_RECEIVES, timeout_ticks);
    if (result != BULKHEAD_OK) {
        return result;
    }
    return bulkhead_local_queue_receive(queue, message, left_ticks(start, timeout_ticks));
}
