// SPDX-License-Identifier: MIT
//
// The first process of the test `tangle`. Between the random calls of tangle.h, its threads use
// mutexes of the process, and write into the mutexes' words: free, or any thread's identity.
#include "handles.h"
#include "tangle.h"
#include <bulkhead/bulkhead.h>

extern const uint32_t bulkhead_identities[]; // of every thread, in the order of the declaration

enum { THREADS = 11 };

static const struct tangle_process one = {
    GATE_ONE, GATE_TWO, {THREAD_ONE_SERVER, THREAD_ONE_A, THREAD_ONE_B}};

static void spoil(struct bulkhead_mutex *mutex) {
    const uint32_t identity = bulkhead_identities[tangle_random(THREADS)];
    mutex->word = tangle_random(3) == 0 ? BULKHEAD_MUTEX_FREE : identity | tangle_random(2);
}

// Locks and unlocks a mutex of the process by system calls. Another thread may have written any
// value to the word of the mutex; the kernel takes the word as valid.
static void use_own(void) {
    struct bulkhead_mutex *mutex = tangle_random(2) == 0 ? MUTEX_OWN_A : MUTEX_OWN_B;
    if (tangle_random(2) == 0) {
        spoil(mutex);
    }
    if (bulkhead_mutex_lock(mutex->handle, tangle_random(3)) == BULKHEAD_OK) {
        tangle_act(&one);
    }
    if (tangle_random(4) != 0) {
        bulkhead_mutex_unlock(mutex->handle);
    }
}

void one_main(void);
void one_main(void) {
    for (;;) {
        tangle_act(&one);
        use_own();
    }
}

void one_server_main(void);
void one_server_main(void) {
    tangle_serve(&one);
}

void fuse_one_main(void);
void fuse_one_main(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    __builtin_trap();
}
