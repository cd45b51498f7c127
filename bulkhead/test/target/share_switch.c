// SPDX-License-Identifier: MIT
//
// Tests interrupts that write to a share (memory that one process writes and others only read)
// during a context switch between two readers. The share is in a different MPU region for each
// reader. An interrupt is injected before each instruction of the switch. On Armv8-M the write
// first faults, because the regions of a reader forbid it even to the kernel; no interrupt may come
// while the regions are being loaded.
#include "handles.h"
#include "injection.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { POSITIONS = 6000, INJECTED_LINE = 1 };

// Start of the share. Its first word is the count of the writer's semaphore, which the interrupt
// gives.
extern const volatile uint32_t share_start[];

volatile uint32_t share_switch_halves; // set if an interrupt came while regions were being loaded

void prover_main(void);
void high_main(void);
void writer_main(void);

void high_main(void) {
    for (;;) {
        (void)share_start[0];
        bulkhead_suspend(THREAD_HIGH);
    }
}

void writer_main(void) {
}

// Switches with an interrupt injected at `position`. Returns whether the interrupt came.
static bool attempt(uint32_t position) {
    injection_arm(position);
    require(bulkhead_interrupt_pend(INTERRUPT_FIRST) == BULKHEAD_OK, "no switch");
    const bool came = injection_disarm() != 0;
    require(share_start[0] == (came ? position : position - 1), "an interrupt was lost");
    return came;
}

void prover_main(void) {
    uint32_t position = 1;
    injection_bind_line(INJECTED_LINE);
    while (attempt(position)) {
        require(position++ < POSITIONS, "it has no end");
    }
    require(share_switch_halves == 0, "an interrupt finds regions of two processes");
    say("share_switch: interrupts ");
    say_number(position);
    succeed();
}
