// SPDX-License-Identifier: MIT
//
// State and constants that the processes of programs.c share.
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdint.h>

enum program {
    NESTED_LOCKS, // calls a server while it holds two mutexes; the server calls back; then a fault
    // Threads that lock mutexes in a circle, and a thread that runs without blocking.
    CYCLE_OF_LOCKS,
    // Passes addresses of memory that it may only read for messages, words and results.
    FOREIGN_MEMORY,
    SPENT_HOLDER, // holds a mutex while its time budget is used up, and exits with the mutex locked
    THREADS, // threads that start, suspend, raise and join each other, and exit with locked mutexes
    LOCAL_WORDS, // arbitrary values in the words of local objects for which threads wait
    // Calls in a circle of three threads of two processes, and a fault during a call.
    CIRCULAR_CALLS,
    TIMERS,     // timers of each kind, with times out of range, and a fault while the timers run
    LOGS,       // arbitrary values in a log that two threads write, and an undefined instruction
    EVERYTHING, // three threads that execute parts of all these programs in random order
    PROGRAMS,
};

// The first word of a call to the server. After CALL_BACK, the server calls the hostile process
// before it answers.
enum { ANSWER = 1, CALL_BACK = 0x100 };

struct programs {
    volatile uint32_t number; // enum program
    volatile uint32_t seed;
    uint32_t constants[8]; // the judge requires that these stay unchanged
};

extern struct programs programs;   // the judge's memory; the hostile process reads it
extern volatile uint32_t progress; // the hostile process's memory; the judge reads it

#endif
