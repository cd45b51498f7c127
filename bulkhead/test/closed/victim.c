// SPDX-License-Identifier: MIT
//
// Data that no other process may change, and the end of the test. The lower thread holds the mutex
// that this thread waits for, so that the kernel inherits, blocks and wakes.
#include "handles.h"
#include "report.h"
#include <bulkhead/short.h>

enum { SECRET = 0x5EC4E7, ROUNDS = 3 };

static volatile uint32_t secret = SECRET;

static void use_own_objects(void) {
    const uint32_t sent = SECRET;
    uint32_t received = 0;
    void *block;
    require(bh_mutex_lock(LOCAL_MUTEX_YOURS, BH_NO_WAIT) == BULKHEAD_OK, "no mutex of its own");
    require(bh_semaphore_give(LOCAL_SEMAPHORE_YOURS) == BULKHEAD_OK, "no semaphore of its own");
    require(bh_send(LOCAL_QUEUE_YOURS, &sent, BH_NO_WAIT) == BULKHEAD_OK, "no queue of its own");
    require(bh_receive(LOCAL_QUEUE_YOURS, &received, BH_NO_WAIT) == BULKHEAD_OK && received == sent,
            "a message was lost");
    require(bh_flags_set(LOCAL_FLAGS_YOURS, 2) == BULKHEAD_OK, "no flags of its own");
    require(bh_pool_allocate(LOCAL_POOL_YOURS, &block, BH_NO_WAIT) == BULKHEAD_OK,
            "no pool of its own");
}

void victim_main(void);
void victim_main(void) {
    use_own_objects();
    for (int i = 0; i < ROUNDS; i++) {
        bh_mutex_lock(MUTEX_M, 100);
        bh_delay(3);
        bh_mutex_unlock(MUTEX_M);
        bh_delay(1);
    }
    require(secret == SECRET, "the secret was overwritten");
    say("closed: victim is whole");
    succeed();
}
