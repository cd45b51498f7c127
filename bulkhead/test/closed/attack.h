// SPDX-License-Identifier: MIT
//
// The interface of each attack that test/closed.py links into the application `p`. An attack
// reports whether it runs privileged. If it does, the test fails.
#ifndef ATTACK_H
#define ATTACK_H

#include <arch/console.h>
#include <arch/privilege.h>

static inline void attack(void) {
    if (arch_privileged()) {
        arch_console_write("application code runs privileged\n");
        arch_exit(1);
    }
}

void attack_from_process(void); // called by a thread of process p

#endif
