// SPDX-License-Identifier: MIT
//
// Console, end of the run and privilege test for code in machine mode. The functions are weak: a
// kernel that runs tasks in user mode defines its own.
#include <arch/console.h>
#include <arch/interrupt.h>
#include <arch/machine.h>
#include <arch/privilege.h>

#define WEAK __attribute__((weak))

// Values written to the SiFive test device to end the run with success, or with a status.
enum { FINISHER_PASS = 0x5555, FINISHER_FAIL = 0x3333 };

WEAK void arch_console_write(const char *text) {
    while (*text != '\0') {
        ARCH_BYTE(ARCH_UART_THR) = (uint8_t)*text++;
    }
}

WEAK _Noreturn void arch_exit(int status) {
    ARCH_WORD(ARCH_FINISHER) =
        status == 0 ? FINISHER_PASS : (uint32_t)status << 16 | (uint32_t)FINISHER_FAIL;
    for (;;) {
    }
}

WEAK void arch_interrupts_off(void) {
    __asm__ volatile("csrci mstatus, %0" ::"i"(ARCH_MSTATUS_MIE) : "memory");
}

WEAK bool arch_privileged(void) {
    return true;
}
