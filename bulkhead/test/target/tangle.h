// SPDX-License-Identifier: MIT
//
// State that the threads of the test `tangle` share. Restarts of their processes do not change it.
#ifndef TANGLE_H
#define TANGLE_H

#include <stdbool.h>
#include <stdint.h>

enum { TANGLE_PROCESSES = 2 };

struct ledger {
    uint32_t actions;    // number of actions of all threads, including nested actions
    uint32_t deepest;    // largest number of mutexes and calls that a thread had nested
    uint32_t faults;     // number of faults that threads caused on purpose
    uint32_t stuck;      // number of processes that the warden terminated
    uint32_t random;     // state of the generator
    uint32_t guard_runs; // number of rounds of the thread of the highest priority
};

extern volatile struct ledger ledger;

// Returns a random number below `bound`.
uint32_t tangle_random(uint32_t bound);

// The handles of a process. The last three arrays are of its other threads.
struct tangle_process {
    uint32_t own_gate, other_gate;
    uint32_t threads[3];
};

// Makes one random call; if the call locks a mutex, makes more random calls before it unlocks the
// mutex.
void tangle_act(const struct tangle_process *process);

// Receives calls for ever, and makes a random call before each answer.
_Noreturn void tangle_serve(const struct tangle_process *process);

#endif
