// SPDX-License-Identifier: MIT
//
// The calls that lease_costs.py counts: a client calls a server of a higher priority, with a mark
// before each call. The lent memory is on the stack of the client, and the server copies to it from
// its own stack.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <ticklab.h>

enum { CALLS = 20, MOST_BYTES = 1536, SERVE_QUEUE = 1 };

void client_main_entry(void);
void server_main_entry(void);

static _Noreturn void serve_queue(void) {
    uint32_t message[16];
    for (;;) {
        (void)bulkhead_queue_receive(QUEUE_LONG, message, BULKHEAD_FOREVER);
    }
}

// A call has the bytes of the copy, and the offset of its source on the stack.
void server_main_entry(void) {
    uint32_t words[4] = {0}, caller, own[MOST_BYTES / 4 + 1] = {0};
    for (;;) {
        (void)bulkhead_gate_receive(GATE_VAULT, words, &caller, BULKHEAD_FOREVER);
        if (words[0] == SERVE_QUEUE) {
            serve_queue();
        } else if (words[0] != 0) {
            (void)bulkhead_lease_write(GATE_VAULT, 0, (uint8_t *)own + words[1], words[0]);
        }
    }
}

#define LEND(mark, bytes, source)                                                \
    for (uint32_t i = 0; i < CALLS; i++) {                                       \
        uint32_t asked[4] = {bytes, source};                                     \
        TICKLAB_MARK(mark);                                                      \
        (void)bulkhead_gate_call_lending(GATE_VAULT, asked, lent, sizeof lent,   \
                                         BULKHEAD_LEND_WRITE, BULKHEAD_FOREVER); \
    }

void client_main_entry(void) {
    uint32_t lent[MOST_BYTES / 4], words[4] = {0}, message[16] = {0};
    for (uint32_t i = 0; i < CALLS; i++) {
        TICKLAB_MARK("plain");
        (void)bulkhead_gate_call(GATE_VAULT, words, BULKHEAD_FOREVER);
    }
    LEND("lent", 0, 0)
    LEND("copy-64", 64, 0)
    LEND("copy-512", 512, 0)
    LEND("copy-1536", MOST_BYTES, 0)
    LEND("uneven-512", 512, 1)
    words[0] = SERVE_QUEUE;
    (void)bulkhead_gate_call(GATE_VAULT, words, 1);
    for (uint32_t i = 0; i < CALLS; i++) {
        TICKLAB_MARK("queue");
        (void)bulkhead_queue_send(QUEUE_LONG, message, BULKHEAD_FOREVER);
    }
    succeed();
}
