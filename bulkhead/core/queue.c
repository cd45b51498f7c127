// SPDX-License-Identifier: MIT
//
// Queues that copy messages of one size.
//
// The kernel copies a message in the call of the thread that sends or receives it, with
// unprivileged accesses: the MPU decides whether the thread may access those words. The copy comes
// before any change, so that a refused copy changes nothing. A blocked thread makes its call again
// when it is woken, so that no other thread touches its memory.
#include "methods.h"

static inline uint32_t *after(const struct queue *queue, uint32_t *slot) {
    uint32_t *next = slot + queue->words;
    return next == queue->end ? queue->start : next;
}

static struct thread *wake_first(struct queue *queue, struct wait_list *list) {
    return list->first == NULL ? NO_SWITCH : thread_retry_first(queue, list);
}

void queue_cancel_wait(struct queue *queue) {
    if (queue == NULL) {
        return;
    }
    if (queue->used != queue->capacity) {
        ignore_next(wake_first(queue, &queue->senders));
    }
    if (queue->used != 0) {
        ignore_next(wake_first(queue, &queue->receivers));
    }
}

// Ends a send or a receive whose caller has no access to the message. copy.S uses this function,
// too.
struct thread *queue_refuse(struct queue *queue) {
    ignore_next(kernel_fail(BULKHEAD_DENIED));
    queue_cancel_wait(queue);
    return thread_highest();
}

struct thread *queue_send(struct queue *queue, struct arch_frame *frame) {
    const struct user_pointer message = {arch_argument(frame)};
    if (queue->used == queue->capacity) {
        return thread_wait_if_any(&queue->senders, arch_second_argument(frame));
    }
    if (unlikely(!arch_copy_in(queue->tail, message, queue->words))) {
        return queue_refuse(queue);
    }
    queue->tail = after(queue, queue->tail);
    queue->used++;
    return wake_first(queue, &queue->receivers);
}

struct thread *queue_receive(struct queue *queue, struct arch_frame *frame) {
    const struct user_pointer message = {arch_argument(frame)};
    if (queue->used == 0) {
        return thread_wait_if_any(&queue->receivers, arch_second_argument(frame));
    }
    if (unlikely(!arch_copy_out(message, queue->head, queue->words))) {
        return queue_refuse(queue);
    }
    queue->head = after(queue, queue->head);
    queue->used--;
    return wake_first(queue, &queue->senders);
}
