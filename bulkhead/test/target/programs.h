// SPDX-License-Identifier: MIT
//
// State and numbers that the parts of programs.c share.
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdint.h>

enum program {
    NESTED_LOCKS,   // a call under two locks, whose server calls back, and a fault there
    CYCLE_OF_LOCKS, // and a thread that spins
    FOREIGN_MEMORY, // messages, words and results at addresses that the process only reads
    SPENT_HOLDER,   // a lock that is held while the budget is spent, and when the thread ends
    THREADS,        // that start, suspend, raise and join each other, and end under locks
    LOCAL_WORDS,    // any value in the words of local objects for which threads wait
    CIRCULAR_CALLS, // among three threads of two processes, and a fault while one is served
    TIMERS,         // of each kind, with times that nothing can hold, and a fault while they run
    LOGS,           // any value in the log, which two threads write, and an undefined instruction
    EVERYTHING,     // pieces of all of these in any order, by three threads
    PROGRAMS,
};

// Words of a call to the server: it answers one more, and calls back first if this is so.
enum { ANSWER = 1, CALL_BACK = 0x100 };

struct programs {
    volatile uint32_t number; // enum program
    volatile uint32_t seed;
    uint32_t constants[8]; // that nobody changes
};

extern struct programs programs;   // the judge's memory; the hostile process reads it
extern volatile uint32_t progress; // the hostile process's memory; the judge reads it

#endif
