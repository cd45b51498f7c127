// SPDX-License-Identifier: MIT
//
// The console by semihosting (Arm, Semihosting for AArch32 and AArch64, release 2.0): r0 has the
// operation, r1 its argument, and SVC 0x123456 makes the call in A32. The host serves the call, and
// no exception is taken.
#include <arch/console.h>

#include <stdint.h>

enum {
    SYS_WRITE0 = 0x04,
    SYS_EXIT_EXTENDED = 0x20,
    ADP_STOPPED_APPLICATION_EXIT = 0x20026,
};

static void semihosting_call(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("svc 0x123456" : "+r"(r0) : "r"(r1) : "memory", "lr");
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
