// SPDX-License-Identifier: MIT
//
// What each attack of test/closed.py does, if it is called at all: it tells whether it has the
// processor's privileges. That is the failure that the tests are for.
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

void attack_from_process(void); // p calls it

#endif
