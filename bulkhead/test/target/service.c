// SPDX-License-Identifier: MIT
//
// The server in the test `calls`, in a process of its own.
#include "service.h"
#include "floats.h"
#include "handles.h"
#include "report.h"
#include "service_receive.h"
#include <bulkhead/bulkhead.h>

static uint32_t wrong_registers, wrong_polls;

static void spin(uint32_t ticks) {
    const uint32_t start = bulkhead_page.ticks;
    while (bulkhead_page.ticks - start < ticks) {
    }
}

// Tries to receive calls without waiting. The first attempt answers the caller that the server
// serves; no other thread calls. A wrong attempt that waits would take a tick, so the elapsed ticks
// show it.
static void poll(uint32_t words[4]) {
    enum { POLLS = 8 };
    const uint32_t start = bulkhead_page.ticks;
    for (int i = 0; i < POLLS; i++) {
        uint32_t caller;
        wrong_polls += bulkhead_gate_receive(GATE_SERVICE, words, &caller, BULKHEAD_NO_WAIT) !=
                       BULKHEAD_TIMED_OUT;
    }
    wrong_polls += bulkhead_page.ticks - start >= POLLS / 2;
}

static void serve(uint32_t words[4], uint32_t caller) {
    switch (words[0]) {
    case SPIN:
        spin(words[1]);
        break;
    case SLEEP:
        bulkhead_delay(words[1]);
        break;
    case FAULT:
        bulkhead_delay(words[1]);
        *(volatile uint32_t *)0 = 0;
        break;
    case RECURSE: {
        uint32_t to_itself[4] = {ECHO};
        words[1] = bulkhead_gate_call(GATE_SERVICE, to_itself, BULKHEAD_FOREVER);
        return;
    }
    case FILL:
        floats_fill(~0u, ~0u);
        break;
    case LOOK:
        words[1] = !floats_have(0, 0);
        return;
    case POLL:
        poll(words);
        return;
    case COMPARE:
        words[1] = wrong_registers;
        words[2] = wrong_polls;
        words[0] = caller;
        return;
    }
    words[0] = caller;
    for (int i = 1; i < 4; i++) {
        words[i] = echo_of(words[i]);
    }
}

void server_main(void);
void server_main(void) {
    uint32_t words[4] = {0};
    for (;;) {
        uint32_t caller;
        wrong_registers +=
            service_receive(words, &caller, GATE_SERVICE, BULKHEAD_GATE_RECEIVE) != 0;
        serve(words, caller);
    }
}

// A thread of the server's process that tries to receive calls. It is not the server of the gate,
// so the kernel must refuse.
void impostor_main(void);
void impostor_main(void) {
    uint32_t words[4] = {0}, caller;
    const enum bulkhead_result result =
        bulkhead_gate_receive(GATE_SERVICE, words, &caller, BULKHEAD_NO_WAIT);
    if (result == BULKHEAD_REFUSED) {
        bulkhead_semaphore_give(SEMAPHORE_REFUSED);
    }
    bulkhead_exit();
}
