// SPDX-License-Identifier: MIT
//
// The application to which test/closed.py adds attacks.
#include "attack.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

static void use_own_objects(void) {
    void *block;
    require(bulkhead_mutex_lock(MUTEX_MINE, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "p has no mutex");
    require(bulkhead_semaphore_take(SEMAPHORE_MINE, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "p has no count");
    require(bulkhead_flags_set(FLAGS_MINE, 1) == BULKHEAD_OK, "p has no flags");
    require(bulkhead_pool_allocate(POOL_MINE, &block, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "p has no pool");
}

void p_main(void);
void p_main(void) {
    use_own_objects();
    attack_from_process();
    for (;;) {
        bulkhead_mutex_lock(MUTEX_M, 100);
        bulkhead_delay(1);
        bulkhead_mutex_unlock(MUTEX_M);
    }
}
