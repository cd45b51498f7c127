// SPDX-License-Identifier: MIT
//
// State that the threads of the tangle test share. It outlasts the restarts of their processes.
#ifndef TANGLE_H
#define TANGLE_H

#include <stdbool.h>
#include <stdint.h>

enum { TANGLE_PROCESSES = 2 };

struct ledger {
    uint32_t actions;    // of all threads; an action in another counts too
    uint32_t deepest;    // maximum of mutexes and calls held at once
    uint32_t faults;     // that threads caused on purpose
    uint32_t stuck;      // processes that the warden ended
    uint32_t random;     // state of the generator
    uint32_t guard_runs; // rounds of the highest thread
};

extern volatile struct ledger ledger;

// Returns a random number below `bound`.
uint32_t tangle_random(uint32_t bound);

// The handles of a process. The last three arrays are of its other threads.
struct tangle_process {
    uint32_t own_gate, other_gate;
    uint32_t threads[3];
};

// Makes one random call, and other calls while it holds locks.
void tangle_act(const struct tangle_process *process);

// Answers calls for ever, and acts before each answer.
_Noreturn void tangle_serve(const struct tangle_process *process);

#endif
