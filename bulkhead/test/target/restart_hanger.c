// SPDX-License-Identifier: MIT
//
// The hanger of restart.c: a process that reports that it is alive, until it hangs in the way that
// the warden orders.
#include "restart.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

enum { FROM_IMAGE = 0x1A6E };

static uint32_t image = FROM_IMAGE;

void hanger_main_entry(void);
void hanger_other_entry(void);

static _Noreturn void spin(void) {
    for (;;) {
    }
}

static void hang(enum hanger_order order) {
    switch (order) {
    case HANGER_SPINS:
        spin();
    case HANGER_SPINS_ABOVE:
        (void)bulkhead_set_priority(THREAD_HANGER_MAIN, 4);
        spin();
    case HANGER_SPINS_WITH_LOCK:
        (void)bulkhead_mutex_lock(MUTEX_LOCK, BULKHEAD_FOREVER);
        bulkhead_delay(1); // until the client waits for the mutex
        spin();
    case HANGER_WAITS:
        (void)bulkhead_suspend(THREAD_HANGER_MAIN);
        break;
    case HANGER_ENDS:
        bulkhead_exit();
    default:
        break;
    }
}

void hanger_main_entry(void) {
    ledger.hanger_starts++;
    ledger.hanger_stale += image != FROM_IMAGE;
    image = 0;
    for (;;) {
        const enum hanger_order order = ledger.hanger;
        ledger.hanger = HANGER_LIVES;
        hang(order);
        (void)bulkhead_flags_set(FLAGS_HANGER_ALIVE, 1);
        bulkhead_delay(1);
    }
}

void hanger_other_entry(void) {
    for (;;) {
        (void)bulkhead_flags_set(FLAGS_HANGER_ALIVE, 2);
        bulkhead_delay(1);
    }
}
