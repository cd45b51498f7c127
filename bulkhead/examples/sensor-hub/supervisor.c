// SPDX-License-Identifier: MIT
//
// The supervisor. It restarts the driver after a delay when the driver has faulted or hangs, and
// clears the watchdog while all processes report that they are alive. After a reset it reads the
// cause from the record. It sends all these events to the logger.
//
// In the image hung-hub the supervisor itself hangs, until the record shows that the watchdog has
// reset the system.
#include "record.h"
#include "watchdog.h"
#include <bulkhead/supervise.h>
#include <handles.h>

enum { PERIOD_TICKS = 50, HANGS_AT_TICK = 400 };

static struct bulkhead_supervised states[POLICIES_SUPERVISOR];
static struct bulkhead_supervisor supervisor = {.policies = bulkhead_policies_supervisor,
                                                .states = states,
                                                .count = POLICIES_SUPERVISOR,
                                                .period_ticks = PERIOD_TICKS};

static void report(enum record_kind kind, uint32_t first, uint32_t second, uint32_t third) {
    const struct record record = {kind, {first, second, third}};
    (void)bulkhead_queue_send(QUEUE_RECORDS, &record, BULKHEAD_NO_WAIT);
}

// Returns whether the watchdog has reset the system.
static bool report_reset(void) {
    struct bulkhead_record_entry entry;
    if (bulkhead_record_read(RECORD_BLACK_BOX, 0, &entry) != BULKHEAD_OK) {
        return false; // no: the power was switched on
    }
    report(RECORD_RESET, entry.ticks, entry.cause, entry.thread);
    return entry.cause == BULKHEAD_CAUSE_WATCHDOG;
}

static void report_fault(void) {
    struct bulkhead_fault fault;
    if (bulkhead_fault_read(PROCESS_UART, &fault) == BULKHEAD_OK) {
        report(RECORD_FAULT, fault.faults, fault.kind, fault.address);
    }
}

static void hang_if_so_built(bool was_reset) {
#ifdef SUPERVISOR_HANGS
    while (!was_reset && bulkhead_ticks() >= HANGS_AT_TICK) {
    }
#else
    (void)was_reset;
#endif
}

void supervisor_main(void);
void supervisor_main(void) {
    const bool was_reset = report_reset();
    watchdog_start();
    for (;;) {
        const struct bulkhead_event event = bulkhead_supervise(&supervisor);
        hang_if_so_built(was_reset);
        if (event.kind == BULKHEAD_ALL_ALIVE) {
            watchdog_feed();
        } else if (event.kind == BULKHEAD_FAULTED) {
            report_fault();
        }
    }
}
