// SPDX-License-Identifier: MIT
//
// The meddler of the test `ends` (ends.c): a thread that acts while a process of lower priority
// (the crowd) is terminated and restarted. It lets threads of the crowd fault again and changes
// their priorities. It starts threads, and calls a server, that are being terminated: the kernel
// completes the termination before it answers such a call, so that the next such call finds the
// termination complete.
#include "ends.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

static void let_fall(uint32_t thread) {
    if (ledger.falls_left != 0) {
        ledger.falls_left--;
        bulkhead_notify(thread);
    }
}

static void meddle_with_launched(void) {
    if (is_there(THREAD_F00) && !is_there(THREAD_F49)) {
        bulkhead_set_priority(THREAD_F00, 6);
        let_fall(THREAD_F00);
    }
}

// Starts a thread that is being terminated. While the call waits, a thread of higher priority may
// fault, and the termination then starts again. It must not continue at a lower priority than
// before.
static void start(uint32_t thread) {
    const bool is_terminating = !is_there(THREAD_F49);
    bulkhead_set_priority(THREAD_F30, 3);
    ledger.is_awaited = true;
    require(bulkhead_start_thread(thread) == BULKHEAD_REFUSED,
            "a thread was started while its process ends");
    ledger.is_awaited = false;
    require(is_there(THREAD_F49), "a start returned before a process was terminated");
    ledger.awaited += is_terminating;
}

static void meddle_with(uint32_t thread) {
    switch (random_below(4)) {
    case 0:
        let_fall(thread);
        break;
    case 1:
        bulkhead_set_priority(thread, 6);
        let_fall(thread);
        break;
    case 2:
        start(thread);
        break;
    default:
        bulkhead_set_priority(thread, 6 + random_below(20));
        break;
    }
}

static void call(void) {
    uint32_t words[4] = {0};
    if (!is_there(THREAD_T9)) {
        require(bulkhead_gate_call(GATE_LAST, words, BULKHEAD_FOREVER) == BULKHEAD_PEER_LOST,
                "one that ends serves");
        require(is_there(THREAD_T9), "a call returned before a process was terminated");
        ledger.awaited++;
    }
}

// Calls the clerk, and then the crowd's server. A client that has its answer runs before ready
// threads of equal priority, and also before the idle thread that continues a termination at this
// priority.
void equal_main(void);
void equal_main(void) {
    for (;;) {
        uint32_t words[4] = {0};
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        require(bulkhead_gate_call(GATE_CLERK, words, BULKHEAD_FOREVER) == BULKHEAD_OK,
                "not answered");
        call();
    }
}

// The clerk. If the first word of a call is 0, it answers only after a notification.
void holding_main(void);
void holding_main(void) {
    uint32_t words[4] = {0}, client;
    for (;;) {
        bulkhead_gate_receive(GATE_CLERK, words, &client, BULKHEAD_FOREVER);
        if (words[0] == 0) {
            ledger.is_held = true;
            bulkhead_notification_wait(BULKHEAD_FOREVER);
            ledger.is_held = false;
        }
    }
}

// Lets the clerk answer its client during a termination. The clerk inherits the priority of this
// call, so it runs before the idle thread continues the termination.
static void let_call(void) {
    uint32_t words[4] = {1};
    if (ledger.is_held && !is_there(THREAD_T9)) {
        bulkhead_notify(THREAD_CLERK);
        require(bulkhead_gate_call(GATE_CLERK, words, BULKHEAD_FOREVER) == BULKHEAD_OK,
                "not answered");
    }
}

// Calls a server of the crowd that then waits for its next call. On the fast path such a server
// keeps the priority of its last client.
static void ask(void) {
    uint32_t words[4] = {0};
    require(bulkhead_gate_call(GATE_BESIDE, words, BULKHEAD_FOREVER) == BULKHEAD_OK,
            "not answered");
}

void meddler_main(void);
void meddler_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        if (ledger.meddling == ASKS) {
            ask();
        } else if (ledger.meddling == CALLS) {
            call();
        } else if (ledger.meddling == LETS_CALL) {
            let_call();
        } else if (ledger.meddling == WITH_LAUNCHED) {
            meddle_with_launched();
        } else {
            meddle_with(THREAD_F00 + random_below(FIFTY));
        }
    }
}
