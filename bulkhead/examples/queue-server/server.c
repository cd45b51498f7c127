// SPDX-License-Identifier: MIT
//
// The server: an ordinary, unprivileged thread that answers one call after another.
#include "mail.h"
#include <handles.h>

enum { CAPACITY = 4 };

static struct message messages[CAPACITY];
static uint32_t sent, received; // numbers of messages since the start; they wrap

static void show(uint32_t flag, uint32_t holds) {
    if (holds) {
        bulkhead_flags_set(FLAGS_MAIL, flag);
    } else {
        bulkhead_flags_clear(FLAGS_MAIL, flag);
    }
}

static void show_state(void) {
    show(MAIL_ROOM, sent - received < CAPACITY);
    show(MAIL_THERE, sent != received);
}

static enum mail_answer send(const uint32_t words[4]) {
    if (sent - received == CAPACITY) {
        return MAIL_LATER;
    }
    messages[sent++ % CAPACITY] = (struct message){words[1], words[2], words[3]};
    return MAIL_DONE;
}

static enum mail_answer receive(uint32_t words[4]) {
    if (sent == received) {
        return MAIL_LATER;
    }
    const struct message *message = &messages[received++ % CAPACITY];
    words[1] = message->sender;
    words[2] = message->number;
    words[3] = message->payload;
    return MAIL_DONE;
}

void server_main(void);
void server_main(void) {
    uint32_t words[4], caller;
    while (bulkhead_gate_receive(GATE_MAIL, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK) {
        words[0] = words[0] == MAIL_SEND ? send(words) : receive(words);
        show_state();
    }
}
