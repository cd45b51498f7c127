// SPDX-License-Identifier: MIT
//
// State that the processes of the test `ends` (ends.c) share. It is in memory of a process that is
// never terminated.
#ifndef ENDS_H
#define ENDS_H

#include <stdbool.h>
#include <stdint.h>

// Indices of threads in the declaration, which lists the 50 callers first and then the threads of
// the processes that fault.
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

// Defined in ends.c. random_below() returns a random number less than `bound`. is_there() returns
// whether a thread was started and its termination has not begun.
uint32_t random_below(uint32_t bound);
bool is_there(uint32_t thread);

enum mortal_task { SERVES, HOLDS };

// Actions of the meddler during a termination. WITH_LAUNCHED and WITH_ANY: acts on a thread of the
// process that is launched again, or on any of its threads. CALLS: calls the last thread of the
// process, a server. LETS_CALL: lets another thread call this server. ASKS: before the termination,
// calls another server of the process.
enum meddling { NOT_AT_ALL, WITH_LAUNCHED, WITH_ANY, CALLS, LETS_CALL, ASKS };

struct ledger {
    uint32_t latest_cycles; // longest delay from an interrupt to the start of the driver
    uint32_t interrupts;    // number of interrupts since the prover set this to 0
    bool is_rare;           // the device interrupts seldom
    enum meddling meddling; // the driver wakes the meddler if this is not NOT_AT_ALL
    uint32_t falls_left;    // faults that the meddler may cause
    uint32_t awaited; // number of calls of the meddler that waited for the end of a termination
    bool is_held;     // the clerk serves a caller and does not answer yet
    // The meddler waits for the end of a termination, so the driver may cause a fault.
    bool is_awaited;
    // Action of the thread `mortal` before it ends, the number of mutexes that it locks, and
    // whether it ends with a fault.
    enum mortal_task task;
    uint32_t mutexes;
    bool faults;
    // `fell`: a thread of a crowd is about to fault or has faulted. `begun` and `order`: the
    // threads of the crowd that have started since, in this order.
    bool fell;
    uint32_t begun;
    uint8_t order[FIFTY];
};

extern volatile struct ledger ledger;

enum { END = 1 << 30 }; // the flag that `mortal` waits for

enum { IMAGE_WORDS = 80, ZEROES = 70, IMAGE_WORD = 0x1A6E0000 };

// The memory of the process of fifty threads.
struct memory {
    uint32_t image[IMAGE_WORDS]; // each word is IMAGE_WORD in the image
    uint32_t zeroes[ZEROES];
    uint32_t begun[FIFTY];
};

extern volatile struct memory memory;

#endif
