// SPDX-License-Identifier: MIT
//
// Shared by the scenarios of this suite: the nodes that work, and their common start.
#ifndef GROWTH_H
#define GROWTH_H

#include "../multiprocessor/multiprocessor.h"

// The slaves work, so that a central scheduler has the whole master for them. A node that is alone
// works itself.
enum {
    ALONE = PARAM_NODES == 1,
    FIRST_WORKING = ALONE ? 0 : 1,
    WORKING = ALONE ? 1 : PARAM_NODES - 1,
};

// Words of the shared memory: the master's tells the slaves to start, the others that a slave has
// arrived.
static inline volatile uint32_t *start_words(void) {
    return (volatile uint32_t *)bench_shared_memory();
}

// Returns once all working nodes have arrived, so that each measured operation meets the load of
// all. The nodes poll one word, so that they leave within a few hundred cycles.
static inline void start_together(void) {
    start_words()[bench_node_self()] = 1;
    while (!start_words()[0]) {
    }
}

// The master's only task: starts the slaves when all of them have arrived.
static void starter(void) {
    for (uint32_t node = FIRST_WORKING; node < FIRST_WORKING + WORKING; node++) {
        while (!start_words()[node]) {
        }
    }
    start_words()[0] = 1;
    bench_task_exit();
}

// The tasks of a table that begins with the starter, and their number with `each` on each node. A
// node that is alone needs no starter.
#define WITH_STARTER(table, each) \
    .tasks = (table) + ALONE, .task_count = (each) * WORKING + (ALONE ? 0 : 1)
#define STARTER TASK_ON(0, starter, LOW_PRIORITY)

// Rows of such a table: `ON` is a macro that makes those of one node.
#define ON_EACH_WORKING_NODE(ON)                                                               \
    ON(FIRST_WORKING), ON(2), ON(3), ON(4), ON(5), ON(6), ON(7), ON(8), ON(9), ON(10), ON(11), \
        ON(12), ON(13), ON(14), ON(15)

#endif
