// SPDX-License-Identifier: MIT
//
// The record of a run on a board that nothing observes from outside: passes of marks with the
// counts of the board's clock, the console, and the end of the run, all in memory. A debugger that
// stops the board at bench_ring_full and bench_ring_exited reads them
// (docs/how-to/measure-on-a-board.md).
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include <stdint.h>

enum {
    BENCH_RING_ENTRIES = 1024,
    BENCH_RING_CONSOLE_BYTES = 512,
    BENCH_RING_COSTS = 16, // marks "ring.cost" that follow each other at the start
};

struct bench_ring_entry {
    uint32_t mark;  // the address of the mark
    uint32_t count; // of the board's counter
    uint32_t tick;  // SysTick's current value, which counts down
};

struct bench_ring {
    struct bench_ring_entry *next; // where the next pass is recorded
    struct bench_ring_entry *end;
    struct bench_ring_entry *begin;
    uint32_t status;        // of the run's end
    uint32_t console_bytes; // that are valid in `console`
    char console[BENCH_RING_CONSOLE_BYTES];
};

extern struct bench_ring bench_ring;

// Empties the entries and the console. A debugger stops the board at its first instruction, reads
// both, and lets the board continue.
void bench_ring_full(void);

// Does not return. A debugger stops the board here at the end of the run.
_Noreturn void bench_ring_exited(void);

#endif
