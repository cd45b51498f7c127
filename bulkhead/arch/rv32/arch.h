// SPDX-License-Identifier: MIT
//
// The interface of the core to a processor, for RV32 with four PMP entries. Each architecture
// defines the same names.
//
// Threads run in user mode, the kernel in machine mode with interrupts disabled. The kernel keeps a
// thread's registers in its control block: those that the calling convention preserves if the
// thread is in a call, all of them if it was interrupted.
//
// Source: The RISC-V Instruction Set Manual, Volume II: Privileged Architecture (version 20211203).
#ifndef ARCH_H
#define ARCH_H

#include <bulkhead/registers.h>
#include <bulkhead/svc.h>
#include <stdbool.h>
#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))

// The saved state of a thread that does not run. During a call, `registers` has the arguments and
// the returned values. `handle` is saved for a call that the kernel may make start again.
struct arch_frame {
    struct bulkhead_registers registers;
    uint32_t handle;
    uint32_t is_whole; // the exit restores every register, not only those of a call
};

// A region in the encoding of pmpaddr: a naturally aligned power of two (3.7.1, NAPOT).
struct arch_region {
    uint32_t address;
};

// The regions of a process, beside the shared code and the stack of its thread: two regions, and
// the configuration of all four PMP entries.
struct arch_regions {
    struct arch_region each[2];
    uint32_t configuration; // pmpcfg0
};

struct arch_context {
    struct arch_frame frame;
    struct arch_region stack;
};

// The registers that are saved only for a thread that uses floating point: there are none.
struct arch_float_context {
    uint32_t unused;
};

// An address that a thread has passed. The kernel dereferences it only in arch_copy_in and
// arch_copy_out below.
struct user_pointer {
    uint32_t address;
};

// The tick's handler, which is generated from the declaration.
#define ARCH_TICK_HANDLER arch_tick
void ARCH_TICK_HANDLER(void);

// svc.h passes the handle of a call as an offset in the table of rights, so the mask is one of
// offsets.
#define ARCH_RIGHTS_MASK(length) (((length) - 1) * BULKHEAD_HANDLE_SCALE)

extern const uint8_t arch_byte_zeroes[256]; // the number of leading zeroes of each byte

// Counts leading zeroes. RV32IMC has no instruction for that.
static inline uint32_t arch_leading_zeroes(uint32_t word) {
    const uint32_t high = word >> 16;
    const uint32_t half = high != 0 ? high : word;
    const uint32_t byte = half >> 8;
    const uint32_t before = (high != 0 ? 0u : 16u) + (byte != 0 ? 0u : 8u);
    return before + arch_byte_zeroes[byte != 0 ? byte : half];
}

// Returns the frame of the current call: that of the current thread. struct kernel begins with the
// current thread, and struct thread with its context.
static inline struct arch_frame *arch_caller_frame(void) {
    struct arch_frame *frame;
    __asm__ volatile("lw %0, kernel" : "=r"(frame) : : "memory");
    return frame;
}

// The arguments of a call in the caller's frame (besides the handle and the method), and its
// result: see svc.h. The entry code has initialised the result to BULKHEAD_OK.
static inline uint32_t arch_argument(const struct arch_frame *frame) {
    return frame->registers.a[2];
}

static inline uint32_t arch_second_argument(const struct arch_frame *frame) {
    return frame->registers.a[3];
}

static inline void arch_set_result(struct arch_frame *frame, uint32_t result) {
    frame->registers.a[0] = result;
}

static inline uint32_t arch_handle(const struct arch_frame *frame) {
    return frame->handle / BULKHEAD_HANDLE_SCALE;
}

static inline uint32_t arch_method(const struct arch_frame *frame) {
    return frame->registers.a[1] / BULKHEAD_METHOD_SCALE;
}

// Sets the value that a call returns in addition to its result.
static inline void arch_set_value(struct arch_frame *frame, uint32_t value) {
    frame->registers.a[2] = value;
}

static inline struct arch_frame *arch_context_frame(const struct arch_context *context) {
    return (struct arch_frame *)&context->frame;
}

