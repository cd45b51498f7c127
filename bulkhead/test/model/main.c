// SPDX-License-Identifier: MIT
//
// The model checker of the kernel: explores the transitions between user space and kernel in every
// order in which interrupts and threads can run. local.h, user/queue.c and the core are the real
// sources; sequences.c is a C model of sequences.S, and gate_entry.c one of gate.inc.
#include "explore.h"
#include "world.h"
#include <stdio.h>
#include <string.h>

static uint32_t scenarios, states;
static const char *prefix = ""; // prefix of the names of the scenarios to explore

static void explore_all(const struct scenario *list) {
    for (; list->name != NULL; list++) {
        if (strncmp(list->name, prefix, strlen(prefix)) != 0) {
            continue;
        }
        world_begin(list);
        states += explore(list->name);
        scenarios++;
    }
}

int main(int count, char **arguments) {
    prefix = count > 1 ? arguments[1] : "";
    explore_all(semaphore_scenarios);
    explore_all(mutex_scenarios);
    explore_all(queue_scenarios);
    explore_all(kernel_queue_scenarios);
    explore_all(flags_scenarios);
    explore_all(pool_scenarios);
    explore_all(gate_scenarios);
    explore_all(nested_scenarios);
    explore_all(hostile_scenarios);
    explore_all(restart_scenarios);
    printf("model: scenarios %u, states %u\n", scenarios, states);
    return 0;
}
