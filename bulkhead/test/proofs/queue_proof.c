// SPDX-License-Identifier: MIT
//
// Proof about core/queue.c: in every sequence of calls, all copies lie within the queue's memory,
// and a call that fails changes nothing, whether or not the processor allows a copy of a message.
#include "one_caller.h"
#include <queue.c>

enum { CAPACITY = 3, WORDS = 2, CALLS = 7 };

static uint32_t messages[CAPACITY * WORDS];
static struct queue queue;

static void begin(void) {
    queue = (struct queue){.capacity = CAPACITY, .words = WORDS};
    queue.start = queue.head = queue.tail = messages;
    queue.end = messages + CAPACITY * WORDS;
}

static void require_consistent(void) {
    const uint32_t head = (uint32_t)(queue.head - messages) / WORDS;
    const uint32_t tail = (uint32_t)(queue.tail - messages) / WORDS;
    require(queue.used <= CAPACITY);
    require(queue.head == messages + head * WORDS && head < CAPACITY);
    require(tail == (head + queue.used) % CAPACITY);
}

PROOF(calls, 9) {
    begin();
    for (uint32_t i = 0; i < CALLS; i++) {
        struct arch_frame frame = {.argument = nondet_word(), .second_argument = nondet_word()};
        const struct queue before = queue;
        const bool sends = nondet_bool();
        result = BULKHEAD_OK;
        ignore_next(sends ? queue_send(&queue, &frame) : queue_receive(&queue, &frame));
        require_consistent();
        const uint32_t change = result != BULKHEAD_OK ? 0 : sends ? 1 : UINT32_MAX;
        require(queue.used == before.used + change);
    }
}

// --- Stubs of other files ------------------------------------------------------------------------

struct thread *thread_retry_first(struct queue *queue, struct wait_list *list) {
    (void)queue, (void)list;
    return NO_SWITCH;
}

struct thread *thread_highest(void) {
    return NO_SWITCH;
}
