// SPDX-License-Identifier: MIT
//
// Tests interrupts that the kernel delivers to threads of a driver process: each interrupt is
// delivered once, none before the thread has acknowledged the previous one, none is lost, and none
// reaches another process.
#include "driven.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { TIMERS = 1000, ROUNDS = 100 };

static void request(void) {
    require(bulkhead_interrupt_pend(INTERRUPT_REQUEST) == BULKHEAD_OK, "a request was refused");
}

// Tests the line that software pends. The driver has a higher priority than this thread, so it has
// served the interrupt when the call that pends the line returns.
static void test_edges(void) {
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        request();
        require(driven.edges == round, "a request did not reach the driver at once");
    }
}

static void test_masked(void) {
    const uint32_t before = driven.edges;
    driven.holds = 1;
    request();
    require(driven.edges == before + 1, "a request did not reach the driver");
    request();
    request();
    require(driven.edges == before + 1, "a line interrupts before it is acknowledged");
    driven.holds = 0;
    bulkhead_notify(THREAD_EDGES);
    require(driven.edges == before + 2, "a request was lost while the line was masked");
}

static void test_levels(void) {
    while (driven.timers < TIMERS) {
    }
    require(driven.spurious == 0, "the driver was told of interrupts that there were not");
}

static void test_rights(void) {
    require(bulkhead_interrupt_wait(INTERRUPT_TIMER, BULKHEAD_NO_WAIT) == BULKHEAD_DENIED,
            "a process waits for another's interrupt");
    require(bulkhead_interrupt_acknowledge(INTERRUPT_REQUEST) == BULKHEAD_DENIED,
            "a process acknowledges another's interrupt");
    require(bulkhead_interrupt_pend(INTERRUPT_TIMER) == BULKHEAD_DENIED,
            "a process requests an interrupt without the right");
}

// Tests a driver that faults while its interrupt line is masked: after the restart of its process,
// it receives interrupts again.
static void test_restart(void) {
    driven.crashes = 1;
    request();
    require(bulkhead_notification_wait(BULKHEAD_NO_WAIT) == BULKHEAD_OK, "no fault was told");
    require(driven.edges == 0 && driven.crashes == 0, "the driver was not restarted");
    request();
    require(driven.edges == 1, "a restarted driver has no interrupts");
    test_levels();
}

void user_main(void);
void user_main(void) {
    test_edges();
    test_masked();
    test_levels();
    test_rights();
    test_restart();
    say("driver: interrupts ");
    say_number(driven.timers);
    succeed();
}
