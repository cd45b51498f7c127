// SPDX-License-Identifier: MIT
//
// For preemption.c: marks LDM and STM as stopped in the middle. A processor may stop such an
// instruction after some of its registers and continue it there: the ICI bits of xPSR have the
// number of the next register (DDI 0403E, B1.4.2). QEMU always executes it again from the start,
// and sets no ICI bits. This file sets them in the frame of a thread that a tick stops at an LDM or
// STM of a restartable sequence. If the kernel restarts the sequence, it must clear them, because
// they would apply to the instruction at which the sequence restarts.
//
// The linker wraps functions of the kernel with these functions (--wrap), which run privileged.
#include "kernel.h"
#include "layout.h"

enum { ICI_OF_R5 = 5 << 12, LEAST_MARKED = 20, TICKS = 10000 };

struct sequence {
    const uint16_t *start, *end, *restart;
};

extern const struct sequence bulkhead_sequence_table[], bulkhead_sequence_table_end[];

static uint32_t marked;

// Ends the emulator with status 1: SYS_EXIT of semihosting, with a reason that is no regular end.
static void fail(void) {
    register uint32_t operation __asm__("r0") = 0x18;
    register uint32_t reason __asm__("r1") = 0;
    __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(reason) : "memory");
}

static bool is_in_sequence(uint32_t pc) {
    const struct sequence *each = bulkhead_sequence_table;
    while (each != bulkhead_sequence_table_end &&
           (pc < (uint32_t)each->start || pc >= (uint32_t)each->end)) {
        each++;
    }
    return each != bulkhead_sequence_table_end;
}

// Returns whether the first halfword of an instruction is that of LDM or STM (A6.7.41, A6.7.156).
static bool is_multiple(uint32_t pc) {
    return (*(const uint16_t *)pc & 0xFE40u) == 0xE800u;
}

void __real_kernel_tick(void);
void __wrap_kernel_tick(void);
void __wrap_kernel_tick(void) {
    // Each tick takes another time, so that the next one does not always stop the same instruction.
    for (volatile uint32_t i = 0; i < kernel.ticks % 13; i++) {
    }
    struct arch_frame *frame = arch_caller_frame();
    if (is_in_sequence(frame->pc) && is_multiple(frame->pc)) {
        frame->xpsr |= ICI_OF_R5;
        marked++;
    }
    if (kernel.ticks == TICKS && marked < LEAST_MARKED) {
        fail();
    }
    __real_kernel_tick();
}

// Called by the higher thread, while the lower one is where the tick stopped it.
struct thread *__real_self_delay(void *unused, struct arch_frame *frame);
struct thread *__wrap_self_delay(void *unused, struct arch_frame *frame);
struct thread *__wrap_self_delay(void *unused, struct arch_frame *frame) {
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        const struct arch_frame *other = arch_context_frame(&kernel_threads[i].context);
        if (is_in_sequence(other->pc) && (other->xpsr & (XPSR_ICI_HIGH | XPSR_ICI_LOW)) != 0) {
            fail();
        }
    }
    return __real_self_delay(unused, frame);
}
