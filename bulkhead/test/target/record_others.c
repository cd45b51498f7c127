// SPDX-License-Identifier: MIT
//
// The other processes of record.c: one that crashes on order, and a hostile process that writes to
// the record and to the watchdog, and makes the calls of the record, without the right.
#include "record.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

void faulty_main_entry(void);
void hostile_main_entry(void);
void twin_low_entry(void);
void twin_high_entry(void);

void faulty_main_entry(void) {
    for (;;) {
        if (faulty_crashes) {
            *(volatile uint32_t *)0xFFFFFFF0u = 0;
        }
        bulkhead_delay(1);
    }
}

static void make_calls(void) {
    for (uint32_t handle = 1; handle < HANDLES; handle++) {
        for (uint32_t method = 0; method < BULKHEAD_METHODS; method++) {
            const bool is_denied = bulkhead_call_2(handle, method, 0, 0) == BULKHEAD_DENIED;
            hostile_denied += is_denied;
            hostile_not_denied += !is_denied;
        }
    }
}

void hostile_main_entry(void) {
    for (;;) {
        if (hostile_attacks) {
            hostile_attacks = false;
            if (hostile_target == 0) {
                make_calls();
            } else {
                *(volatile uint32_t *)hostile_target = 1;
            }
        }
        bulkhead_delay(1);
    }
}

void twin_low_entry(void) {
    while (twin == 0) {
        bulkhead_delay(1);
    }
    *(volatile uint32_t *)0xFFFFFFF0u = 0;
}

// The twin of high priority, which faults. The kernel resumes it while it handles the fault of the
// twin of low priority.
void twin_high_entry(void) {
    *(volatile uint32_t *)0xFFFFFFF0u = 0;
}
