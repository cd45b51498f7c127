// SPDX-License-Identifier: MIT
//
// The architecture of the proofs: 32 bits, and any value where a thread, an interrupt or a process
// decides. A pointer from a thread is a number that nothing here dereferences: whether a copy is
// refused is the processor's decision, so it may be either.
#ifndef ARCH_H
#define ARCH_H

#include <arch_state.h>

// The checker chooses any value for what these return.
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

// A copy touches each of the kernel's words, so that the checker sees a wrong address or length.
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
