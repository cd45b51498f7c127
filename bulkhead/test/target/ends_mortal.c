// SPDX-License-Identifier: MIT
//
// The threads that are terminated in the test `ends` (ends.c): `mortal`, which serves calls or
// holds mutexes, and the threads of the processes that fault (the crowds).
#include "attempts.h"
#include "ends.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

#define FOUR(value) value, value, value, value
#define SIXTEEN(value) FOUR(value), FOUR(value), FOUR(value), FOUR(value)

volatile struct memory memory = {
    .image = {SIXTEEN(IMAGE_WORD), SIXTEEN(IMAGE_WORD), SIXTEEN(IMAGE_WORD), SIXTEEN(IMAGE_WORD),
              SIXTEEN(IMAGE_WORD)},
};

// The thread `mortal`: when it is notified, it receives a call or locks mutexes. When the flag END
// is set, it exits or faults.
void dying_main(void);
void dying_main(void) {
    uint32_t words[4] = {0}, client, flags = END;
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    if (ledger.task == SERVES) {
        bulkhead_gate_receive(GATE_MORTAL, words, &client, BULKHEAD_FOREVER);
    }
    for (uint32_t each = 0; each < ledger.mutexes; each++) {
        require(bulkhead_mutex_lock(MUTEX_M00 + each, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
                "a mutex is not free");
    }
    bulkhead_flags_take_any(FLAGS_END, &flags, BULKHEAD_FOREVER);
    if (ledger.faults) {
        run_undefined(0);
    }
    bulkhead_exit();
}

static void begin(void) {
    const uint32_t self = own_index();
    if (self - FIFTY_FIRST < FIFTY) {
        require(memory.begun[self - FIFTY_FIRST]++ == 0, "a thread began twice");
    }
    ledger.order[ledger.begun % FIFTY] = (uint8_t)self;
    ledger.begun++;
    // A thread may call the last thread of its process as its first action, so the kernel must have
    // launched all threads before the first one runs.
    if (self == TEN_FIRST) {
        require(is_there(THREAD_T9), "a thread began before all were launched");
    }
}

static _Noreturn void fall(void) {
    ledger.begun = 0;
    ledger.fell = true;
    for (;;) {
        run_undefined(0);
    }
}

void crowd_main(void);
void crowd_main(void) {
    begin();
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    fall();
}

// Calls the last thread of its process, which then runs at the priority of this caller, and faults.
void beside_main(void);
void beside_main(void) {
    uint32_t words[4] = {0};
    begin();
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    bulkhead_gate_call(GATE_LAST, words, BULKHEAD_FOREVER);
    fall();
}

// A server of the crowd. While it waits for the next call, it keeps the priority of its last
// client.
void clerk_main(void);
void clerk_main(void) {
    uint32_t words[4] = {0}, client;
    begin();
    for (;;) {
        bulkhead_gate_receive(GATE_BESIDE, words, &client, BULKHEAD_FOREVER);
    }
}

// The last thread of its process: a server that receives one call and never answers.
void server_main(void);
void server_main(void) {
    uint32_t words[4] = {0}, client;
    begin();
    bulkhead_gate_receive(GATE_LAST, words, &client, BULKHEAD_FOREVER);
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    fall();
}
