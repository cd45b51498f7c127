// SPDX-License-Identifier: MIT
//
// Tests chains of mutexes: each thread of a chain (a link) holds a mutex and waits for the mutex of
// the next link. The prover waits for one of these mutexes with a timeout, so that the holders
// along the chain inherit its priority, and lose it again when the wait times out. A device
// interrupts at arbitrary times. Its driver, which has the highest priority, measures the delay
// from the interrupt to its own start: the delay must not be longer with 50 links than with 10.
#include "handles.h"
#include "late_driver.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { LINKS = 50, ROUNDS = 40, SLACK_CYCLES = 8 };

static uint32_t begun;

// A link locks its own mutex and then waits for the mutex of the next link. The prover starts the
// links from the end of the chain, so that the mutex of the next link is already locked.
void link_main(void);
void link_main(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    const uint32_t self = LINKS - 1 - begun++;
    require(bulkhead_mutex_lock(MUTEX_M00 + self, BULKHEAD_FOREVER) == BULKHEAD_OK,
            "a link found its own held");
    if (self != LINKS - 1) {
        bulkhead_mutex_lock(MUTEX_M00 + self + 1, BULKHEAD_FOREVER);
    }
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    require(false, "a link came free");
}

static uint32_t latest_of_chain(uint32_t links) {
    late_driver_latest_cycles = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        require(bulkhead_mutex_lock(MUTEX_M00 + LINKS - links, 1) == BULKHEAD_TIMED_OUT,
                "a lock in the chain was free");
    }
    return late_driver_latest_cycles;
}

void prover_main(void);
void prover_main(void) {
    static const uint32_t lengths[] = {1, 10, LINKS};
    for (uint32_t i = 0; i < LINKS; i++) {
        require(bulkhead_notify(THREAD_L49 - i) == BULKHEAD_OK, "a link was not notified");
        bulkhead_delay(1);
    }
    uint32_t late_cycles[3];
    say("chain: 1, 10, 50 links: late by");
    for (uint32_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        late_cycles[i] = latest_of_chain(lengths[i]);
        say(i == 0 ? " " : ", ");
        say_number(late_cycles[i]);
    }
    require(late_cycles[2] <= late_cycles[1] + SLACK_CYCLES, ": the driver waited for a chain");
    say(" of ");
    say_number(late_driver_interrupts);
    succeed();
}
