// SPDX-License-Identifier: MIT
//
// The server and one caller of paths_gates.c. That test terminates their processes during a call:
// each process has a thread that makes a forbidden access when it is notified, so the kernel
// restarts the process.
#include "answerer.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

static uint32_t patience_ticks = BULKHEAD_FOREVER;

static uint32_t patience_of(uint32_t what) {
    switch (what) {
    case HURRY:
        return 1;
    case TRY:
        return BULKHEAD_NO_WAIT;
    default:
        return BULKHEAD_FOREVER;
    }
}

// Writes to the memory that the client lends. The length makes the kernel copy single bytes, then
// words, in more than one piece.
static void copy(void) {
    uint8_t own[LENT_BYTES];
    for (uint32_t i = 0; i < LENT_BYTES; i++) {
        own[i] = COPIED;
    }
    bulkhead_lease_write(GATE_ANSWERS, 0, own, LENT_BYTES);
}

static void answer(uint32_t words[4], uint32_t caller) {
    const uint32_t what = words[0];
    if (what == ANSWER_WHEN_TOLD || what == COPY_WHEN_TOLD) {
        bulkhead_semaphore_take(SEMAPHORE_TOLD, BULKHEAD_FOREVER);
    } else if (what != ANSWER && what != COPY) {
        patience_ticks = patience_of(what);
    }
    if (what == COPY || what == COPY_WHEN_TOLD) {
        copy();
    }
    words[0] = caller;
    words[1] = answer_to(words[1]);
}

void answerer_main(void);
void answerer_main(void) {
    uint32_t words[4] = {0};
    for (;;) {
        uint32_t caller;
        const enum bulkhead_result result =
            bulkhead_gate_receive(GATE_ANSWERS, words, &caller, patience_ticks);
        if (result == BULKHEAD_OK) {
            answer(words, caller);
        } else if (patience_ticks == BULKHEAD_NO_WAIT) {
            patience_ticks = BULKHEAD_FOREVER;
            bulkhead_semaphore_give(SEMAPHORE_TOLD);
        }
    }
}

void caller_main(void);
void caller_main(void) {
    for (;;) {
        uint32_t words[4] = {ANSWER};
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        bulkhead_mutex_lock(MUTEX_SHARED, BULKHEAD_FOREVER);
        bulkhead_gate_call(GATE_ANSWERS, words, BULKHEAD_FOREVER);
        bulkhead_mutex_unlock(MUTEX_SHARED);
    }
}

// The thread that makes the forbidden access. Both processes have such a thread.
void fault_main(void);
void fault_main(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    *(volatile uint32_t *)0 = 0;
}
