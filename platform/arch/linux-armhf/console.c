// SPDX-License-Identifier: MIT
//
// The console by semihosting (Arm, Semihosting for AArch32 and AArch64, release 2.0): r0 has the
// operation, r1 its argument, and an SVC with a number of its own makes the call. The emulator
// serves it; Linux does not see it.
#include <arch/console.h>

#include <arch/interrupt.h>
#include <sched.h>
#include <stdint.h>

enum {
    SYS_WRITE0 = 0x04,
    SYS_EXIT_EXTENDED = 0x20,
    ADP_STOPPED_APPLICATION_EXIT = 0x20026,
};

#ifdef __thumb__
#define SEMIHOSTING_SVC "svc 0xab"
#else
#define SEMIHOSTING_SVC "svc 0x123456"
#endif

static void semihosting_call(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile(SEMIHOSTING_SVC : "+r"(r0) : "r"(r1) : "memory");
}

// Reads the whole text first, so that its pages are present: the emulator cannot load them.
void arch_console_write(const char *text) {
    const volatile char *read = text;
    while (*read != '\0') {
        read++;
    }
    semihosting_call(SYS_WRITE0, text);
}

_Noreturn void arch_exit(int status) {
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)status};
    for (;;) {
        semihosting_call(SYS_EXIT_EXTENDED, block);
    }
}

void arch_interrupts_off(void) {
    const struct sched_param highest = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
    (void)sched_setscheduler(0, SCHED_FIFO, &highest);
}
