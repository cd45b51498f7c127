// SPDX-License-Identifier: MIT
//
// The ring of marks (bench/ring.h), and its start-up code, which enables the core's cycle counter
// and passes the mark "ring.cost" several times, so that each run measures the cost of a mark.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) C1.6.5 DEMCR, C1.8.7 DWT_CTRL.
#include <bench/mark.h>
#include <bench/ring.h>
#include <stddef.h>

#define DEMCR (*(volatile uint32_t *)0xE000EDFCu)
#define DEMCR_TRCENA (1u << 24)
#define DWT_CTRL (*(volatile uint32_t *)0xE0001000u)
#define DWT_CTRL_CYCCNTENA 1u

static __attribute__((section(".noinit"))) struct bench_ring_entry entries[BENCH_RING_ENTRIES];

// The attribute `used` keeps the ring, to which only the assembler code of marks refers.
__attribute__((used)) struct bench_ring bench_ring = {
    .next = entries,
    .end = entries + BENCH_RING_ENTRIES,
    .begin = entries,
};

_Static_assert(offsetof(struct bench_ring, begin) == 8 && offsetof(struct bench_ring, next) == 0 &&
                   offsetof(struct bench_ring, console_bytes) == 16,
               "must equal the offsets in assembler");

// Empties the full ring. A debugger stops the board at the first instruction, reads the ring, and
// continues after this instruction (a nop), because some debug servers would stop there again.
// Changes no register but r0 and r2, as marks expect.
__attribute__((naked, noinline, used)) void bench_ring_full(void) {
    __asm__("nop\n\t"
            "movw r2, #:lower16:bench_ring\n\t"
            "movt r2, #:upper16:bench_ring\n\t"
            "ldr r0, [r2, #8]\n\t"
            "str r0, [r2]\n\t"
            "movs r0, #0\n\t"
            "str r0, [r2, #16]\n\t"
            "bx lr");
}

__attribute__((naked, noinline)) _Noreturn void bench_ring_exited(void) {
    __asm__("b bench_ring_exited");
}

#define PASS_FOUR            \
    BENCH_MARK("ring.cost"); \
    BENCH_MARK("ring.cost"); \
    BENCH_MARK("ring.cost"); \
    BENCH_MARK("ring.cost")

// Runs after the board's own constructor (priority 101), which sets the clock.
__attribute__((constructor(200))) static void start(void) {
    DEMCR |= DEMCR_TRCENA;
    DWT_CTRL |= DWT_CTRL_CYCCNTENA;
    // Passes BENCH_RING_COSTS marks, without a loop around them.
    PASS_FOUR;
    PASS_FOUR;
    PASS_FOUR;
    PASS_FOUR;
}
