// SPDX-License-Identifier: MIT
//
// What the processes of the ends test tell each other: it outlasts all that end.
#ifndef ENDS_H
#define ENDS_H

#include <stdbool.h>
#include <stdint.h>

// Of the declaration, where threads stand in this order: callers, then processes that fault.
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

// ends.c: less than `bound`; and whether a thread was started and has not ended, nor begun to.
uint32_t random_below(uint32_t bound);
bool is_there(uint32_t thread);

enum mortal_task { SERVES, HOLDS };

// What is done amid an end: with threads that are launched already, with any; its server called;
// one let go that calls it. Before an end: another server of it asked.
enum meddling { NOT_AT_ALL, WITH_LAUNCHED, WITH_ANY, CALLS, LETS_CALL, ASKS };

struct ledger {
    uint32_t latest_cycles; // by which the driver began too late
    uint32_t interrupts;    // since the prover set it back
    bool is_rare;           // then few interrupts come
    enum meddling meddling; // for which the driver wakes the meddler
    uint32_t falls_left;    // that the meddler may cause
    uint32_t awaited;       // ends that were asked for
    bool is_held;           // a caller, by the clerk
    bool is_awaited;        // an end, by the meddler: the driver may let another fall
    // What `mortal` does before it ends, with so many mutexes; and how it ends.
    enum mortal_task task;
    uint32_t mutexes;
    bool faults;
    // Of a crowd, since one of it was about to fault: who began, in this order.
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
