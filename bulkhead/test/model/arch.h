// SPDX-License-Identifier: MIT
//
// The architecture functions of the kernel for the model: the whole core runs on the host, and the
// explorer decides when an interrupt comes (world.c).
#ifndef ARCH_H
#define ARCH_H

#include "arch_state.h"
#include <string.h>

static inline uint32_t arch_leading_zeroes(uint32_t word) {
    return word == 0 ? 32 : (uint32_t)__builtin_clz(word);
}

void arch_switch_request(void);

// A copy from or to address 0 fails, because no process has a right to it.
MUST_USE static inline bool arch_copy_in(uint32_t *to, struct user_pointer from, uint32_t words) {
    memcpy(to, (const void *)(uintptr_t)from.address, from.address == 0 ? 0 : 4 * words);
    return from.address != 0;
}

MUST_USE static inline bool arch_copy_out(struct user_pointer to, const uint32_t *from,
                                          uint32_t words) {
    memcpy((void *)(uintptr_t)to.address, from, to.address == 0 ? 0 : 4 * words);
    return to.address != 0;
}

MUST_USE static inline bool arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes) {
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return true;
}

bool arch_interrupt_pending(void);
void arch_fault_report(const struct thread *thread);

void arch_line_mask(const struct arch_line *line);
void arch_line_unmask(const struct arch_line *line);
void arch_line_forget(const struct arch_line *line);

void arch_threads_unprivileged(void);

void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack);

#endif
