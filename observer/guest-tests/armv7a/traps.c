// SPDX-License-Identifier: MIT
//
// A guest with every kind of exception: calls, interrupts of a device and of software, interrupts
// inside interrupts, faults of loads, stores, instructions and fetches.
#include "guest.h"

static volatile uint32_t interrupts, faults;

void call_nowhere(void);

static void interrupt(void) {
    uint32_t acknowledged = GICC_IAR;
    if ((acknowledged & 0x3FF) == TIMER) {
        stop_timer();
    }
    GICC_EOIR = acknowledged;
    interrupts++;
    if (interrupts % 4 == 1) {
        request();
        NEST();
    }
}

void trap(uint32_t vector) {
    TRAPPED();
    switch (vector) {
    case INTERRUPT:
        interrupt();
        break;
    case SUPERVISOR_CALL:
        if (interrupts % 2) {
            NEST();
        }
        break;
    default:
        faults++;
    }
}

static void fault(void) {
    __asm__ volatile("ldr r0, [%0]\n\tstr r0, [%0]\n\tudf #0\n\tldmia %0, {r0, r1}\n\t"
                     "cmp %0, #0\n\tldreq r0, [%0]\n\tldrne r0, [%0]\n\tbkpt #1" ::"r"(0x0F000000)
                     : "r0", "r1", "cc", "memory");
    call_nowhere();
}

static void wait_for_timer(void) {
    uint32_t before = interrupts;
    set_timer(20);
    while (interrupts == before) {
    }
    BENCH_MARK("waited");
}

// Requests while interrupts are masked: the request is outstanding.
static void request_masked(void) {
    MASK();
    request();
    BENCH_MARK("requested");
    UNMASK();
    BENCH_MARK("interrupted");
}

// Starts a task as kernels start their first task: by RFE although nothing was interrupted.
static void start_task(void) {
    __asm__ volatile("mrs r1, cpsr\n\tldr r0, =1f\n\tpush {r0, r1}\n\trfeia sp!\n\t.ltorg\n1:" ::
                         : "r0", "r1", "memory");
    BENCH_MARK("started");
}

void guest(void) {
    enable_interrupts();
    UNMASK();
    start_task();
    for (int i = 0; i < 6; i++) {
        CALL();
        BENCH_MARK("called");
        request();
        BENCH_MARK("interrupted");
        wait_for_timer();
        request_masked();
        fault();
    }
    MASK();
}
