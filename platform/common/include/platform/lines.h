// SPDX-License-Identifier: MIT
//
// The lines that software requests (arch/interrupt.h), one by one, for the tables of their
// handlers.
#ifndef PLATFORM_LINES_H
#define PLATFORM_LINES_H

// DO(Interrupt0_Handler) … DO(Interrupt15_Handler), as many as ARCH_INTERRUPT_LINES.
#define PLATFORM_EACH_LINE(DO) \
    DO(Interrupt0_Handler)     \
    DO(Interrupt1_Handler)     \
    DO(Interrupt2_Handler)     \
    DO(Interrupt3_Handler)     \
    DO(Interrupt4_Handler)     \
    DO(Interrupt5_Handler)     \
    DO(Interrupt6_Handler)     \
    DO(Interrupt7_Handler)     \
    DO(Interrupt8_Handler)     \
    DO(Interrupt9_Handler)     \
    DO(Interrupt10_Handler)    \
    DO(Interrupt11_Handler)    \
    DO(Interrupt12_Handler)    \
    DO(Interrupt13_Handler)    \
    DO(Interrupt14_Handler)    \
    DO(Interrupt15_Handler)

#endif
