// SPDX-License-Identifier: MIT
//
// The process with the secret, which no other process may change; its thread also ends the test. It
// waits for a mutex that a thread of lower priority holds, so that the kernel blocks and wakes
// threads and inherits priorities.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { SECRET = 0x5EC4E7, ROUNDS = 3 };

static volatile uint32_t secret = SECRET;

static void use_own_objects(void) {
    const uint32_t sent = SECRET;
    uint32_t received = 0;
    void *block;
    require(bulkhead_mutex_lock(MUTEX_YOURS, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "no mutex of its own");
    require(bulkhead_semaphore_give(SEMAPHORE_YOURS) == BULKHEAD_OK, "no semaphore of its own");
    require(bulkhead_queue_send(QUEUE_YOURS, &sent, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "no queue of its own");
    require(bulkhead_queue_receive(QUEUE_YOURS, &received, BULKHEAD_NO_WAIT) == BULKHEAD_OK &&
                received == sent,
            "a message was lost");
    require(bulkhead_flags_set(FLAGS_YOURS, 2) == BULKHEAD_OK, "no flags of its own");
    require(bulkhead_pool_allocate(POOL_YOURS, &block, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "no pool of its own");
}

void victim_main(void);
void victim_main(void) {
    use_own_objects();
    for (int i = 0; i < ROUNDS; i++) {
        bulkhead_mutex_lock(MUTEX_M, 100);
        bulkhead_delay(3);
        bulkhead_mutex_unlock(MUTEX_M);
        bulkhead_delay(1);
    }
    require(secret == SECRET, "the secret was overwritten");
    say("closed: victim is whole");
    succeed();
}
