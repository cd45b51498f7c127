// SPDX-License-Identifier: MIT
//
// Proof about core/semaphore.c: the count of a local semaphore is in the memory of its process.
// Whatever the process writes into it, no computation overflows, and the kernel never raises the
// count above the maximum.
#include "proof.h"
#include <semaphore.c>

static int32_t word; // the semaphore's count in the memory of the process
static struct semaphore semaphore = {.count = &word};
static enum bulkhead_result result;

static void begin(void) {
    word = (int32_t)nondet_word();
    semaphore.maximum = (int32_t)(nondet_word() % 0x10000);
    assume(semaphore.maximum > 0);
    result = BULKHEAD_OK;
}

PROOF(give, 2) {
    begin();
    const int32_t before = word;
    ignore_next(semaphore_give(&semaphore));
    require(word <= semaphore.maximum || word == before);
    require(word == before || word == before + 1 || (before < 0 && word == 1));
    require((result == BULKHEAD_REFUSED) == (before >= semaphore.maximum));
}

PROOF(post, 2) {
    begin();
    const int32_t before = word;
    kernel_interrupt_posts(&semaphore);
    require(word <= semaphore.maximum || word == before);
}

PROOF(take, 2) {
    struct arch_frame frame = {.argument = nondet_word()};
    begin();
    const int32_t before = word;
    ignore_next(semaphore_take(&semaphore, &frame));
    require(before <= 0 || word == before - 1);
    require(before > 0 || word == before || word == BULKHEAD_SEMAPHORE_WAITED);
}

// --- Stubs of other files ------------------------------------------------------------------------

struct thread *kernel_fail(enum bulkhead_result failure) {
    result = failure;
    return NO_SWITCH;
}

struct thread *thread_wait(struct wait_list *list, uint32_t timeout_ticks) {
    (void)list, (void)timeout_ticks;
    return NO_SWITCH;
}

struct thread *thread_wake_first(struct wait_list *list) {
    (void)list;
    return NO_SWITCH;
}
