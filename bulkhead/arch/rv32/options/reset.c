// SPDX-License-Identifier: MIT
//
// Resets the system, for core/options/record.c. There is no watchdog, because QEMU's `virt` machine
// has none.
//
// Sources: Privileged Architecture (version 20211203) 3.1.14 mepc, 3.1.15 mcause; QEMU's `virt`
// machine, whose device `sifive_test` resets the machine.
#include "options/record.h"

#define FINISHER (*(volatile uint32_t *)0x00100000u)
#define FINISHER_RESET 0x7777u

struct arch_place arch_panic_place(void) {
    struct arch_place place;
    __asm__ volatile("csrr %0, mepc" : "=r"(place.pc));
    __asm__ volatile("csrr %0, mcause" : "=r"(place.status));
    return place;
}

_Noreturn void arch_reset_system(void) {
    __asm__ volatile("fence" ::: "memory");
    FINISHER = FINISHER_RESET;
    for (;;) {
    }
}
