// SPDX-License-Identifier: MIT
//
// The architecture layer for the proofs: 32 bits, and an arbitrary value wherever a thread, an
// interrupt or a process decides. A pointer that a thread passes is a number that is never
// dereferenced. Whether the processor allows a copy from or to it is arbitrary, too.
#ifndef ARCH_H
#define ARCH_H

#include <arch_state.h>

// The model checker lets these functions return any value.
uint32_t nondet_word(void);
bool nondet_bool(void);

static inline uint32_t arch_leading_zeroes(uint32_t word) {
    uint32_t count = 0;
    if (word == 0) {
        return 32;
    }
    for (uint32_t step = 16; step != 0; step /= 2) {
        const bool empty = (word >> (32 - step)) == 0;
        count += empty ? step : 0;
        word = empty ? word << step : word;
    }
    return count;
}

// A copy writes or reads each word of the kernel's memory, so that the checker finds a wrong
// address or length.
MUST_USE static inline bool arch_copy_in(uint32_t *to, struct user_pointer from, uint32_t words) {
    (void)from;
    for (uint32_t i = 0; i < words; i++) {
        to[i] = nondet_word();
    }
    return nondet_bool();
}

MUST_USE static inline bool arch_copy_out(struct user_pointer to, const uint32_t *from,
                                          uint32_t words) {
    volatile uint32_t word;
    (void)to;
    for (uint32_t i = 0; i < words; i++) {
        word = from[i];
    }
    return nondet_bool();
}

static inline bool arch_interrupt_pending(void) {
    return nondet_bool();
}

static inline void arch_switch_request(void) {
}
static inline void arch_fault_report(const struct thread *thread) {
    (void)thread;
}
static inline void arch_context_reset(struct arch_context *context, void (*entry)(void),
                                      uint32_t stack_top, const struct arch_region *stack) {
    (void)context, (void)entry, (void)stack_top, (void)stack;
}
static inline void arch_line_mask(const struct arch_line *line) {
    (void)line;
}
static inline void arch_line_unmask(const struct arch_line *line) {
    (void)line;
}
static inline void arch_line_forget(const struct arch_line *line) {
    (void)line;
}
static inline void arch_threads_unprivileged(void) {
}

#endif
