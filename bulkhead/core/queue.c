// SPDX-License-Identifier: MIT
//
// Queues of messages of one size, copied.
//
// A message is copied by the thread that sends or receives it, with the processor's unprivileged
// accesses: the MPU itself decides whether the thread may touch those words. The copy comes first
// and the change after it, so that a refused copy changes nothing. A blocked thread makes its call
// again when it is woken, instead of having its memory touched by another.
#include "methods.h"

static inline uint32_t *after(const struct queue *queue, uint32_t *slot) {
    uint32_t *next = slot + queue->words;
    return next == queue->end ? queue->start : next;
}

static inline decision wake_first(struct wait_list *list) {
    return list->first == NULL ? GO_ON : thread_retry(list->first);
}

static decision wait(struct wait_list *list, uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_answer(BULKHEAD_TIMED_OUT);
    }
    return thread_wait(list, timeout_ticks);
}

decision queue_send(struct queue *queue, struct arch_frame *frame) {
    const struct user_pointer message = {arch_argument(frame)};
    if (queue->used == queue->capacity) {
        return wait(&queue->senders, arch_second_argument(frame));
    }
    if (SELDOM(!arch_copy_in(queue->tail, message, queue->words))) {
        return kernel_answer(BULKHEAD_DENIED);
    }
    queue->tail = after(queue, queue->tail);
    queue->used++;
    return wake_first(&queue->receivers);
}

decision queue_receive(struct queue *queue, struct arch_frame *frame) {
    const struct user_pointer message = {arch_argument(frame)};
    if (queue->used == 0) {
        return wait(&queue->receivers, arch_second_argument(frame));
    }
    if (SELDOM(!arch_copy_out(message, queue->head, queue->words))) {
        return kernel_answer(BULKHEAD_DENIED);
    }
    queue->head = after(queue, queue->head);
    queue->used--;
    return wake_first(&queue->senders);
}
