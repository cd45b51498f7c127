// SPDX-License-Identifier: MIT
//
// A guest with every kind of trap: calls, software and timer interrupts, nested interrupts, faults
// of loads, stores and instructions, and a trap return where nothing was interrupted.
#include "guest.h"

static volatile uint32_t interrupts, faults;

__attribute__((noinline)) static void nest(void) {
    SOFTWARE_INTERRUPT = 1;
    UNMASK();
    __asm__ volatile("nop");
}

uint32_t trap(uint32_t cause, uint32_t pc) {
    TRAPPED();
    switch (cause) {
    case CALL:
        if (interrupts % 2) {
            nest();
        }
        return pc + 4;
    case INTERRUPT | SOFTWARE:
        SOFTWARE_INTERRUPT = 0;
        interrupts++;
        return pc;
    case INTERRUPT | TIMER:
        TIME_COMPARE_HIGH = UINT32_MAX;
        interrupts++;
        return pc;
    default:
        faults++;
        return pc + 4;
    }
}

static void fault(void) {
    __asm__ volatile(".option push\n\t.option norvc\n\t"
                     "lw t0, 0(%0)\n\tsw t0, 0(%0)\n\tlw t0, 8(%0)\n\t.word 0\n\tunimp\n\t"
                     ".option pop" ::"r"(0x18000000)
                     : "t0", "memory");
}

static void wait_for_timer(void) {
    uint32_t before = interrupts;
    TIME_COMPARE_LOW = TIME + 5;
    TIME_COMPARE_HIGH = 0;
    while (interrupts == before) {
    }
    BENCH_MARK("waited");
}

// Starts a task as kernels start their first task: with a trap return although nothing was
// interrupted.
static void start_task(void) {
    __asm__ volatile(
        "la t0, 1f\n\tcsrw mepc, t0\n\tli t0, 0x1880\n\tcsrs mstatus, t0\n\tmret\n1:" ::
            : "t0", "memory");
    BENCH_MARK("started");
}

void guest(void) {
    TIME_COMPARE_HIGH = UINT32_MAX;
    ENABLE(1 << SOFTWARE | 1 << TIMER);
    start_task();
    for (int i = 0; i < 6; i++) {
        SUPERVISOR_CALL();
        BENCH_MARK("called");
        SOFTWARE_INTERRUPT = 1;
        BENCH_MARK("interrupted");
        wait_for_timer();
        fault();
    }
}
