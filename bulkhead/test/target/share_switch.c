// SPDX-License-Identifier: MIT
//
// Interrupts that write to a share around the loading of the regions of a process that reads it:
// one before each instruction of a switch between two readers, to which the share is another region
// each. On Armv8-M the write is a fault, and no interrupt may come while the regions are loaded.
#include "handles.h"
#include "injection.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { POSITIONS = 6000, INJECTED_LINE = 1 };

// The share. Its first word is the count of the writer's semaphore, which the interrupt gives.
extern const volatile uint32_t share_start[];

volatile uint32_t share_switch_halves; // an interrupt came while regions were loaded

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

// Returns whether the interrupt came.
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
