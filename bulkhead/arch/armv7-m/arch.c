// SPDX-License-Identifier: MIT
//
// Start-up and contexts for Armv7-M: exception priorities, MPU, a thread's first frame.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B1.5.6 frames, B1.5.8 EXC_RETURN,
// B3.2.10 to B3.2.13 priorities and SHCSR, B3.5 MPU.
#include "internal.h"
#include "layout.h"
#include "objects.h"
#include <bulkhead/methods.h>
#include <bulkhead/start.h>
#include <regions.h>
#include <switch.h>

_Static_assert(offsetof(struct arch_frame, r0) == FRAME_R0, "layout.h");
_Static_assert(offsetof(struct arch_frame, r1) == FRAME_R1, "layout.h");
_Static_assert(offsetof(struct arch_frame, r3) == FRAME_R3, "layout.h");
_Static_assert(offsetof(struct arch_frame, pc) == FRAME_PC, "layout.h");
_Static_assert(offsetof(struct arch_frame, xpsr) == FRAME_XPSR, "layout.h");
_Static_assert(sizeof(struct arch_frame) == FRAME_BYTES, "layout.h");
_Static_assert(offsetof(struct arch_context, r4_to_r11[4]) == CONTEXT_WORDS, "layout.h");
_Static_assert(offsetof(struct arch_context, resume) == CONTEXT_RESUME, "layout.h");
_Static_assert(offsetof(struct arch_context, stack) == CONTEXT_STACK, "layout.h");
_Static_assert(offsetof(struct arch_line, number) == LINE_NUMBER, "layout.h");
_Static_assert(offsetof(struct arch_line, enable) == 0, "entry.S: LINE_STORE");
_Static_assert(offsetof(struct arch_line, bit) == 4, "entry.S: LINE_STORE");
_Static_assert(ARCH_ICPR_WORDS * 4 == LINE_FORGET, "layout.h");
_Static_assert(offsetof(struct thread, context) == 0, "layout.h");
_Static_assert(offsetof(struct thread, process) == THREAD_PROCESS, "layout.h");
_Static_assert(offsetof(struct thread, next) == THREAD_NEXT, "layout.h");
_Static_assert(offsetof(struct thread, previous) == THREAD_PREVIOUS, "layout.h");
_Static_assert(offsetof(struct thread, level) == THREAD_LEVEL, "layout.h");
_Static_assert(offsetof(struct thread, priority_mask) == THREAD_LEVEL + 4, "gate.inc loads both");
_Static_assert(offsetof(struct thread, state) == THREAD_STATE, "layout.h");
_Static_assert(offsetof(struct thread, waits_for) == THREAD_STATE + 4, "gate.inc stores both");
_Static_assert(offsetof(struct thread, client) == THREAD_CLIENT, "layout.h");
_Static_assert(offsetof(struct thread, notifications) == THREAD_NOTIFICATIONS, "layout.h");
_Static_assert(offsetof(struct thread, waits_in) == THREAD_WAITS_IN, "layout.h");
_Static_assert(offsetof(struct thread, timer) == THREAD_TIMER, "layout.h");
_Static_assert(offsetof(struct thread, wait_lower) == THREAD_WAIT_LOWER, "layout.h");
_Static_assert(offsetof(struct thread, floats) == THREAD_FLOATS, "layout.h");
_Static_assert(THREAD_SUSPENDED == THREAD_STATE_SUSPENDED, "layout.h");
_Static_assert(THREAD_WAITS == THREAD_STATE_WAITS, "layout.h");
_Static_assert(THREAD_LISTENS == THREAD_STATE_LISTENS, "layout.h");
_Static_assert(THREAD_CALLS == THREAD_STATE_CALLS, "layout.h");
_Static_assert(THREAD_RECEIVES == THREAD_STATE_RECEIVES, "layout.h");
_Static_assert(THREAD_RECEIVES == 2 * THREAD_CALLS, "gate.inc: gate_call_idle");
_Static_assert(THREAD_TIMED == THREAD_STATE_TIMED, "layout.h");
_Static_assert(offsetof(struct gate, resource.holder) == GATE_SERVER, "layout.h");
_Static_assert(offsetof(struct process, regions) == 0, "layout.h");
_Static_assert(sizeof(struct process) == PROCESS_RIGHTS, "layout.h");
_Static_assert(sizeof(struct right) == BULKHEAD_RIGHT_BYTES, "entry.S shifts by 3");
_Static_assert(sizeof(struct arch_regions) == 32, "entry.S loads eight words");
_Static_assert(offsetof(struct kernel, current) == KERNEL_CURRENT, "layout.h");
_Static_assert(offsetof(struct kernel, process) == KERNEL_PROCESS, "layout.h");
_Static_assert(offsetof(struct kernel, rights_mask) == KERNEL_PROCESS + 4, "entry.S loads both");
_Static_assert(offsetof(struct kernel, ready) == KERNEL_READY, "layout.h");
_Static_assert(BULKHEAD_DENIED == RESULT_DENIED, "layout.h");
_Static_assert(BULKHEAD_REFUSED == RESULT_REFUSED, "layout.h");
_Static_assert(offsetof(struct semaphore, own) == 0, "entry.S: semaphore_take_free");
_Static_assert(offsetof(struct semaphore, maximum) == SEMAPHORE_MAXIMUM, "layout.h");
_Static_assert(offsetof(struct semaphore, waiters.first) == SEMAPHORE_WAITERS, "layout.h");
_Static_assert(offsetof(struct semaphore, count) == SEMAPHORE_WAITERS + 4, "waits.inc loads both");
_Static_assert(offsetof(struct queue, capacity) == QUEUE_CAPACITY, "layout.h");
_Static_assert(offsetof(struct queue, used) == QUEUE_USED, "layout.h");
_Static_assert(offsetof(struct queue, tail) == QUEUE_TAIL, "layout.h");
_Static_assert(offsetof(struct queue, head) == QUEUE_HEAD, "layout.h");
_Static_assert(offsetof(struct queue, end) == QUEUE_END, "layout.h");
_Static_assert(offsetof(struct queue, start) == QUEUE_START, "layout.h");
_Static_assert(offsetof(struct queue, senders.first) == QUEUE_SENDERS, "layout.h");
_Static_assert(offsetof(struct queue, receivers.first) == QUEUE_RECEIVERS, "layout.h");
_Static_assert(offsetof(struct mutex, own) == 0, "entry.S: mutex_lock_free");
_Static_assert(offsetof(struct flags, own) == 0, "entry.S: flags_set_unwaited");
_Static_assert(offsetof(struct pool, free) == 0, "entry.S: pool_allocate_free");
_Static_assert(offsetof(struct pool, start) == POOL_START, "layout.h");
_Static_assert(offsetof(struct pool, block_bytes) == POOL_START + 4, "entry.S loads both");
_Static_assert(offsetof(struct pool, blocks) == POOL_BLOCKS, "layout.h");
_Static_assert(offsetof(struct pool, links) == POOL_LINKS, "layout.h");
_Static_assert(offsetof(struct pool, waiters.first) == POOL_WAITERS, "layout.h");
_Static_assert(POOL_TAKEN == POOL_USED, "layout.h");
_Static_assert(POOL_END == POOL_LAST, "layout.h");

