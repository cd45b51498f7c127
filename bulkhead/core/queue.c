// SPDX-License-Identifier: MIT
//
// Queues of messages of one size, copied.
//
// A message is copied by the thread that sends or receives it, with the processor's unprivileged
// accesses: the MPU itself decides whether the thread may touch those words. The copy comes first
// and the change after it, so that a refused copy changes nothing. A blocked thread makes its call
// again when it is woken, instead of having its memory touched by another.
#include "calls.h"
#include "objects.h"

static inline uint32_t *after(const struct queue *queue, uint32_t *slot) {
    uint32_t *next = slot + queue->words;
    return next == queue->end ? queue->start : next;
}

static inline decision wake_first(struct wait_list *list) {
    return list->first == NULL ? GO_ON : thread_retry(list->first);
}

static decision wait(struct arch_frame *frame, struct wait_list *list, uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return answer(frame, BULKHEAD_TIMED_OUT);
    }
    return thread_wait(list, timeout_ticks);
}

decision call_queue_send(struct arch_frame *frame, uint32_t handle, struct user_pointer message,
                         uint32_t timeout_ticks) {
    struct queue *queue = RIGHT_TO(kernel.process->queues, handle);
    if (SELDOM(queue == NULL)) {
        return kernel_refuse(BULKHEAD_DENIED);
    }
    if (queue->used == queue->capacity) {
        return wait(frame, &queue->senders, timeout_ticks);
    }
    if (SELDOM(!arch_copy_in(queue->tail, message, queue->words))) {
        return kernel_refuse(BULKHEAD_DENIED);
    }
    queue->tail = after(queue, queue->tail);
    queue->used++;
    frame->r0 = BULKHEAD_OK;
    return wake_first(&queue->receivers);
}

decision call_queue_receive(struct arch_frame *frame, uint32_t handle, struct user_pointer message,
                            uint32_t timeout_ticks) {
    struct queue *queue = RIGHT_TO(kernel.process->queues, handle);
    if (SELDOM(queue == NULL)) {
        return kernel_refuse(BULKHEAD_DENIED);
    }
    if (queue->used == 0) {
        return wait(frame, &queue->receivers, timeout_ticks);
    }
    if (SELDOM(!arch_copy_out(message, queue->head, queue->words))) {
        return kernel_refuse(BULKHEAD_DENIED);
    }
    queue->head = after(queue, queue->head);
    queue->used--;
    frame->r0 = BULKHEAD_OK;
    return wake_first(&queue->senders);
}
