// SPDX-License-Identifier: MIT
//
// A boot loader that leaves every register of the processor in the worst possible state before it
// enters the kernel's start-up code. The linker puts it before that code (--wrap=Reset_Handler),
// and this file is linked into the kernel.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B1.4, B3.2, B3.4, B3.5.
#include <stdint.h>

#define WORD(address) (*(volatile uint32_t *)(address))
#define ALL_OF_MEMORY_FOR_EVERYONE (3u << 24 | 31u << 1 | 1u) // RASR

enum { FIRST_UNBOUND_LINE = 20, LAST_LINE = 31, HIGHEST_MASK = 0x20 };

__attribute__((used)) static void spoil(void) {
    const uint32_t regions = WORD(0xE000ED90u) >> 8 & 0xFFu;
    __asm__ volatile("cpsid i" ::: "memory");
    for (uint32_t region = 0; region < regions; region++) {
        WORD(0xE000ED98u) = region;
        WORD(0xE000ED9Cu) = 0;
        WORD(0xE000EDA0u) = ALL_OF_MEMORY_FOR_EVERYONE;
    }
    for (uint32_t line = FIRST_UNBOUND_LINE; line <= LAST_LINE; line++) {
        WORD(0xE000E100u) = 1u << line;
        WORD(0xE000E200u) = 1u << line;
    }
    // AIRCR: no bit of a priority is for preemption, so no interrupt preempts another.
    WORD(0xE000ED0Cu) = 0x05FA0700u;
    WORD(0xE000ED10u) = 1u << 1; // SCR: sleeps when it returns from a handler
    // CCR: unprivileged code may pend interrupts; traps of divisions and unaligned accesses.
    WORD(0xE000ED14u) |= 1u << 1 | 3u << 3;
    WORD(0xE000EF34u) = 0; // FPCCR: no automatic saving of floating-point registers
    WORD(0xE000ED04u) = 1u << 28 | 1u << 26; // ICSR: PendSV and SysTick are pending
    WORD(0xE000E014u) = 100;
    WORD(0xE000E010u) = 7; // SysTick runs
    __asm__ volatile("msr basepri, %0" : : "r"(HIGHEST_MASK));
}

// Masks interrupts, selects the process stack (PSP = 0x20000100), and jumps to the start-up code.
__attribute__((naked)) void __wrap_Reset_Handler(void);
__attribute__((naked)) void __wrap_Reset_Handler(void) {
    __asm__ volatile("bl spoil\n\t"
                     "ldr r0, =0x20000100\n\t"
                     "msr psp, r0\n\t"
                     "movs r0, #2\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "b __real_Reset_Handler");
}
