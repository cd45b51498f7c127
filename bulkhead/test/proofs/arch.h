// SPDX-License-Identifier: MIT
//
// The architecture of the proofs: 32 bits, and any value where a thread, an interrupt or a process
// decides. A pointer from a thread is a number that nothing here dereferences: whether a copy is
// refused is the processor's decision, so it may be either.
#ifndef ARCH_H
#define ARCH_H

#include <stdbool.h>
#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))

// The checker chooses any value for what these return.
uint32_t nondet_word(void);
bool nondet_bool(void);

struct arch_frame {
    uint32_t result, handle, method, argument, second_argument;
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

struct user_pointer {
    uint32_t address;
};

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

struct arch_frame *arch_caller_frame(void); // world.c

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
    for (int i = 0; i < 4; i++) {
        to->words[i] = from->words[i];
    }
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

static inline void arch_frame_repeat(struct arch_frame *frame, uint32_t second_argument) {
    frame->second_argument = second_argument;
    frame->repeats = true;
}

static inline void arch_call_repeat(struct arch_frame *frame) {
    frame->repeats = true;
}

struct thread;
struct arch_line {
    uint32_t number;
};

static inline void arch_switch_request(void) {
}
static inline void arch_switch_forget(void) {
}
static inline void arch_fpu_forget(void) {
}
static inline void arch_fault_report(const struct thread *thread) {
    (void)thread;
}
static inline void arch_context_begin(struct arch_context *context, void (*entry)(void),
                                      uint32_t stack_top) {
    (void)context, (void)entry, (void)stack_top;
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
static inline void arch_compiler_barrier(void) {
}
static inline void arch_page_open(void) {
}
static inline void arch_page_close(void) {
}
static inline void arch_threads_unprivileged(void) {
}
void arch_tick_defer(uint32_t ticks);
uint32_t arch_tick_resume(void);
uint32_t arch_tick_passed(void);
_Noreturn void arch_start(void);

#endif
