// SPDX-License-Identifier: MIT
//
// Turns a fault of the processor into a fault of a thread: finds the cause, writes the report, and
// first undoes the side effects of the fault.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B3.2.13 SHCSR, B3.2.15 CFSR, A7.7.67
// LDRT, A7.7.167 STRT.
#include "internal.h"
#include "layout.h"
#include "optional.h"

#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
#define SHCSR_PENDED (15u << 12) // SVCALLPENDED, BUSFAULTPENDED, MEMFAULTPENDED, USGFAULTPENDED
#define SHCSR_BUSFAULTPENDED (1u << 14)
#define CFSR_INVPC (1u << 18)
#define CFSR_LAZY_STACKING 0x00002020u                      // LSPERR of MemManage and of BusFault
#define CFSR_STACKING (0x00003838u | ARCH_CFSR_STACK_LIMIT) // the bits of EITHER_STACKING of both
#define CFSR_BUS 0x0000FF00u
#define CFSR_BUS_ACCESS 0x00000600u // PRECISERR, IMPRECISERR
#define CFSR_USAGE 0xFFFF0000u
#define CFSR_MMARVALID (1u << 7)
#define CFSR_BFARVALID (1u << 15)
#define MMFAR (*(volatile uint32_t *)0xE000ED34u)
#define BFAR (*(volatile uint32_t *)0xE000ED38u)

// Cause bits of a fault, which have the same position in the status bytes of MemManage and of
// BusFault.
enum {
    EITHER_FETCH = 1 << 0,     // IACCVIOL, IBUSERR
    EITHER_ACCESS = 1 << 1,    // DACCVIOL, PRECISERR
    EITHER_IMPRECISE = 1 << 2, // IMPRECISERR
    EITHER_STACKING = 7 << 3,  // UNSTKERR, STKERR, LSPERR
};

enum { STATUS, ADDRESS }; // indexes of the words of thread.fault

// Returns the kind of a fault. If the fault has several causes, returns the most informative one.
static uint32_t kind_of(uint32_t status) {
    const uint32_t either = status | status >> 8;
    if ((either & EITHER_STACKING) || (status & ARCH_CFSR_STACK_LIMIT)) {
        return BULKHEAD_FAULT_STACK;
    }
    if (either & EITHER_FETCH) {
        return BULKHEAD_FAULT_CODE;
    }
    if (either & EITHER_ACCESS) {
        return BULKHEAD_FAULT_DATA;
    }
    if (either & EITHER_IMPRECISE) {
        return BULKHEAD_FAULT_LATE;
    }
    return status & CFSR_USAGE ? BULKHEAD_FAULT_INSTRUCTION : BULKHEAD_FAULT_BREAKPOINT;
}

static uint32_t address_of(const struct bulkhead_fault *fault, uint32_t address) {
    if (fault->status & (CFSR_MMARVALID | CFSR_BFARVALID)) {
        return address;
    }
    return fault->status & CFSR_STACKING ? fault->registers.sp : fault->registers.pc;
}

// Writes half of the registers to a report: a frame, or r4 to r11; zeroes if they are not valid.
// Not inlined, because the compiler expands copies of 16 bytes inline.
static __attribute__((noinline)) void report_half(uint32_t *to, const uint32_t *from,
                                                  bool is_valid) {
    if (unlikely(!is_valid)) {
        kernel_clear(to, to + 8);
        return;
    }
    __builtin_memcpy(to, from, 16);
    __builtin_memcpy(to + 4, from + 4, 16);
}

// Writes the report of a fault. Leaves out the frame if the processor could not stack it, or if it
// was invalid for an exception return, because it may lie outside the thread's memory. Leaves out
// r4 to r11 if lazy stacking failed, because they have the kernel's values then.
void arch_fault_report(const struct thread *thread) {
    struct bulkhead_fault *fault = thread->process->report;
    const uint32_t status = thread->fault[STATUS];
    const struct arch_context *context = &thread->context;
    fault->faults++;
    fault->thread = BULKHEAD_FIRST_THREAD + (uint32_t)(thread - kernel_threads);
    fault->kind = kind_of(status);
    fault->status = status;
    fault->registers.sp = context->stack_pointer;
    report_half(&fault->registers.r0, (const uint32_t *)context->stack_pointer,
                !(status & (CFSR_STACKING | CFSR_INVPC)));
    report_half(fault->registers.r4_to_r11, context->r4_to_r11, !(status & CFSR_LAZY_STACKING));
    fault->address = address_of(fault, thread->fault[ADDRESS]);
}

// Handles a fault of the current thread, whose registers are in its context: stores the fault
// status for the report. If the stack failed while a call or another fault was stacked, that
// exception is still pending: clears it, because otherwise it would count as one of the next
// thread.
void arch_thread_fault(void) {
    struct thread *thread = kernel.current;
    const uint32_t status = arch_fault_status();
    thread->fault[STATUS] = status;
    thread->fault[ADDRESS] = status & CFSR_MMARVALID ? MMFAR : BFAR;
    ARCH_CFSR = status;
    SHCSR &= ~SHCSR_PENDED;
    kernel_fault();
}

// Returns whether an instruction is LDRT or STRT, encoding T1. The instruction has two halfwords;
// the first one is in the lower half of the word.
static bool is_unprivileged_access(const uint32_t *instruction) {
    return (*instruction & 0x0F00FFE0u) == 0x0E00F840u;
}

// Returns whether the bus has refused an access of a copy for a lease (copy.S). Then it first
// discards the faults of further stores of the copy, which the core may report late.
static bool end_lent_copy(uint32_t status, uint32_t pc) {
#if KERNEL_HAS_LEASES
    extern const char arch_copy_lent_start[], arch_copy_lent_end[];
    const uint32_t start = (uint32_t)arch_copy_lent_start;
    if ((status & CFSR_BUS_ACCESS) == 0 || pc - start >= (uint32_t)arch_copy_lent_end - start) {
        return false;
    }
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    SHCSR &= ~SHCSR_BUSFAULTPENDED;
    ARCH_CFSR = CFSR_BUS;
    return true;
#else
    (void)status, (void)pc;
    return false;
#endif
}

// Handles a fault in the kernel. If lazy stacking failed, the stack of the thread is at fault. If
// the MPU refused a copy for a thread, or the bus a copy for a lease, makes the copy return false.
// Repeats a write to memory that the current process may only read. Any other fault is an error in
// the kernel.
void arch_kernel_fault(struct arch_frame *frame) {
    const uint32_t status = ARCH_CFSR;
    void (*next)(void) = arch_panic;
    arch_note_panic(frame->pc);
    if (status & CFSR_LAZY_STACKING) {
        next = arch_abandon_thread; // reports the fault, so CFSR keeps its bits
    } else if (is_unprivileged_access((const uint32_t *)frame->pc) ||
               end_lent_copy(status, frame->pc)) {
        ARCH_CFSR = status;
        next = arch_copy_refused;
    } else if (shares_open(status)) {
        return;
    }
    frame->pc = (uint32_t)next & ~1u;
    frame->xpsr &= ~(uint32_t)(XPSR_ICI_HIGH | XPSR_ICI_LOW);
}