enum {
    XPSR_THUMB = 1u << 24,
    // EXC_RETURN: return to thread mode, on the process stack, without floating-point registers
    EXC_RETURN_THREAD_BASIC = 0xFFFFFFFDu,
};

// Faults have a higher priority than the kernel, so that a copy for a thread may fault. The switch
// has the lowest priority: it happens once, after all interrupts.
#define SHPR1 (*(volatile uint32_t *)0xE000ED18u)
#define SHPR2 (*(volatile uint32_t *)0xE000ED1Cu)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)
#define SHPR2_SVCALL (BULKHEAD_EXCEPTION_PRIORITY << 24)
#define SHPR3_SYSTICK_PENDSV (BULKHEAD_EXCEPTION_PRIORITY << 24 | SWITCH_PRIORITY << 16)

#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
#define SHCSR_FAULTS_ENABLED (7u << 16)

#define NVIC_IPR ((volatile uint8_t *)0xE000E400u)

#define MPU_CTRL (*(volatile uint32_t *)0xE000ED94u)
// RBAR, RASR, RBAR_A1 and RASR_A1: four words, which write two regions (B3.5.10)
#define MPU_RBAR_TO_RASR_A1 ((uint32_t *)0xE000ED9Cu)

// A struct of this size, which the compiler clears with inline code.
struct four_words {
    uint32_t each[4];
};

static __attribute__((noinline)) void clear_eight_words(uint32_t *first) {
    struct four_words *const words = (struct four_words *)(void *)first;
    words[0] = (struct four_words){{0}};
    words[1] = (struct four_words){{0}};
}

void arch_context_begin(struct arch_context *context, void (*entry)(void), uint32_t stack_top) {
    struct arch_frame *frame = (struct arch_frame *)stack_top - 1;
    frame->pc = (uint32_t)entry & ~1u;
    frame->xpsr = XPSR_THUMB;
    context->stack_pointer = (uint32_t)frame;
    context->resume = EXC_RETURN_THREAD_BASIC;
}

void arch_context_reset(struct arch_context *context, void (*entry)(void), uint32_t stack_top,
                        const struct arch_region *stack) {
    struct arch_frame *frame = (struct arch_frame *)stack_top - 1;
    clear_eight_words((uint32_t *)frame);
    clear_eight_words(context->r4_to_r11);
    context->stack = regions_of_stack(*stack);
    arch_context_begin(context, entry, stack_top);
}

void arch_threads_unprivileged(void) {
    __asm__ volatile("msr control, %0" : : "r"(REGIONS_THREAD_CONTROL) : "memory");
}

static void line_bind(const struct bound_line *bound) {
    NVIC_IPR[bound->line.number] = BULKHEAD_EXCEPTION_PRIORITY;
    if (!bound->is_masked) {
        arch_line_unmask(&bound->line);
    }
}

static void mpu_start(void) {
    arch_unit_prepare();
    kernel_copy(MPU_RBAR_TO_RASR_A1, MPU_RBAR_TO_RASR_A1 + 4,
                (const uint32_t *)kernel_shared_regions);
    MPU_CTRL = REGIONS_MPU_CONTROL;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

_Noreturn void arch_start(void) {
    arch_known_state();
    for (uint32_t i = 0; i < kernel_line_count; i++) {
        line_bind(&kernel_lines[i]);
    }
    SHPR1 = 0;
    SHPR2 = SHPR2_SVCALL;
    SHPR3 = SHPR3_SYSTICK_PENDSV;
    SHCSR = SHCSR_FAULTS_ENABLED;
    mpu_start();
    arch_unmask();
    arch_enter();
}
