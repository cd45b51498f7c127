// SPDX-License-Identifier: MIT
//
// Start-up, contexts and interrupts for RV32: PMP, the trap table, a thread's first registers.
//
// Source: Privileged Architecture (version 20211203) 3.1.6 mstatus, 3.1.7 mtvec, 3.1.9 mie, 3.7
// PMP.
#include "internal.h"
#include "layout.h"
#include "objects.h"
#include <bulkhead/lines.h>
#include <bulkhead/methods.h>
#include <regions.h>

_Static_assert(offsetof(struct bulkhead_registers, ra) == FRAME_RA, "layout.h");
_Static_assert(offsetof(struct bulkhead_registers, s1) == FRAME_S1, "layout.h");
_Static_assert(offsetof(struct bulkhead_registers, a) == FRAME_A0, "layout.h");
_Static_assert(offsetof(struct bulkhead_registers, s2_to_s11) == FRAME_S2, "layout.h");
_Static_assert(offsetof(struct bulkhead_registers, t3_to_t6) == FRAME_T3, "layout.h");
_Static_assert(offsetof(struct bulkhead_registers, pc) == FRAME_PC, "layout.h");
_Static_assert(offsetof(struct arch_frame, handle) == FRAME_HANDLE, "layout.h");
_Static_assert(offsetof(struct arch_frame, is_whole) == FRAME_IS_WHOLE, "layout.h");
_Static_assert(offsetof(struct arch_context, stack) == CONTEXT_STACK, "layout.h");
_Static_assert(offsetof(struct thread, context) == 0, "layout.h");
_Static_assert(offsetof(struct thread, process) == THREAD_PROCESS, "layout.h");
_Static_assert(offsetof(struct thread, next) == THREAD_NEXT, "layout.h");
_Static_assert(offsetof(struct thread, level) == THREAD_LEVEL, "layout.h");
_Static_assert(offsetof(struct thread, priority_mask) == THREAD_PRIORITY_MASK, "layout.h");
_Static_assert(offsetof(struct thread, state) == THREAD_STATE, "layout.h");
_Static_assert(offsetof(struct thread, waits_for) == THREAD_STATE + 4, "gate.S");
_Static_assert(offsetof(struct thread, notifications) == THREAD_NOTIFICATIONS, "layout.h");
_Static_assert(THREAD_LISTENS == THREAD_STATE_LISTENS, "layout.h");
_Static_assert(offsetof(struct thread, waits_in) == THREAD_WAITS_IN, "layout.h");
_Static_assert(offsetof(struct thread, wait_lower) == THREAD_WAIT_LOWER, "layout.h");
_Static_assert(THREAD_WAITS == THREAD_STATE_WAITS, "layout.h");
_Static_assert(offsetof(struct kernel, ready.bitmap) == KERNEL_READY - KERNEL_STATE, "layout.h");
_Static_assert(offsetof(struct thread, client) == THREAD_CLIENT, "layout.h");
_Static_assert(THREAD_CALLS == THREAD_STATE_CALLS, "layout.h");
_Static_assert(THREAD_RECEIVES == THREAD_STATE_RECEIVES, "layout.h");
_Static_assert(THREAD_TIMED == THREAD_STATE_TIMED, "layout.h");
_Static_assert(offsetof(struct thread, timer) == THREAD_TIMER, "layout.h");
_Static_assert(offsetof(struct gate, resource.holder) == GATE_SERVER, "layout.h");
_Static_assert(offsetof(struct process, regions.each[1]) == PROCESS_REGION_1, "layout.h");
_Static_assert(offsetof(struct process, regions.configuration) == PROCESS_CONFIGURATION,
               "layout.h");
_Static_assert(sizeof(struct process) == PROCESS_RIGHTS, "layout.h");
_Static_assert(sizeof(struct right) == BULKHEAD_HANDLE_SCALE, "entry.S adds a scaled handle");
_Static_assert(offsetof(struct kernel, current) == KERNEL_CURRENT - KERNEL_STATE, "layout.h");
_Static_assert(offsetof(struct kernel, process) == KERNEL_PROCESS - KERNEL_STATE, "layout.h");
_Static_assert(offsetof(struct kernel, rights_mask) == KERNEL_RIGHTS_MASK - KERNEL_STATE,
               "layout.h");
_Static_assert(BULKHEAD_DENIED == RESULT_DENIED, "layout.h");
_Static_assert(offsetof(struct semaphore, own) == SEMAPHORE_COUNT, "layout.h");
_Static_assert(offsetof(struct semaphore, maximum) == SEMAPHORE_MAXIMUM, "layout.h");
_Static_assert(offsetof(struct semaphore, waiters.first) == SEMAPHORE_WAITERS, "layout.h");
_Static_assert(offsetof(struct semaphore, count) == SEMAPHORE_WORD, "layout.h");
_Static_assert(offsetof(struct mutex, own) == 0, "entry.S: mutex_lock_free");

