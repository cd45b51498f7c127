// SPDX-License-Identifier: MIT
//
// A guest whose PendSV handler switches between two threads, as kernels do: it returns to a place
// other than the interrupted one, the first time to the start of a function.
#include "guest.h"

static uint32_t stack[128] __attribute__((aligned(8)));
static uint32_t handlers[128] __attribute__((aligned(8)));
static uint32_t *saved[2];
static uint32_t current;
static volatile uint32_t yields;

__attribute__((noinline, used)) static uint32_t *exchange(uint32_t *stack) {
    saved[current] = stack;
    current ^= 1;
    return saved[current];
}

NAKED void PendSV_Handler(void) {
    BENCH_MARK("pendsv");
    __asm__ volatile("mrs r0, psp\n\t"
                     "stmdb r0!, {r4-r11, lr}\n\t"
                     "bl exchange\n\t"
                     "ldmia r0!, {r4-r11, lr}\n\t"
                     "msr psp, r0\n\t"
                     "bx lr");
}

static void thread_yield(void) {
    yields++;
    ICSR = ICSR_PENDSVSET;
    BARRIER();
}

static void second(void) {
    for (;;) {
        BENCH_MARK("second");
        thread_yield();
    }
}

void guest(void) {
    uint32_t *frame = &stack[128 - 8];
    frame[STACKED_PC] = (uint32_t)second & ~1u;
    frame[7] = 1u << 24; // xPSR: Thumb
    saved[1] = frame - 9;
    saved[1][8] = 0xFFFFFFFD; // LR: thread mode, process stack
    // The first thread continues with the start-up's stack. Handlers get a stack of their own.
    __asm__ volatile("mov r0, sp\n\tmsr psp, r0\n\tmov r0, #2\n\tmsr control, r0\n\tisb\n\t"
                     "msr msp, %0" ::"r"(&handlers[128])
                     : "r0", "memory");
    for (int i = 0; i < 10; i++) {
        BENCH_MARK("first");
        thread_yield();
    }
}
