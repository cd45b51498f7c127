// SPDX-License-Identifier: MIT
//
// Interrupts for a program under Linux, which can neither mask nor request any.
#ifndef ARCH_INTERRUPT_H
#define ARCH_INTERRUPT_H

// Keeps every other thread of the program from running, because the run is about to end.
void arch_interrupts_off(void);

#endif
