// SPDX-License-Identifier: MIT
//
// The orders of the judge to the writer and to the reader of a share: share.c.
#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stdint.h>

enum { FIRST_VALUE = 0x5AFE, SHARE_BYTES = 256 };

enum { READER, OTHER_READER, WRITER, PARTIES };

enum reader_attempt {
    READ,
    WRITE_WORD,
    WRITE_HALF,
    WRITE_BYTE,
    WRITE_EXCLUSIVE,
    RECEIVE_SHORT, // a message of the kernel, to `address`
    RECEIVE_WORDS,
    READ_FAULT, // a report, to `address`
    SEND,       // a message from `address`
    CALL_FROM,  // a call with the stack pointer at `address`
    SPIN,       // reads `address` for `value` ticks
    ANNOUNCE,   // sets flags of the writer, then reads `address`
};

enum writer_attempt {
    PUT,          // writes `value`
    AWAIT_TICKS,  // waits for `value` ticks with its stack pointer in the share
    AWAIT_FLAGS,  // waits for flags with its stack pointer in the share
    COUNT_TICKED, // takes what the timer gave
};

struct share_order {
    uint32_t attempt;
    uint32_t address, value;
    uint32_t result;
    bool is_done;
};

extern volatile struct share_order share_orders[PARTIES];

// The share. Only the writer's file defines data there.
extern volatile uint32_t shared_value;
extern uint32_t shared_stack[24];
extern char share_start[];

#endif
