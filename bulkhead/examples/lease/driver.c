// SPDX-License-Identifier: MIT
//
// The driver: fills the buffer that its client lends with samples, one for each interrupt of the
// timer. It cannot write beyond the buffer, nor after its answer.
#include <bulkhead/bulkhead.h>
#include <handles.h>

#define TIMER_CTRL (*(volatile uint32_t *)0x40000000u)
#define TIMER_VALUE (*(volatile uint32_t *)0x40000004u)
#define TIMER_RELOAD (*(volatile uint32_t *)0x40000008u)
#define TIMER_INTCLEAR (*(volatile uint32_t *)0x4000000Cu)

enum { RUN_INTERRUPTING = 9, PERIOD_CYCLES = 25000 };

static uint32_t next_sample(void) {
    static uint32_t sample;
    (void)bulkhead_interrupt_wait(INTERRUPT_TIMER, BULKHEAD_FOREVER);
    TIMER_INTCLEAR = 1;
    return ++sample;
}

// Writes samples to the buffer. Returns the number written, which is lower than `samples` if the
// buffer is too small.
static uint32_t fill_lease(uint32_t samples) {
    uint32_t written = 0;
    while (written != samples) {
        const uint32_t sample = next_sample();
        if (bulkhead_lease_write(GATE_SAMPLES, written * sizeof sample, &sample, sizeof sample) !=
            BULKHEAD_OK) {
            break;
        }
        written++;
    }
    return written;
}

void driver_main(void);
void driver_main(void) {
    uint32_t words[4] = {0}, caller;
    TIMER_RELOAD = PERIOD_CYCLES;
    TIMER_VALUE = PERIOD_CYCLES;
    TIMER_CTRL = RUN_INTERRUPTING;
    for (;;) {
        if (bulkhead_gate_receive(GATE_SAMPLES, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK) {
            words[0] = fill_lease(words[0]);
        }
    }
}
