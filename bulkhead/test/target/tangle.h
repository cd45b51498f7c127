// SPDX-License-Identifier: MIT
//
// What the threads of the tangle test share. It outlasts the restarts of their processes.
#ifndef TANGLE_H
#define TANGLE_H

#include <stdbool.h>
#include <stdint.h>

enum { TANGLE_PROCESSES = 2 };

struct ledger {
    uint32_t actions;    // of all threads, the sum of whose nested parts is counted, too
    uint32_t deepest;    // so many mutexes and calls were held at once
    uint32_t faults;     // that threads made on purpose
    uint32_t stuck;      // times that the warden ended a process
    uint32_t random;     // the state of the generator
    uint32_t guard_runs; // rounds of the highest thread
};

extern volatile struct ledger ledger;

// Returns a random number below `bound`.
uint32_t tangle_random(uint32_t bound);

// What a process has: handles. The last three arrays are of its other threads.
struct tangle_process {
    uint32_t own_gate, other_gate;
    uint32_t threads[3];
};

// Makes one random call, and others under the locks that it holds then.
void tangle_act(const struct tangle_process *process);

// Answers calls for ever, and acts before each answer.
_Noreturn void tangle_serve(const struct tangle_process *process);

#endif
