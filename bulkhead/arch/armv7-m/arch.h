// SPDX-License-Identifier: MIT
//
// What the core needs of a processor, for Armv7-M. Another architecture gives the same names.
//
// Threads run unprivileged on the process stack, the kernel on the main stack. A thread's registers
// are kept in its control block and not on its stack, which is the thread's to move.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E).
#ifndef ARCH_H
#define ARCH_H

#include <stdbool.h>
#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))

// The kernel has no floating-point code: it would spoil a thread's registers.
#pragma GCC target("general-regs-only")

// What the processor stacks when it takes an exception (B1.5.6).
struct arch_frame {
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

// A region as the MPU takes it: RBAR with its number, RASR (B3.5).
struct arch_region {
    uint32_t base, attributes;
};

// What changes with the process: loaded by one store of eight words (entry.S).
struct arch_regions {
    struct arch_region each[4];
};

// A thread that does not run. `resume` goes to the PC: an EXC_RETURN, or the code that first
// restores s16 to s31 (fpu.S).
struct arch_context {
    uint32_t stack_pointer;
    uint32_t r4_to_r11[8];
    uint32_t resume;
    struct arch_region stack;
};

// What is kept of a thread only if it uses floating point.
struct arch_float_context {
    uint32_t s16_to_s31[16];
};

// The tick's handler, which the declaration makes.
#define ARCH_TICK_HANDLER SysTick_Handler
void ARCH_TICK_HANDLER(void);

// A handle comes as it is (svc.h).
#define ARCH_RIGHTS_MASK(length) ((length) - 1)

// An address that a thread gave. Only the copies below follow it.
struct user_pointer {
    uint32_t address;
};

static inline uint32_t arch_leading_zeroes(uint32_t word) {
    uint32_t count;
    __asm__("clz %0, %1" : "=r"(count) : "r"(word));
    return count;
}

// The frame of the call that is being made.
static inline struct arch_frame *arch_caller_frame(void) {
    struct arch_frame *frame;
    __asm__("mrs %0, psp" : "=r"(frame));
    return frame;
}

// A call's arguments beside the handle and the method, and its result (svc.h). The caller has put
// BULKHEAD_OK there.
static inline uint32_t arch_argument(const struct arch_frame *frame) {
    return frame->r3;
}

static inline uint32_t arch_second_argument(const struct arch_frame *frame) {
    return frame->r12;
}

static inline void arch_answer(struct arch_frame *frame, uint32_t result) {
    frame->r0 = result;
}

static inline uint32_t arch_handle(const struct arch_frame *frame) {
    return frame->r1;
}

static inline uint32_t arch_method(const struct arch_frame *frame) {
    return frame->r2;
}

// What a call returns beside its result.
static inline void arch_give(struct arch_frame *frame, uint32_t value) {
    frame->r3 = value;
}

static inline struct arch_frame *arch_context_frame(const struct arch_context *context) {
    return (struct arch_frame *)context->stack_pointer;
}

// The four words of a call into another process are its r8 to r11.
static inline void arch_words_copy(struct arch_context *to, const struct arch_context *from) {
    __builtin_memcpy(&to->r4_to_r11[4], &from->r4_to_r11[4], 16);
}

// Copies with the rights of the thread that makes the call: copy.S. False if it has no right to all
// of the words; some may have been copied then.
MUST_USE bool arch_copy_in(uint32_t *to, struct user_pointer from, uint32_t words);
MUST_USE bool arch_copy_out(struct user_pointer to, const uint32_t *from, uint32_t words);

// Floating-point registers that are still to be stacked lazily are nobody's: fpu.S or no_fpu.S.
void arch_fpu_forget(void);

#define ARCH_ICSR (*(volatile uint32_t *)0xE000ED04u)
#define ARCH_ICSR_PENDSVSET (1u << 28)
#define ARCH_ICSR_PENDSVCLR (1u << 27)

// From an interrupt: the highest thread runs when no more interrupts are served.
static inline void arch_switch_request(void) {
    ARCH_ICSR = ARCH_ICSR_PENDSVSET;
}

// From a call that did what an interrupt does: it switches by itself.
static inline void arch_switch_forget(void) {
    ARCH_ICSR = ARCH_ICSR_PENDSVCLR;
}

// Whether an interrupt waits for the end of this call or handler: one of the kernel's priority, and
// not the switch, whose number is the last below theirs (B3.2.4, VECTPENDING).
static inline bool arch_interrupt_pending(void) {
    return (ARCH_ICSR >> 12 & 0x1FFu) > 14;
}

// A tick that leaves out interrupts: tickless.c. In ticks.
void arch_tick_defer(uint32_t ticks); // from a call: none need interrupt until so many have passed
uint32_t
arch_tick_undefer(void); // from another interrupt: how many have passed; all interrupt again
uint32_t arch_tick_passed(void); // from the tick: how many since the last that interrupted

// Nothing that comes later is begun earlier: what is done with needs no register any more.
static inline void arch_settle(void) {
    __asm__ volatile("" ::: "memory");
}

// An interrupt line as the controller takes it (B3.4): the register that enables it and its bit
// there. The registers that mask it and that forget it lie at fixed distances.
struct arch_line {
    volatile uint32_t *enable; // NVIC_ISERn
    uint32_t bit;
    uint32_t number; // entry.S
};

enum { ARCH_ICER_WORDS = 32, ARCH_ICPR_WORDS = 96 }; // behind NVIC_ISERn

#define ARCH_LINE(line) {(volatile uint32_t *)0xE000E100u + (line) / 32, 1u << (line) % 32, line}

// The barrier keeps a line that is masked in its own handler from coming again at once.
static inline void arch_line_mask(const struct arch_line *line) {
    line->enable[ARCH_ICER_WORDS] = line->bit;
    __asm__ volatile("dsb" ::: "memory");
}

static inline void arch_line_unmask(const struct arch_line *line) {
    *line->enable = line->bit;
}

// Forgets that the line is pending, unless its device holds it.
static inline void arch_line_forget(const struct arch_line *line) {
    line->enable[ARCH_ICPR_WORDS] = line->bit;
}

// From now on thread mode is unprivileged; for the boot call.
void arch_threads_unprivileged(void);

// A call made again: SVC is two bytes, and finds its second argument changed.
static inline void arch_frame_repeat(struct arch_frame *frame, uint32_t second_argument) {
    frame->pc -= 2;
    frame->r12 = second_argument;
}

// The call that is being made is made again. Its method returns a thread to run, not GO_ON.
static inline void arch_call_repeat(struct arch_frame *frame) {
    frame->pc -= 2;
}

// A thread that does not run begins anew at `entry`.
void arch_context_begin(struct arch_context *context, void (*entry)(void), uint32_t stack_top);

// The same for a context that is all zero: nothing is left from before.
void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack);

// Enters the first thread.
_Noreturn void arch_start(void);

#endif
