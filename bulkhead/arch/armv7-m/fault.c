// SPDX-License-Identifier: MIT
//
// From the processor's faults to the kernel's: who did it, and what is to be undone first.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B3.2.13 SHCSR, B3.2.15 CFSR, A7.7.67
// LDRT, A7.7.167 STRT.
#include "internal.h"
#include <string.h>

#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
#define SHCSR_PENDED (15u << 12) // SVCALL, BUSFAULT, MEMFAULT, USGFAULT
#define CFSR (*(volatile uint32_t *)0xE000ED28u)
#define HFSR (*(volatile uint32_t *)0xE000ED2Cu)
#define CFSR_INVPC (1u << 18)
#define CFSR_STACKING 0x00003838u // UNSTKERR, STKERR, LSPERR of MemManage and BusFault
#define CFSR_FETCH 0x00000101u    // IACCVIOL, IBUSERR
#define CFSR_ACCESS 0x00000202u   // DACCVIOL, PRECISERR
#define CFSR_IMPRECISERR 0x00000400u
#define CFSR_USAGE 0xFFFF0000u
#define CFSR_MMARVALID (1u << 7)
#define CFSR_BFARVALID (1u << 15)
#define MMFAR (*(volatile uint32_t *)0xE000ED34u)
#define BFAR (*(volatile uint32_t *)0xE000ED38u)
#define XPSR_IT 0x0600FC00u

// The most telling first: one fault may have several causes.
static uint32_t kind_of(uint32_t status) {
    if (status & CFSR_STACKING) {
        return BULKHEAD_FAULT_STACK;
    }
    if (status & CFSR_FETCH) {
        return BULKHEAD_FAULT_CODE;
    }
    if (status & CFSR_ACCESS) {
        return BULKHEAD_FAULT_DATA;
    }
    if (status & CFSR_IMPRECISERR) {
        return BULKHEAD_FAULT_LATE;
    }
    return status & CFSR_USAGE ? BULKHEAD_FAULT_INSTRUCTION : BULKHEAD_FAULT_BREAKPOINT;
}

static uint32_t address_of(const struct bulkhead_fault *fault) {
    if (fault->status & CFSR_MMARVALID) {
        return MMFAR;
    }
    if (fault->status & CFSR_BFARVALID) {
        return BFAR;
    }
    return fault->kind == BULKHEAD_FAULT_STACK ? fault->registers.sp : fault->registers.pc;
}

// Half of the registers: a frame, or r4 to r11.
static __attribute__((noinline)) void copy_half(uint32_t *to, const void *from) {
    memcpy(to, from, 8 * sizeof *to);
}

// What was to be stacked on a stack that failed is nowhere, what was no frame to return to may lie
// in no memory of the thread, and r4 to r11 are the thread's only
// until the kernel's own code has begun: NULL then.
static void report(uint32_t stack_pointer, const uint32_t *r4_to_r11, uint32_t status) {
    struct bulkhead_fault *fault = kernel.process->report;
    *fault = (struct bulkhead_fault){.faults = fault->faults + 1,
                                     .thread = BULKHEAD_FIRST_THREAD +
                                               (uint32_t)(kernel.current - kernel_threads),
                                     .kind = kind_of(status),
                                     .status = status,
                                     .registers = {.sp = stack_pointer}};
    if (fault->kind != BULKHEAD_FAULT_STACK && !(status & CFSR_INVPC)) {
        copy_half(&fault->registers.r0, (const void *)stack_pointer);
    }
    if (r4_to_r11 != NULL) {
        copy_half(fault->registers.r4_to_r11, r4_to_r11);
    }
    fault->address = address_of(fault);
}

// A thread's fault. If it was its stack that failed, at a call or at another fault, that one is
// still pended and must not be taken for the next thread's. Floating-point registers that were to
// be stacked lazily have nowhere to go.
decision arch_thread_fault(const struct arch_frame *frame, const uint32_t *r4_to_r11) {
    const uint32_t status = CFSR;
    report((uint32_t)frame, r4_to_r11, status);
    CFSR = status;
    HFSR = HFSR;
    SHCSR &= ~SHCSR_PENDED;
    arch_fpu_forget();
    return kernel_fault();
}

// LDRT and STRT, encoding T1.
static bool is_unprivileged_access(const uint16_t *instruction) {
    return (instruction[0] & 0xFFE0u) == 0xF840u && (instruction[1] & 0x0F00u) == 0x0E00u;
}

// A fault in the kernel. A copy for a thread was refused: it says so to its caller. Lazy stacking
// failed: the thread's stack is at fault. Anything else would be the kernel's own mistake.
void arch_kernel_fault(struct arch_frame *frame) {
    const uint32_t status = CFSR;
    void (*next)(void) = arch_panic;
    if (status & CFSR_STACKING) {
        report((uint32_t)arch_caller_frame(), NULL, status);
        arch_fpu_forget();
        next = arch_abandon_thread;
    } else if (is_unprivileged_access((const uint16_t *)frame->pc)) {
        next = arch_copy_refused;
    }
    CFSR = status;
    frame->pc = (uint32_t)next & ~1u;
    frame->xpsr &= ~XPSR_IT;
}
