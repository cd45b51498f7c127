// SPDX-License-Identifier: MIT
//
// The part of local queues (queues that lie in one process) that needs the kernel: waiting and
// waking. User space sends and receives (sequences.S), and calls the kernel only to wait and to
// wake. The member `waited` of the queue tells user space that a thread waits.
//
// No wake-up is lost. The kernel tests again whether the queue is full or empty, in case the thread
// was preempted before its call. A thread that is about to commit while another starts to wait is
// stopped in its restartable sequence, and reads `waited` again.
#include "methods.h"

static uint32_t used(const struct local_queue *queue) {
    return queue->queue->tail - queue->queue->head;
}

static struct wait_list *list_of(struct local_queue *queue, uint32_t side) {
    return side == BULKHEAD_QUEUE_SENDS ? &queue->senders : &queue->receivers;
}

static bool may_go_on(const struct local_queue *queue, uint32_t side) {
    return side == BULKHEAD_QUEUE_SENDS ? used(queue) < queue->capacity : used(queue) != 0;
}

// Waits until the queue may have space or a message. After BULKHEAD_OK the caller tries its
// operation again.
struct thread *local_queue_await(struct local_queue *queue, struct arch_frame *frame) {
    const uint32_t side = arch_argument(frame);
    const uint32_t timeout_ticks = arch_second_argument(frame);
    if (may_go_on(queue, side)) {
        return NO_SWITCH;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    queue->queue->waited = queue->handle;
    return thread_wait(list_of(queue, side), timeout_ticks);
}

static struct thread *wake_side(struct local_queue *queue, uint32_t side) {
    struct wait_list *list = list_of(queue, side);
    return list->first != NULL && may_go_on(queue, side) ? thread_wake_first(list) : NO_SWITCH;
}

struct thread *local_queue_wake(struct local_queue *queue) {
    struct thread *const sender = wake_side(queue, BULKHEAD_QUEUE_SENDS);
    struct thread *const receiver = wake_side(queue, BULKHEAD_QUEUE_RECEIVES);
    if (queue->senders.first == NULL && queue->receivers.first == NULL) {
        queue->queue->waited = 0;
    }
    return sender == NO_SWITCH && receiver == NO_SWITCH ? NO_SWITCH : thread_highest();
}
