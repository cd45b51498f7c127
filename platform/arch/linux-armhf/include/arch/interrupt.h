// SPDX-License-Identifier: MIT
//
// A program under Linux masks and requests no interrupts: the kernel keeps them to itself.
#ifndef ARCH_INTERRUPT_H
#define ARCH_INTERRUPT_H

// Keeps every other thread of the program from running, because the run is about to end.
void arch_interrupts_off(void);

#endif
