// SPDX-License-Identifier: MIT
//
// The hand-over between user space and kernel, in every order in which interrupts and threads can
// come: local.h, user/queue.c and the core are the sources themselves, sequences.c is what
// sequences.S does and gate_entry.c what gate.S does.
#include "explore.h"
#include "world.h"
#include <stdio.h>

static uint32_t scenarios, states;

static void explore_all(const struct scenario *list) {
    for (; list->name != NULL; list++) {
        world_begin(list);
        states += explore(list->name);
        scenarios++;
    }
}

int main(void) {
    explore_all(semaphore_scenarios);
    explore_all(mutex_scenarios);
    explore_all(queue_scenarios);
    explore_all(kernel_queue_scenarios);
    explore_all(flags_scenarios);
    explore_all(pool_scenarios);
    explore_all(gate_scenarios);
    printf("model: scenarios %u, states %u\n", scenarios, states);
    return 0;
}
