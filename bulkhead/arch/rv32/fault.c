// SPDX-License-Identifier: MIT
//
// Turns a trap into a fault of the current thread: keeps the cause, and writes the report when the
// termination begins. The thread's registers are in its context until then.
//
// Source: Privileged Architecture (version 20211203) 3.1.15 mcause, 3.1.16 mtval.
#include "internal.h"

enum {
    CAUSE_FETCH_MISALIGNED = 0,
    CAUSE_FETCH_FAULT = 1,
    CAUSE_BREAKPOINT = 3,
    CAUSE_LOAD_FAULT = 5,
    CAUSE_STORE_FAULT = 7,
};

enum { CAUSE, VALUE }; // indexes of the words of thread.fault

// Returns whether an address is in a region. In pmpaddr, the number of ones below the lowest zero
// encodes the size of the region (NAPOT).
static bool is_within(uint32_t address, struct arch_region region) {
    const uint32_t size_bits = region.address ^ (region.address + 1);
    return ((address >> 2 ^ region.address) & ~size_bits) == 0;
}

// Returns whether the stack pointer is outside the stack, or at its lowest address. The stack grows
// down, and the pointer of an empty stack is the first address after it, so the function tests the
// byte below the pointer.
static bool is_stack_overflow(const struct arch_context *context) {
    return !is_within(context->frame.registers.sp - 1, context->stack);
}

static uint32_t kind_of(uint32_t cause, const struct arch_context *context) {
    switch (cause) {
    case CAUSE_FETCH_MISALIGNED:
    case CAUSE_FETCH_FAULT:
        return BULKHEAD_FAULT_CODE;
    case CAUSE_LOAD_FAULT:
    case CAUSE_STORE_FAULT:
        return is_stack_overflow(context) ? BULKHEAD_FAULT_STACK : BULKHEAD_FAULT_DATA;
    case CAUSE_BREAKPOINT:
        return BULKHEAD_FAULT_BREAKPOINT;
    default:
        return BULKHEAD_FAULT_INSTRUCTION;
    }
}

// Returns the address of a fault: mtval for a fault of an access or a fetch, otherwise the PC.
static uint32_t address_of(const struct bulkhead_fault *fault, uint32_t value) {
    switch (fault->kind) {
    case BULKHEAD_FAULT_INSTRUCTION:
    case BULKHEAD_FAULT_BREAKPOINT:
        return fault->registers.pc;
    default:
        return value;
    }
}

void arch_fault_report(const struct thread *thread) {
    struct bulkhead_fault *fault = thread->process->report;
    const uint32_t cause = thread->fault[CAUSE];
    fault->faults++;
    fault->thread = BULKHEAD_FIRST_THREAD + (uint32_t)(thread - kernel_threads);
    fault->kind = kind_of(cause, &thread->context);
    fault->status = cause;
    kernel_copy((uint32_t *)&fault->registers, (uint32_t *)(fault + 1),
                (const uint32_t *)&thread->context.frame.registers);
    fault->address = address_of(fault, thread->fault[VALUE]);
}

struct thread *arch_thread_fault(void) {
    struct thread *thread = kernel.current;
    __asm__ volatile("csrr %0, mcause" : "=r"(thread->fault[CAUSE]));
    __asm__ volatile("csrr %0, mtval" : "=r"(thread->fault[VALUE]));
    kernel_fault();
    return thread_highest();
}
