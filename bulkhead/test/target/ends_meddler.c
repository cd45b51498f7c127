// SPDX-License-Identifier: MIT
//
// What a thread above a crowd does amid the end of its process. It lets others of it fault, those
// that were launched already or that it has moved above it, and changes priorities. It starts
// threads, and calls a server, that are being ended: for who asks for one, all of an end comes
// first, so that who asks again finds it over.
#include "ends.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/short.h>

static void let_fall(uint32_t thread) {
    if (ledger.falls_left != 0) {
        ledger.falls_left--;
        bh_notify(thread);
    }
}

static void meddle_with_launched(void) {
    if (is_there(THREAD_F00) && !is_there(THREAD_F49)) {
        bh_set_priority(THREAD_F00, 6);
        let_fall(THREAD_F00);
    }
}

// Meanwhile one above may fault, and the end begin once more: at no lower priority.
static void start(uint32_t thread) {
    const bool is_amid = !is_there(THREAD_F49);
    bh_set_priority(THREAD_F30, 3);
    ledger.is_awaited = true;
    require(bh_start(thread) == BULKHEAD_REFUSED, "a thread was started while its process ends");
    ledger.is_awaited = false;
    require(is_there(THREAD_F49), "who starts was answered before a process had ended");
    ledger.awaited += is_amid;
}

static void meddle_with(uint32_t thread) {
    switch (random_below(4)) {
    case 0:
        let_fall(thread);
        break;
    case 1:
        bh_set_priority(thread, 6);
        let_fall(thread);
        break;
    case 2:
        start(thread);
        break;
    default:
        bh_set_priority(thread, 6 + random_below(20));
        break;
    }
}

static void call(void) {
    uint32_t words[4] = {0};
    if (!is_there(THREAD_T9)) {
        require(bh_call(GATE_LAST, words, BULKHEAD_FOREVER) == BULKHEAD_PEER_LOST,
                "one that ends serves");
        require(is_there(THREAD_T9), "who calls was answered before a process had ended");
        ledger.awaited++;
    }
}

// A client that is answered goes on ahead of its equals: of idle too, with the end at its priority.
void equal_main(void);
void equal_main(void) {
    for (;;) {
        uint32_t words[4] = {0};
        bh_wait(BULKHEAD_FOREVER);
        require(bh_call(GATE_CLERK, words, BULKHEAD_FOREVER) == BULKHEAD_OK, "not answered");
        call();
    }
}

// Holds its client, unless another waits.
void holding_main(void);
void holding_main(void) {
    uint32_t words[4] = {0}, client;
    for (;;) {
        bh_serve(GATE_CLERK, words, &client, BULKHEAD_FOREVER);
        if (words[0] == 0) {
            ledger.is_held = true;
            bh_wait(BULKHEAD_FOREVER);
            ledger.is_held = false;
        }
    }
}

// The clerk inherits from here, and so it answers its client while idle waits.
static void let_call(void) {
    uint32_t words[4] = {1};
    if (ledger.is_held && !is_there(THREAD_T9)) {
        bh_notify(THREAD_CLERK);
        require(bh_call(GATE_CLERK, words, BULKHEAD_FOREVER) == BULKHEAD_OK, "not answered");
    }
}

// Leaves a server of the crowd with the priority of its last client.
static void ask(void) {
    uint32_t words[4] = {0};
    require(bh_call(GATE_BESIDE, words, BULKHEAD_FOREVER) == BULKHEAD_OK, "not answered");
}

void meddler_main(void);
void meddler_main(void) {
    for (;;) {
        bh_wait(BULKHEAD_FOREVER);
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
