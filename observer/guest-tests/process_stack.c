// SPDX-License-Identifier: MIT
//
// A guest whose handler sets the process stack, as one that restores a task does, and then makes
// ordinary jumps through registers to the starts of functions: a tail call, and one in the function
// that follows in memory.
#include "guest.h"

__attribute__((noinline, used)) static void hook(void) {
    BENCH_MARK("hook");
    ICSR = ICSR_PENDSVSET; // PendSV is taken when the handler has returned
    BARRIER();
}

void PendSV_Handler(void) {
    BENCH_MARK("pendsv");
}

// Sets the process stack. Its last instructions lie directly before those of `run`.
NAKED __attribute__((used)) static void set_process_stack(void) {
    __asm__ volatile("ldmia r0!, {r2, r3}\n\t"
                     "msr psp, r0\n\t"
                     "bx lr\n\t"
                     ".thumb_func\n\t"
                     "run: bx r3");
}

NAKED void SVC_Handler(void) {
    BENCH_MARK("svcall");
    __asm__ volatile("push {r4, lr}\n\t"
                     "mov r0, sp\n\t"
                     "bl set_process_stack\n\t"
                     "ldr r3, =hook\n\t"
                     "bl run\n\t"
                     "pop {r4, lr}\n\t"
                     "ldr r3, =hook\n\t"
                     "mov r0, sp\n\t"
                     "msr psp, r0\n\t"
                     "bx r3\n\t"
                     ".ltorg");
}

void guest(void) {
    for (int i = 0; i < 4; i++) {
        SUPERVISOR_CALL();
        BENCH_MARK("round");
    }
}
