// SPDX-License-Identifier: MIT
//
// The functions by which a client calls the server. Each client process has its own copy.
#include "mail.h"
#include <handles.h>

static enum bulkhead_result wait_for(uint32_t flag) {
    return bulkhead_flags_wait_any(FLAGS_MAIL, &flag, BULKHEAD_FOREVER);
}

enum bulkhead_result mail_send(const struct message *message) {
    for (;;) {
        uint32_t words[4] = {MAIL_SEND, message->sender, message->number, message->payload};
        const enum bulkhead_result result = bulkhead_gate_call(GATE_MAIL, words, BULKHEAD_FOREVER);
        if (result != BULKHEAD_OK || words[0] == MAIL_DONE) {
            return result;
        }
        wait_for(MAIL_ROOM);
    }
}

enum bulkhead_result mail_receive(struct message *message) {
    for (;;) {
        uint32_t words[4] = {MAIL_RECEIVE};
        const enum bulkhead_result result = bulkhead_gate_call(GATE_MAIL, words, BULKHEAD_FOREVER);
        if (result != BULKHEAD_OK || words[0] == MAIL_DONE) {
            *message = (struct message){words[1], words[2], words[3]};
            return result;
        }
        wait_for(MAIL_THERE);
    }
}
