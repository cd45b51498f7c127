// SPDX-License-Identifier: MIT
//
// The interface of the core to a processor, for Armv7-M. Each architecture defines the same names.
//
// Threads run unprivileged on the process stack, the kernel on the main stack. The kernel keeps the
// registers of a thread in its control block and not on its stack, because the thread can move its
// stack pointer.
//
// The files unit.h and *.inc in pmsav7 (for Armv7-M) and in armv8-m have the code that differs
// between these two architectures.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E).
#ifndef ARCH_H
#define ARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <unit.h>

#define MUST_USE __attribute__((warn_unused_result))

// The kernel has no floating-point code, because that would overwrite a thread's registers.
#pragma GCC target("general-regs-only")

// The frame that the processor stacks when it takes an exception (B1.5.6).
struct arch_frame {
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

// A region in the encoding of the MPU: RBAR and RASR (B3.5), on Armv8-M RBAR and RLAR.
struct arch_region {
    uint32_t base, attributes;
};

// The regions of a process. A switch of processes loads them by one store of eight words (entry.S).
struct arch_regions {
    struct arch_region each[4];
};

// The state of a thread that does not run. `resume` is loaded into the PC: an EXC_RETURN, or the
// address of the code that first restores s16 to s31 (with_fpu/fpu.S).
struct arch_context {
    uint32_t stack_pointer;
    uint32_t r4_to_r11[8];
    uint32_t resume;
    struct arch_region stack;
};

// The registers that are saved only for a thread that uses floating point.
struct arch_float_context {
    uint32_t s16_to_s31[16];
};

// The tick's handler, which is generated from the declaration.
#define ARCH_TICK_HANDLER SysTick_Handler
void ARCH_TICK_HANDLER(void);

// svc.h passes the handle of a call as a plain index, so the mask is one of indices.
#define ARCH_RIGHTS_MASK(length) ((length) - 1)

// An address that a thread has passed. The kernel dereferences it only in arch_copy_in and
// arch_copy_out below, and in the fast paths of queues (queue.inc).
struct user_pointer {
    uint32_t address;
};

static inline uint32_t arch_leading_zeroes(uint32_t word) {
    uint32_t count;
    __asm__("clz %0, %1" : "=r"(count) : "r"(word));
    return count;
}

// Returns the frame of the current call.
static inline struct arch_frame *arch_caller_frame(void) {
    struct arch_frame *frame;
    __asm__("mrs %0, psp" : "=r"(frame));
    return frame;
}

// The arguments of a call in the caller's frame (besides the handle and the method), and its
// result: see svc.h. The caller has initialised the result to BULKHEAD_OK.
static inline uint32_t arch_argument(const struct arch_frame *frame) {
    return frame->r3;
}

static inline uint32_t arch_second_argument(const struct arch_frame *frame) {
    return frame->r12;
}

static inline void arch_set_result(struct arch_frame *frame, uint32_t result) {
    frame->r0 = result;
}

static inline uint32_t arch_handle(const struct arch_frame *frame) {
    return frame->r1;
}

static inline uint32_t arch_method(const struct arch_frame *frame) {
    return frame->r2;
}

// Sets the value that a call returns in addition to its result.
static inline void arch_set_value(struct arch_frame *frame, uint32_t value) {
    frame->r3 = value;
}

static inline struct arch_frame *arch_context_frame(const struct arch_context *context) {
    return (struct arch_frame *)context->stack_pointer;
}

// Returns a pointer to the four words of a call into another process, saved from r8 to r11.
static inline uint32_t *arch_words(struct arch_context *context) {
    return &context->r4_to_r11[4];
}

// Copies the four words from one context to another.
static inline void arch_words_copy(struct arch_context *to, const struct arch_context *from) {
    __builtin_memcpy(&to->r4_to_r11[4], &from->r4_to_r11[4], 16);
}

// Copy words from and to the memory of the calling thread, with the rights of this thread (copy.S).
// Return false if the thread has no right to all of the words; some of them may have been copied.
MUST_USE bool arch_copy_in(uint32_t *to, struct user_pointer from, uint32_t words);
MUST_USE bool arch_copy_out(struct user_pointer to, const uint32_t *from, uint32_t words);

// Copies the bytes of a lease with the kernel's rights (copy.S). Returns false if the bus refused
// an access; some bytes may have been copied.
MUST_USE bool arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes);

