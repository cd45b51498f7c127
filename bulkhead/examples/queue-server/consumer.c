// SPDX-License-Identifier: MIT
//
// Receives the messages of the senders, and tests that none is lost, duplicated or changed.
#include "mail.h"
#include <console.h>

enum { SENDERS = 2, MESSAGES = 2000 };

static uint32_t counts[SENDERS];

static uint32_t is_next(const struct message *message) {
    return message->sender < SENDERS && message->number == counts[message->sender] &&
           message->payload == ~message->number;
}

void consumer_main(void);
void consumer_main(void) {
    struct message message;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        mail_receive(&message);
        wrong += !is_next(&message);
        counts[message.sender % SENDERS]++;
    }
    console_write("consumer: messages ");
    console_write_number(MESSAGES);
    console_write(", wrong ");
    console_write_number(wrong);
    console_write(counts[0] == counts[1] ? ", as many from each\n" : ", more from one\n");
    console_end();
}
