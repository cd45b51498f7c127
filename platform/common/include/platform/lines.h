// SPDX-License-Identifier: MIT
//
// Lists the lines that software can request (arch/interrupt.h), for the tables of their handlers.
#ifndef PLATFORM_LINES_H
#define PLATFORM_LINES_H

// Expands to DO(Interrupt0_Handler) … DO(Interrupt15_Handler), ARCH_INTERRUPT_LINES in number.
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
