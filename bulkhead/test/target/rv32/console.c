// SPDX-License-Identifier: MIT
//
// The console of a test over semihosting (RISC-V Semihosting, version 1.0, with the operation
// numbers of Arm's specification). A call has the operation in a0 and its argument in a1. The
// instruction is EBREAK between two instructions without effect; none of the three may be
// compressed, and all three must be in one page.
#include <arch/console.h>

#include <stdint.h>

enum {
    SYS_WRITE0 = 0x04,
    SYS_EXIT_EXTENDED = 0x20,
    ADP_STOPPED_APPLICATION_EXIT = 0x20026,
};

static void semihosting_call(uint32_t operation, const void *argument) {
    register uint32_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(".option push\n\t"
                     ".option norvc\n\t"
                     ".balign 16\n\t"
                     "slli x0, x0, 0x1f\n\t"
                     "ebreak\n\t"
                     "srai x0, x0, 7\n\t"
                     ".option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
}

void arch_console_write(const char *text) {
    semihosting_call(SYS_WRITE0, text);
}

_Noreturn void arch_exit(int status) {
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)status};
    for (;;) {
        semihosting_call(SYS_EXIT_EXTENDED, block);
    }
}