// mtvec is vectored. mie enables the timer interrupt, and the software and external interrupts,
// which may have interrupt lines.
enum { VECTORED = 1, TIMER_AND_LINES = 1 << 3 | 1 << 7 | 1 << 11 };

// pmpcfg0 with entry 0 alone, until the first process sets the configuration of all four entries.
enum { SHARED_CODE = 0x1D }; // NAPOT, executable, readable (3.7.1)

#define ZEROES_2(n) n, n
#define ZEROES_4(n) ZEROES_2(n), ZEROES_2(n)
#define ZEROES_8(n) ZEROES_4(n), ZEROES_4(n)
#define ZEROES_16(n) ZEROES_8(n), ZEROES_8(n)
#define ZEROES_32(n) ZEROES_16(n), ZEROES_16(n)
#define ZEROES_64(n) ZEROES_32(n), ZEROES_32(n)

const uint8_t arch_byte_zeroes[256] = {
    8,
    7,
    ZEROES_2(6),
    ZEROES_4(5),
    ZEROES_8(4),
    ZEROES_16(3),
    ZEROES_32(2),
    ZEROES_64(1),
    ZEROES_64(0),
    ZEROES_64(0),
};

bool arch_switch_requested;

void arch_context_begin(struct arch_context *context, void (*entry)(void), uint32_t stack_top) {
    context->frame.registers.sp = stack_top;
    context->frame.registers.pc = (uint32_t)entry;
    context->frame.is_whole = true;
}

void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack) {
    kernel_clear(context, context + 1);
    context->stack = *stack;
    arch_context_begin(context, entry, stack_top);
}

void arch_threads_unprivileged(void) {
    __asm__ volatile("csrw mstatus, %0" : : "r"(THREAD_MSTATUS) : "memory");
}

// Returns the highest ready thread if an interrupt requested a switch and it is not the current
// one.
static struct thread *switched(void) {
    if (!arch_switch_requested) {
        return NO_SWITCH;
    }
    arch_switch_requested = false;
    struct thread *highest = ready_highest(&kernel.ready);
    return highest != kernel.current ? highest : NO_SWITCH;
}

struct thread *arch_tick_interrupt(void) {
    arch_tick_again();
    ARCH_TICK_HANDLER();
    return switched();
}

struct thread *arch_line_interrupt(void) {
    bulkhead_lines_serve();
    return switched();
}

static void line_bind(const struct bound_line *bound) {
    if (!bound->is_masked) {
        arch_line_unmask(&bound->line);
    }
}

// Sets up the PMP entry of the code that all processes share. The regions of the first process set
// pmpcfg0 again.
static void pmp_start(void) {
    __asm__ volatile("csrw pmpaddr0, %0\n\tcsrw pmpcfg0, %1"
                     :
                     : "r"(kernel_shared_region.address), "r"(SHARED_CODE)
                     : "memory");
}

// Clears the state that a boot loader may have left: enabled interrupts, MPRV, counters that
// threads can read, and all PMP entries. A locked entry (3.7.1) stays until the next reset and may
// give threads any memory: in that case the system does not start.
static void known_state(void) {
    uint32_t left = 0, entries;
    __asm__ volatile("csrc mstatus, %0" : : "r"(1u << 17 | 1u << 3) : "memory");
    __asm__ volatile("csrw mie, zero\n\tcsrw mcounteren, zero" ::: "memory");
    __asm__ volatile("csrw pmpcfg0, zero\n\tcsrr %0, pmpcfg0" : "=r"(entries) : : "memory");
    left |= entries;
    __asm__ volatile("csrw pmpcfg1, zero\n\tcsrr %0, pmpcfg1" : "=r"(entries) : : "memory");
    left |= entries;
    __asm__ volatile("csrw pmpcfg2, zero\n\tcsrr %0, pmpcfg2" : "=r"(entries) : : "memory");
    left |= entries;
    __asm__ volatile("csrw pmpcfg3, zero\n\tcsrr %0, pmpcfg3" : "=r"(entries) : : "memory");
    if ((left | entries) != 0) {
        arch_panic();
    }
}

_Noreturn void arch_start(void) {
    known_state();
    for (uint32_t i = 0; i < kernel_line_count; i++) {
        line_bind(&kernel_lines[i]);
    }
    pmp_start();
    __asm__ volatile("csrw mtvec, %0" : : "r"((uint32_t)arch_vectors | VECTORED) : "memory");
    __asm__ volatile("csrw mie, %0" : : "r"(TIMER_AND_LINES) : "memory");
    arch_enter();
}