// Returns a pointer to the four words of a call into another process, saved from a4 to a7.
static inline uint32_t *arch_words(struct arch_context *context) {
    return &context->frame.registers.a[4];
}

// Copies the four words from one context to another. Sets is_whole, because the exit of an ordinary
// call does not restore the words.
static inline void arch_words_copy(struct arch_context *to, const struct arch_context *from) {
    to->frame.registers.a[4] = from->frame.registers.a[4];
    to->frame.registers.a[5] = from->frame.registers.a[5];
    to->frame.registers.a[6] = from->frame.registers.a[6];
    to->frame.registers.a[7] = from->frame.registers.a[7];
    to->frame.is_whole = true;
}

// Copy words from and to the memory of the calling thread, with the rights of this thread (copy.S).
// Return false if the thread has no right to all of the words; some of them may have been copied.
MUST_USE bool arch_copy_in(uint32_t *to, struct user_pointer from, uint32_t words);
MUST_USE bool arch_copy_out(struct user_pointer to, const uint32_t *from, uint32_t words);

// Copies the bytes of a lease with the kernel's rights (copy.S). Returns false if the bus refused
// an access; some bytes may have been copied.
MUST_USE bool arch_copy_lent(uint32_t to, uint32_t from, uint32_t bytes);

// Does nothing: RV32IMC has no floating-point registers.
static inline void arch_fpu_forget(void) {
}

// For an interrupt: requests a switch to the highest ready thread after the interrupt.
extern bool arch_switch_requested;

static inline void arch_switch_request(void) {
    arch_switch_requested = true;
}

// Cancels a requested switch. A call uses this if it did the work of an interrupt and switches
// itself.
static inline void arch_switch_forget(void) {
    arch_switch_requested = false;
}

// RV32 has no fast path of this function.
#define arch_interrupt_posts kernel_interrupt_posts

// Returns whether an interrupt is pending, which is then taken after this call or handler.
static inline bool arch_interrupt_pending(void) {
    uint32_t pending, enabled;
    __asm__ volatile("csrr %0, mip" : "=r"(pending));
    __asm__ volatile("csrr %0, mie" : "=r"(enabled));
    return (pending & enabled) != 0;
}

// Functions of tick.c, for a tick that skips interrupts. After arch_tick_defer the ticks before the
// one that is `ticks` away may pass without an interrupt. Another interrupt ends this:
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

// arch_page_open is called before, and arch_page_close after, the kernel writes to the page that
// processes may read. Both do nothing here, because machine mode may write the page.
static inline void arch_page_open(void) {
}

static inline void arch_page_close(void) {
}

// An interrupt line, by its number in the interrupt controller. The architecture does not define
// the controller, so the board defines these functions (bulkhead/lines.h).
struct arch_line {
    uint32_t number;
};

#define ARCH_LINE(line) {line}

void arch_line_mask(const struct arch_line *line);
void arch_line_unmask(const struct arch_line *line);
void arch_line_forget(const struct arch_line *line); // clears its pending state

// Makes threads run in user mode from the next return on.
void arch_threads_unprivileged(void);

// Makes a call start again with another second argument: the PC goes back by the four bytes of
// ECALL.
static inline void arch_frame_repeat(struct arch_frame *frame, uint32_t second_argument) {
    frame->registers.pc -= 4;
    frame->registers.a[0] = frame->handle;
    frame->registers.a[3] = second_argument;
    frame->is_whole = true;
}

// Makes the current call start again. Its method has to return a thread to run, not NO_SWITCH.
static inline void arch_call_repeat(struct arch_frame *frame) {
    uint32_t pc;
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    __asm__ volatile("csrw mepc, %0" : : "r"(pc - 4));
    frame->registers.a[0] = frame->handle;
    frame->is_whole = true;
}

struct thread;

// Writes the report of the fault of `thread`, which has not run since.
void arch_fault_report(const struct thread *thread);

// Makes a thread that does not run start at `entry`.
void arch_context_begin(struct arch_context *context, void (*entry)(void), uint32_t stack_top);

// Makes a thread that does not run start at `entry`, and clears its context.
void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack);

// Initialises the processor and enters the first thread.
_Noreturn void arch_start(void);

#endif
