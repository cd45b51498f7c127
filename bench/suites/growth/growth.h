// SPDX-License-Identifier: MIT
//
// Shared by the scenarios of this suite: the nodes that work, and their common start.
#ifndef GROWTH_H
#define GROWTH_H

#include "../multiprocessor/multiprocessor.h"

// The slaves run the measured tasks, so that a central scheduler has the whole master for itself.
// If the machine has only one node, this node runs them.
enum {
    ALONE = PARAM_NODES == 1,
    FIRST_WORKING = ALONE ? 0 : 1,
    WORKING = ALONE ? 1 : PARAM_NODES - 1,
};

// Words of the shared memory, one for each node: the master's word tells the slaves to start, and
// each slave's word says that the slave has arrived.
static inline volatile uint32_t *start_words(void) {
    return (volatile uint32_t *)bench_shared_memory();
}

// Returns when all working nodes have arrived, so that every node works during each measured
// operation. The nodes poll one word, so that all of them return within a few hundred cycles.
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

// Initialises the tasks of a scenario: a table of the starter and `each` tasks for each node. With
// only one node there is no starter.
#define WITH_STARTER(table, each) \
    .tasks = (table) + ALONE, .task_count = (each) * WORKING + (ALONE ? 0 : 1)
#define STARTER TASK_ON(0, starter, LOW_PRIORITY)

// The rows of all nodes in such a table; the macro `ON` makes the rows of one node.
#define ON_EACH_WORKING_NODE(ON)                                                               \
    ON(FIRST_WORKING), ON(2), ON(3), ON(4), ON(5), ON(6), ON(7), ON(8), ON(9), ON(10), ON(11), \
        ON(12), ON(13), ON(14), ON(15)

#endif
