// SPDX-License-Identifier: MIT
//
// The architecture that replaces a processor in the model and in the proofs: its state, the
// accessors of this state, and the functions that do nothing there. The functions that decide
// something, for example whether an access of a process is allowed, are in the arch.h of the model
// and in that of the proofs.
#ifndef ARCH_STATE_H
#define ARCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))

enum { ARCH_WORDS = 4 };

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
    uint32_t words[ARCH_WORDS];
};

struct arch_float_context {
    uint32_t unused;
};

struct user_pointer {
    uint32_t address;
};

struct arch_line {
    uint32_t number;
};

struct thread;

struct arch_frame *arch_caller_frame(void); // world.c
void arch_tick_defer(uint32_t ticks);
uint32_t arch_tick_resume(void);
uint32_t arch_tick_passed(void);
_Noreturn void arch_start(void);

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

static inline uint32_t *arch_words(struct arch_context *context) {
    return context->words;
}

static inline void arch_words_copy(struct arch_context *to, const struct arch_context *from) {
    for (int i = 0; i < ARCH_WORDS; i++) {
        to->words[i] = from->words[i];
    }
}

static inline void arch_frame_repeat(struct arch_frame *frame, uint32_t second_argument) {
    frame->second_argument = second_argument;
    frame->repeats = true;
}

static inline void arch_call_repeat(struct arch_frame *frame) {
    frame->repeats = true;
}

static inline void arch_switch_forget(void) {
}
static inline void arch_fpu_forget(void) {
}
static inline void arch_context_begin(struct arch_context *context, void (*entry)(void),
                                      uint32_t stack_top) {
    (void)context, (void)entry, (void)stack_top;
}
static inline void arch_compiler_barrier(void) {
}
static inline void arch_page_open(void) {
}
static inline void arch_page_close(void) {
}

#endif
