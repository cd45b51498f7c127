// SPDX-License-Identifier: MIT
//
// The protocol between the server and its clients, and the calls that clients make.
//
// A client that finds the queue full or empty waits for an event flag and calls again, so the
// server never waits for a client. A client can set the flags too, but a false flag only wakes
// other clients, which call in vain.
#ifndef MAIL_H
#define MAIL_H

#include <bulkhead/bulkhead.h>

struct message {
    uint32_t sender, number, payload;
};

// The first word of a call is the request; the others are the message. The first word of an answer
// says whether the request is done.
enum mail_request { MAIL_SEND, MAIL_RECEIVE };
enum mail_answer { MAIL_DONE, MAIL_LATER };

// Event flags: the queue has room; the queue has a message.
enum { MAIL_ROOM = 1 << 0, MAIL_THERE = 1 << 1 };

enum bulkhead_result mail_send(const struct message *message);
enum bulkhead_result mail_receive(struct message *message);

#endif
