// SPDX-License-Identifier: MIT
//
// The interface of each attack of test/closed.py: an attack that is called says whether it is
// privileged. If it is, the test fails.
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
