// SPDX-License-Identifier: MIT
//
// The application to which test/closed.py adds attacks.
#include "attack.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/short.h>

static void use_own_objects(void) {
    void *block;
    require(bh_mutex_lock(LOCAL_MUTEX_MINE, BH_NO_WAIT) == BULKHEAD_OK, "p has no mutex");
    require(bh_semaphore_take(LOCAL_SEMAPHORE_MINE, BH_NO_WAIT) == BULKHEAD_OK, "p has no count");
    require(bh_flags_set(LOCAL_FLAGS_MINE, 1) == BULKHEAD_OK, "p has no flags");
    require(bh_pool_allocate(LOCAL_POOL_MINE, &block, BH_NO_WAIT) == BULKHEAD_OK, "p has no pool");
}

void p_main(void);
void p_main(void) {
    use_own_objects();
    attack_from_process();
    for (;;) {
        bh_mutex_lock(MUTEX_M, 100);
        bh_delay(1);
        bh_mutex_unlock(MUTEX_M);
    }
}
