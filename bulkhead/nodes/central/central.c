// SPDX-License-Identifier: MIT
//
// Selects the role of a node with the central scheduler: node 0 is the master, the others are
// slaves.
#include "central.h"

void scheduler_boot(uint32_t tick_cycles) {
    if (nodes_self == MASTER) {
        master_boot(tick_cycles);
    } else {
        slave_boot();
    }
}

struct thread *scheduler_start(struct thread *first) {
    return nodes_self == MASTER ? master_start(first) : slave_start(first);
}

struct thread *interrupt_software(struct thread *running) {
    return nodes_self == MASTER ? master_requested(running) : slave_decided(running);
}

// Handles the timer interrupt. Only the master keeps time.
struct thread *interrupt_timer(struct thread *running) {
    return nodes_self == MASTER ? master_timer() : running;
}

struct thread *interrupt_external(struct thread *running) {
    return device_is_pending() ? give_for_device(running) : running;
}
