// SPDX-License-Identifier: MIT
//
// The architecture of the model: the whole core on the host, where an interrupt comes when the
// explorer chooses it (world.c).
#ifndef ARCH_H
#define ARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MUST_USE __attribute__((warn_unused_result))

struct arch_frame {
    uint32_t result, method, argument, second_argument;
    bool repeats; // the thread has to repeat the call
};

struct arch_region {
    uint32_t base, attributes;
};

struct arch_regions {
    struct arch_region each[4];
};

struct arch_context {
    struct arch_frame frame;
    uint32_t words[4];
};

struct arch_float_context {
    uint32_t unused;
};

struct arch_fault_report {
    const void *thread;
};

struct user_pointer {
    uint32_t address;
};

static inline uint32_t arch_leading_zeroes(uint32_t word) {
    return word == 0 ? 32 : (uint32_t)__builtin_clz(word);
}

struct arch_frame *arch_caller_frame(void);

static inline uint32_t arch_argument(const struct arch_frame *frame) {
    return frame->argument;
}

static inline uint32_t arch_second_argument(const struct arch_frame *frame) {
    return frame->second_argument;
}

static inline uint32_t arch_method(const struct arch_frame *frame) {
    return frame->method;
}

static inline void arch_set_result(struct arch_frame *frame, uint32_t result) {
    frame->result = result;
}

static inline void arch_set_value(struct arch_frame *frame, uint32_t value) {
    frame->argument = value;
}

static inline struct arch_frame *arch_context_frame(const struct arch_context *context) {
    return (struct arch_frame *)&context->frame;
}

static inline void arch_words_copy(struct arch_context *to, const struct arch_context *from) {
    memcpy(to->words, from->words, sizeof to->words);
}

void arch_switch_request(void);

static inline void arch_frame_repeat(struct arch_frame *frame, uint32_t second_argument) {
    frame->second_argument = second_argument;
    frame->repeats = true;
}

// No process has a right to address 0.
MUST_USE static inline bool arch_copy_in(uint32_t *to, struct user_pointer from, uint32_t words) {
    memcpy(to, (const void *)(uintptr_t)from.address, from.address == 0 ? 0 : 4 * words);
    return from.address != 0;
}

MUST_USE static inline bool arch_copy_out(struct user_pointer to, const uint32_t *from,
                                          uint32_t words) {
    memcpy((void *)(uintptr_t)to.address, from, to.address == 0 ? 0 : 4 * words);
    return to.address != 0;
}

bool arch_interrupt_pending(void);

static inline void arch_switch_forget(void) {
}

static inline void arch_fpu_forget(void) {
}

struct thread;

static inline void arch_fault_report(const struct thread *thread) {
    (void)thread;
}

static inline void arch_call_repeat(struct arch_frame *frame) {
    frame->repeats = true;
}

static inline void arch_context_begin(struct arch_context *context, void (*entry)(void),
                                      uint32_t stack_top) {
    (void)context, (void)entry, (void)stack_top;
}

struct arch_line {
    uint32_t number;
};

void arch_line_mask(const struct arch_line *line);
void arch_line_unmask(const struct arch_line *line);
void arch_line_forget(const struct arch_line *line);

static inline void arch_compiler_barrier(void) {
}
static inline void arch_page_open(void) {
}
static inline void arch_page_close(void) {
}
void arch_threads_unprivileged(void);
void arch_tick_defer(uint32_t ticks);
uint32_t arch_tick_resume(void);
uint32_t arch_tick_passed(void);

void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack);
_Noreturn void arch_start(void);

#endif
