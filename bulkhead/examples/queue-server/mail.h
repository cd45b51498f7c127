// SPDX-License-Identifier: MIT
//
// What the server and its clients say to each other, and the calls that clients make.
//
// A client that finds the queue full, or empty, waits for a flag and calls again: the server never
// waits for anyone. A client can set the flags too; that wakes others in vain, and no more.
#ifndef MAIL_H
#define MAIL_H

#include <bulkhead/short.h>

struct message {
    uint32_t sender, number, payload;
};

// The first word of a call; the others are the message. The first of an answer says if it was done.
enum mail_request { MAIL_SEND, MAIL_RECEIVE };
enum mail_answer { MAIL_DONE, MAIL_LATER };

// Flags.
enum { MAIL_ROOM = 1 << 0, MAIL_THERE = 1 << 1 };

enum bulkhead_result mail_send(const struct message *message);
enum bulkhead_result mail_receive(struct message *message);

#endif
