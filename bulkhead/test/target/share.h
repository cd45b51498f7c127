// SPDX-License-Identifier: MIT
//
// The orders that the judge of share.c gives to the writer and to the readers of the share.
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
    RECEIVE_SHORT, // lets the kernel write a received message to `address`
    RECEIVE_WORDS,
    READ_FAULT, // lets the kernel write a fault report to `address`
    SEND,       // sends the message at `address`
    CALL_FROM,  // makes a system call with the stack pointer at `address`
    SPIN,       // reads the word at `address` again and again for `value` ticks
    ANNOUNCE,   // sets flags that the writer waits for, then reads the word at `address`
};

enum writer_attempt {
    PUT,          // writes `value`
    AWAIT_TICKS,  // waits for `value` ticks with its stack pointer in the share
    AWAIT_FLAGS,  // waits for flags with its stack pointer in the share
    COUNT_TICKED, // takes and counts the counts that the timer gave
};

struct share_order {
    uint32_t attempt;
    uint32_t address, value;
    uint32_t result;
    bool is_done;
};

extern volatile struct share_order share_orders[PARTIES];

// The data in the share, which share_writer.c defines.
extern volatile uint32_t shared_value;
extern uint32_t shared_stack[24];
extern char share_start[];

#endif
