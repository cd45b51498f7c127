// SPDX-License-Identifier: MIT
//
// Proof about core/fault.c: the kernel initialises the memory of a process in pieces. For all
// lengths of its data and of its zeroes, the pieces lie within the memory and follow one another,
// and their number is finite.
#include "proof.h"
#include <fault.c>

enum { WORDS = 40 };

static uint32_t memory[WORDS], source[WORDS];
static uint32_t *expected; // where the next piece begins
static const struct process_memory *loaded;

PROOF(pieces, 7) {
    const uint32_t zero = nondet_word(), end = nondet_word();
    assume(zero <= end && end <= WORDS);
    const struct process_memory process = {source, memory, memory + zero, memory + end};
    expected = memory;
    loaded = &process;
    for (uint32_t *at = process.start; at != process.end;) {
        uint32_t *const next = process_load(&process, at);
        require(next == expected && next > at);
        at = next;
    }
}

// --- Stubs of other files ------------------------------------------------------------------------

void kernel_copy(uint32_t *to, const uint32_t *end, const uint32_t *from) {
    require(to == expected && end <= loaded->zero && end - to <= AT_ONCE);
    require(from == source + (to - memory));
    expected = (uint32_t *)end;
}

void kernel_clear(void *from, const void *end) {
    uint32_t *const to = (uint32_t *)end;
    require(from == expected && to >= loaded->zero && to <= loaded->end);
    require(to - expected <= AT_ONCE);
    expected = to;
}

struct thread *kernel_fail(enum bulkhead_result failure) {
    (void)failure;
    return NO_SWITCH;
}
