// SPDX-License-Identifier: MIT
//
// What the core needs of a processor, for RV32 with four PMP entries. Another architecture gives
// the same names.
//
// Threads run in user mode, the kernel in machine mode with interrupts disabled. A thread's
// registers are kept in its control block: those that the calling convention keeps if it is in a
// call, all of them if it was interrupted.
//
// Source: The RISC-V Instruction Set Manual, Volume II: Privileged Architecture (version 20211203).
#ifndef ARCH_H
#define ARCH_H

#include <bulkhead/registers.h>
#include <bulkhead/svc.h>
#include <stdbool.h>
#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))

// What is kept of a thread that does not run. In a call `registers` has the arguments, and what it
// returns; a call in which a thread may be made to begin again has its handle too.
struct arch_frame {
    struct bulkhead_registers registers;
    uint32_t handle;
    uint32_t is_whole; // every register is to be restored, and not those of a call alone
};

// As pmpaddr takes it: a naturally aligned power of two (3.7.1, NAPOT).
struct arch_region {
    uint32_t address;
};

// What a process has beside the code that all share and its thread's stack: two regions, and the
// configuration of all four entries.
struct arch_regions {
    struct arch_region each[2];
    uint32_t configuration; // pmpcfg0
};

struct arch_context {
    struct arch_frame frame;
    struct arch_region stack;
};

// What is kept of a thread only if it uses floating point: there is none.
struct arch_float_context {
    uint32_t unused;
};

// An address that a thread gave. Only the copies below follow it.
struct user_pointer {
    uint32_t address;
};

// The tick's handler, which the declaration makes.
#define ARCH_TICK_HANDLER arch_tick
void ARCH_TICK_HANDLER(void);

// A handle comes scaled (svc.h).
#define ARCH_RIGHTS_MASK(length) (((length) - 1) * BULKHEAD_HANDLE_SCALE)

extern const uint8_t arch_byte_zeroes[256]; // that lead each byte

// There is no instruction for it (RV32IMC).
static inline uint32_t arch_leading_zeroes(uint32_t word) {
    const uint32_t high = word >> 16;
    const uint32_t half = high != 0 ? high : word;
    const uint32_t byte = half >> 8;
    const uint32_t before = (high != 0 ? 0u : 16u) + (byte != 0 ? 0u : 8u);
    return before + arch_byte_zeroes[byte != 0 ? byte : half];
}

// The frame of the call that is being made: that of the current thread (struct kernel begins with
// it), whose context is the first of it.
static inline struct arch_frame *arch_caller_frame(void) {
    struct arch_frame *frame;
    __asm__ volatile("lw %0, kernel" : "=r"(frame) : : "memory");
    return frame;
}

// A call's arguments beside the handle and the method, and its result (svc.h). The entry has put
// BULKHEAD_OK there.
static inline uint32_t arch_argument(const struct arch_frame *frame) {
    return frame->registers.a[2];
}

static inline uint32_t arch_second_argument(const struct arch_frame *frame) {
    return frame->registers.a[3];
}

static inline void arch_answer(struct arch_frame *frame, uint32_t result) {
    frame->registers.a[0] = result;
}

static inline uint32_t arch_handle(const struct arch_frame *frame) {
    return frame->handle / BULKHEAD_HANDLE_SCALE;
}

static inline uint32_t arch_method(const struct arch_frame *frame) {
    return frame->registers.a[1] / BULKHEAD_METHOD_SCALE;
}

// What a call returns beside its result.
static inline void arch_give(struct arch_frame *frame, uint32_t value) {
    frame->registers.a[2] = value;
}

static inline struct arch_frame *arch_context_frame(const struct arch_context *context) {
    return (struct arch_frame *)&context->frame;
}

// The four words of a call into another process are its a4 to a7. A call alone does not restore
// them.
static inline void arch_words_copy(struct arch_context *to, const struct arch_context *from) {
    to->frame.registers.a[4] = from->frame.registers.a[4];
    to->frame.registers.a[5] = from->frame.registers.a[5];
    to->frame.registers.a[6] = from->frame.registers.a[6];
    to->frame.registers.a[7] = from->frame.registers.a[7];
    to->frame.is_whole = true;
}

// Copies with the rights of the thread that makes the call: copy.S. False if it has no right to all
// of the words; some may have been copied then.
MUST_USE bool arch_copy_in(uint32_t *to, struct user_pointer from, uint32_t words);
MUST_USE bool arch_copy_out(struct user_pointer to, const uint32_t *from, uint32_t words);

// There are no floating-point registers.
static inline void arch_fpu_forget(void) {
}

// From an interrupt: the highest thread runs when it has been served.
extern bool arch_switch_requested;

static inline void arch_switch_request(void) {
    arch_switch_requested = true;
}

// From a call that did what an interrupt does: it switches by itself.
static inline void arch_switch_forget(void) {
    arch_switch_requested = false;
}

// Whether an interrupt waits for the end of this call or handler.
static inline bool arch_interrupt_pending(void) {
    uint32_t pending, enabled;
    __asm__ volatile("csrr %0, mip" : "=r"(pending));
    __asm__ volatile("csrr %0, mie" : "=r"(enabled));
    return (pending & enabled) != 0;
}

// A tick that leaves out interrupts: tick.c. In ticks.
void arch_tick_defer(uint32_t ticks); // from a call: none need interrupt until so many have passed
uint32_t
arch_tick_undefer(void); // from another interrupt: how many have passed; all interrupt again
uint32_t arch_tick_passed(void); // from the tick: how many since the last that interrupted

// Nothing that comes later is begun earlier: what is done with needs no register any more.
static inline void arch_settle(void) {
    __asm__ volatile("" ::: "memory");
}

// An interrupt line, by the number that its controller knows it by. There is no controller in the
// architecture: these are the board's (bulkhead/lines.h).
struct arch_line {
    uint32_t number;
};

#define ARCH_LINE(line) {line}

void arch_line_mask(const struct arch_line *line);
void arch_line_unmask(const struct arch_line *line);
void arch_line_forget(const struct arch_line *line); // that it is pending, unless its device is

// From the next return on, threads run in user mode.
void arch_threads_unprivileged(void);

// A call made again: ECALL is four bytes, and finds its second argument changed.
static inline void arch_frame_repeat(struct arch_frame *frame, uint32_t second_argument) {
    frame->registers.pc -= 4;
    frame->registers.a[0] = frame->handle;
    frame->registers.a[3] = second_argument;
    frame->is_whole = true;
}

// The call that is being made is made again. Its method returns a thread to run, not GO_ON.
static inline void arch_call_repeat(struct arch_frame *frame) {
    uint32_t pc;
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    __asm__ volatile("csrw mepc, %0" : : "r"(pc - 4));
    frame->registers.a[0] = frame->handle;
    frame->is_whole = true;
}

// A thread that does not run begins anew at `entry`.
void arch_context_begin(struct arch_context *context, void (*entry)(void), uint32_t stack_top);

// The same for a context that is all zero: nothing is left from before.
void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack);

// Enters the first thread.
_Noreturn void arch_start(void);

#endif