struct thread;

// Writes the report of the fault of `thread`, which has not run since.
void arch_fault_report(const struct thread *thread);

// Discards the floating-point registers that the processor has not yet stacked (lazy stacking):
// with_fpu/fpu.S.
void arch_fpu_forget(void);

#define ARCH_ICSR (*(volatile uint32_t *)0xE000ED04u)
#define ARCH_ICSR_PENDSVSET (1u << 28)
#define ARCH_ICSR_PENDSVCLR (1u << 27)

// For an interrupt: requests a switch to the highest ready thread after the last pending interrupt.
static inline void arch_switch_request(void) {
    ARCH_ICSR = ARCH_ICSR_PENDSVSET;
}

// Cancels a requested switch. A call uses this if it did the work of an interrupt and switches
// itself.
static inline void arch_switch_forget(void) {
    ARCH_ICSR = ARCH_ICSR_PENDSVCLR;
}

// Gives a semaphore from an interrupt, by the fast path of kernel_interrupt_posts in waits.inc.
struct semaphore;
void arch_interrupt_posts(struct semaphore *semaphore);

// Returns whether an interrupt of the kernel's priority is pending, which is then taken after this
// call or handler. PendSV does not count: its exception number, 14, is below those of the tick and
// of the interrupts (B3.2.4, VECTPENDING).
static inline bool arch_interrupt_pending(void) {
    return (ARCH_ICSR >> 12 & 0x1FFu) > 14;
}

// Functions of tickless.c, for a tick that skips interrupts. After arch_tick_defer the ticks before
// the one that is `ticks` away may pass without an interrupt. Another interrupt ends this:
// arch_tick_resume returns the ticks that have passed. In the tick's interrupt, arch_tick_passed
// returns the ticks since the last one that interrupted.
void arch_tick_defer(uint32_t ticks);
uint32_t arch_tick_resume(void);
uint32_t arch_tick_passed(void);

// Keeps the compiler from moving later work up, so that values that are no longer used occupy no
// register.
static inline void arch_compiler_barrier(void) {
    __asm__ volatile("" ::: "memory");
}

// An interrupt line of the NVIC (B3.4): the register that enables it and its bit in this register.
// The registers that disable the line and that clear its pending state lie at fixed distances.
struct arch_line {
    volatile uint32_t *enable; // NVIC_ISERn
    uint32_t bit;
    uint32_t number; // read by entry.S
};

enum { ARCH_ICER_WORDS = 32, ARCH_ICPR_WORDS = 96 }; // distances from NVIC_ISERn, in words

#define ARCH_LINE(line) {(volatile uint32_t *)0xE000E100u + (line) / 32, 1u << (line) % 32, line}

// Masks a line. Without the barrier, a line that its own handler masks could be taken again at
// once.
static inline void arch_line_mask(const struct arch_line *line) {
    line->enable[ARCH_ICER_WORDS] = line->bit;
    __asm__ volatile("dsb" ::: "memory");
}

static inline void arch_line_unmask(const struct arch_line *line) {
    *line->enable = line->bit;
}

// Clears the pending state of a line. It stays pending if its device still asserts it.
static inline void arch_line_forget(const struct arch_line *line) {
    line->enable[ARCH_ICPR_WORDS] = line->bit;
}

// Makes thread mode unprivileged from now on. Called once, by the first system call (kernel_boot).
void arch_threads_unprivileged(void);

// Makes a call start again with another second argument: the PC goes back by the two bytes of SVC.
static inline void arch_frame_repeat(struct arch_frame *frame, uint32_t second_argument) {
    frame->pc -= 2;
    frame->r12 = second_argument;
}

// Makes the current call start again. Its method has to return a thread to run, not NO_SWITCH.
static inline void arch_call_repeat(struct arch_frame *frame) {
    frame->pc -= 2;
}

// Makes a thread that does not run start at `entry`.
void arch_context_begin(struct arch_context *context, void (*entry)(void), uint32_t stack_top);

// Makes a thread that does not run start at `entry`, with its other registers cleared and the stack
// region `stack`. Leaves struct thread's `floats`: they are saved before they are loaded.
void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack);

// Initialises the processor and enters the first thread.
_Noreturn void arch_start(void);

#endif
