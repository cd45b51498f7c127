// SPDX-License-Identifier: MIT
//
// A C model of sequences.S, the restartable sequences in assembler, with the same memory accesses
// in the same order. The target tests (test/target) show that the assembler code does the same,
// with an interrupt at each of its instructions.
#include "world.h"

static enum bulkhead_result finish(uint32_t waited) {
    if (waited != 0) {
        bulkhead_call(waited, BULKHEAD_LOCAL_QUEUE_WAKE);
    }
    return BULKHEAD_OK;
}

enum bulkhead_result bulkhead_local_queue_send_wait(struct bulkhead_queue *queue,
                                                    const void *message, uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_queue_receive_wait(struct bulkhead_queue *queue, void *message,
                                                       uint32_t timeout_ticks);

#define STEP(access)              \
    if (world_sequence_point()) { \
        goto again;               \
    }                             \
    access

static uint32_t *slot(const struct bulkhead_queue *queue, uint32_t number) {
    return &queue->buffer[(number & queue->mask) * queue->message_bytes / 4];
}

enum bulkhead_result bulkhead_local_queue_send(struct bulkhead_queue *queue, const void *message,
                                               uint32_t timeout_ticks) {
    uint32_t head, tail, waited;
again:
    STEP(head = queue->head);
    STEP(tail = queue->tail);
    STEP(waited = queue->waited);
    if (tail - head >= queue->capacity) {
        return bulkhead_local_queue_send_wait(queue, message, timeout_ticks);
    }
    for (uint32_t i = 0; i < queue->message_bytes / 4; i++) {
        STEP(slot(queue, tail)[i] = ((const uint32_t *)message)[i]);
    }
    STEP(queue->tail = tail + 1);
    return finish(waited);
}

enum bulkhead_result bulkhead_local_queue_receive(struct bulkhead_queue *queue, void *message,
                                                  uint32_t timeout_ticks) {
    uint32_t head, tail, waited;
again:
    STEP(head = queue->head);
    STEP(tail = queue->tail);
    STEP(waited = queue->waited);
    if (head == tail) {
        return bulkhead_local_queue_receive_wait(queue, message, timeout_ticks);
    }
    for (uint32_t i = 0; i < queue->message_bytes / 4; i++) {
        STEP(((uint32_t *)message)[i] = slot(queue, head)[i]);
    }
    STEP(queue->head = head + 1);
    return finish(waited);
}
