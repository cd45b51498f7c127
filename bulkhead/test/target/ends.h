// SPDX-License-Identifier: MIT
//
// State that the processes of the ends test share. It outlasts all processes that end.
#ifndef ENDS_H
#define ENDS_H

#include <stdbool.h>
#include <stdint.h>

// Indices in the declaration, where threads stand in this order: callers, then processes that
// fault.
enum {
    FIFTY = 50,
    TEN = 10,
    CALLERS_FIRST = 0,
    FIFTY_FIRST = CALLERS_FIRST + FIFTY,
    TEN_FIRST = FIFTY_FIRST + FIFTY,
    ONE_FIRST = TEN_FIRST + TEN,
    KILLED_FIRST = ONE_FIRST + 1,
};

uint32_t own_index(void);

// Defined in ends.c: a random number less than `bound`; whether a thread was started and neither
// has ended nor has begun to end.
uint32_t random_below(uint32_t bound);
bool is_there(uint32_t thread);

enum mortal_task { SERVES, HOLDS };

// Action of the meddler during a termination: with threads that are launched already; with any
// thread; calls the server; lets a thread go that calls it. ASKS comes before a termination: calls
// another server of the process.
enum meddling { NOT_AT_ALL, WITH_LAUNCHED, WITH_ANY, CALLS, LETS_CALL, ASKS };

struct ledger {
    uint32_t latest_cycles; // maximum delay of the driver
    uint32_t interrupts;    // since the prover reset this
    bool is_rare;           // few interrupts come
    enum meddling meddling; // on which the driver wakes the meddler
    uint32_t falls_left;    // faults that the meddler may cause
    uint32_t awaited;       // ends that a call waited for
    bool is_held;           // the clerk holds a caller
    bool is_awaited;        // the meddler waits for an end: the driver may cause a fault
    // The action of `mortal` before it ends, the number of its mutexes, and whether it ends with a
    // fault.
    enum mortal_task task;
    uint32_t mutexes;
    bool faults;
    // The threads of a crowd that have begun since one of them was about to fault, in this order.
    bool fell;
    uint32_t begun;
    uint8_t order[FIFTY];
};

extern volatile struct ledger ledger;

enum { END = 1 << 30 }; // the flag that `mortal` waits for

enum { IMAGE_WORDS = 80, ZEROES = 70, IMAGE_WORD = 0x1A6E0000 };

// The memory of the process of fifty threads.
struct memory {
    uint32_t image[IMAGE_WORDS]; // IMAGE_WORD each, at first
    uint32_t zeroes[ZEROES];
    uint32_t begun[FIFTY];
};

extern volatile struct memory memory;

#endif
