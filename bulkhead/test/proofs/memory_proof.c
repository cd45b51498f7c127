// SPDX-License-Identifier: MIT
//
// Proof about core/memory.c: for each part of an array, kernel_copy writes exactly this part, and
// ends. kernel_clear is not proved, because the checker reports its stores of four words as faults;
// the test bulkhead/target/isolation reads the memory that kernel_clear wrote.
#include "proof.h"
#include <memory.c>

enum { WORDS = 24 };

static uint32_t memory[WORDS], source[WORDS];

PROOF(copy, 26) {
    const uint32_t from = nondet_word(), end = nondet_word(), any = nondet_word();
    const uint32_t before = nondet_word(), other = nondet_word();
    assume(from <= end && end <= WORDS && any < WORDS);
    memory[any] = before;
    source[any >= from ? any - from : 0] = other;
    kernel_copy(memory + from, memory + end, source);
    require(memory[any] == (any >= from && any < end ? other : before));
}
