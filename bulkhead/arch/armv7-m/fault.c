// SPDX-License-Identifier: MIT
//
// From the processor's faults to the kernel's: who did it, and what is to be undone first.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B3.2.13 SHCSR, B3.2.15 CFSR, A7.7.67
// LDRT, A7.7.167 STRT.
#include "internal.h"

#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
#define SHCSR_SVCALLPENDED (1u << 15)
#define CFSR (*(volatile uint32_t *)0xE000ED28u)
#define HFSR (*(volatile uint32_t *)0xE000ED2Cu)
#define CFSR_STACKING 0x00003838u // UNSTKERR, STKERR, LSPERR of MemManage and BusFault
#define CFSR_MMARVALID (1u << 7)
#define MMFAR (*(volatile uint32_t *)0xE000ED34u)
#define BFAR (*(volatile uint32_t *)0xE000ED38u)
#define XPSR_IT 0x0600FC00u

static void report(const struct arch_frame *frame, uint32_t status) {
    struct arch_fault_report *fault = &kernel.fault;
    *fault = (struct arch_fault_report){.status = status, .thread = kernel.current};
    fault->address = status & CFSR_MMARVALID ? MMFAR : BFAR;
    if (!(status & CFSR_STACKING)) {
        fault->frame = *frame;
    }
}

// A thread's fault. A call that it was making when its stack failed must not be taken for the next
// thread's, and floating-point registers that were to be stacked lazily have nowhere to go.
decision arch_thread_fault(const struct arch_frame *frame) {
    const uint32_t status = CFSR;
    report(frame, status);
    CFSR = status;
    HFSR = HFSR;
    SHCSR &= ~SHCSR_SVCALLPENDED;
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
        report(frame, status);
        arch_fpu_forget();
        next = arch_abandon_thread;
    } else if (is_unprivileged_access((const uint16_t *)frame->pc)) {
        next = arch_copy_refused;
    }
    CFSR = status;
    frame->pc = (uint32_t)next & ~1u;
    frame->xpsr &= ~XPSR_IT;
}
