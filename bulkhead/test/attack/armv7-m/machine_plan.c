// SPDX-License-Identifier: MIT
//
// Armv7-M part of plan.c: the memory map, the memory that the attacker may access, and the parts of
// an order that only Armv7-M has, such as a stack for exception frames.
#include "grants.h"
#include "plan.h"
#include <bulkhead/methods.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// --- The memory map ------------------------------------------------------------------------------

extern char kernel[], kernel_threads[], memory_stack_top[], memory_data_load[], vector_table[];
extern char fuse_stack[], accomplice_stack[];
extern char judge_data_start[], judge_stack[];
extern char guard_data_start[], guard_stack[], keeper_data_start[], keeper_stack[];
extern char watch_stack[], SVC_Handler[], PendSV_Handler[], arch_copy_in[];
extern char attacker_loop[], judge_main[], guard_main[], keeper_main[], watch_main[];

enum {
    OWN_CODE_BYTES = 8192,
    PAGE_BYTES = 32,
    LAMPS_BYTES = 32,
};

const uint32_t plan_places[] = {
    0,
    (uint32_t)vector_table,
    (uint32_t)SVC_Handler,
    (uint32_t)PendSV_Handler,
    (uint32_t)arch_copy_in,
    (uint32_t)attacker_loop,
    (uint32_t)judge_main,
    (uint32_t)guard_main,
    (uint32_t)keeper_main,
    (uint32_t)watch_main,
    (uint32_t)&bulkhead_local_queue_send,
    (uint32_t)memory_data_load,
    MACHINE_CODE + 0x003FFFF0u,
    MACHINE_CODE + 0x00400000u,
    MACHINE_DATA - 16,
    MACHINE_DATA, // the kernel's stack
    (uint32_t)memory_stack_top,
    (uint32_t)kernel,
    (uint32_t)kernel + 32,
    (uint32_t)kernel + 128,
    (uint32_t)kernel_threads,
    (uint32_t)kernel_threads + 256,
    (uint32_t)attacker_data_start,
    (uint32_t)attacker_data_start + PLAN_DATA_BYTES,
    (uint32_t)attacker_stack,
    (uint32_t)attacker_stack + PLAN_STACK_BYTES,
    (uint32_t)attacker_stack + PLAN_STACK_BYTES / 2,
    (uint32_t)fuse_stack,
    (uint32_t)accomplice_stack,
    (uint32_t)common_start,
    (uint32_t)common_start + PLAN_COMMON_BYTES,
    (uint32_t)judge_data_start,
    (uint32_t)judge_stack + 512,
    (uint32_t)guard_data_start,
    (uint32_t)guard_stack + 512,
    (uint32_t)keeper_data_start,
    (uint32_t)keeper_stack + 256,
    (uint32_t)watch_stack + 256,
    MACHINE_DATA + 0x00100000u, // the witness's memory
    MACHINE_DATA_ALIAS,
    MACHINE_TIMER,
    MACHINE_WATCHDOG,
    MACHINE_LAMPS,
    MACHINE_LAMPS + LAMPS_BYTES,
    0x42000000u,
    0x60000000u,
    0xE0001000u, // DWT
    0xE000E010u, // SysTick
    0xE000E100u, // NVIC
    0xE000E200u,
    0xE000ED00u, // SCB
    0xE000ED24u,
    0xE000ED94u, // MPU
    0xE000EF00u, // STIR
    0xE000EF34u, // FPCCR
    0xFFFFFFF0u, // EXC_RETURN
};

const uint32_t plan_place_count = COUNT(plan_places);

void grants_find(struct grant grants[GRANTS]) {
    grants[0] = (struct grant){(uint32_t)attacker_data_start, PLAN_DATA_BYTES, true, false};
    grants[1] = (struct grant){(uint32_t)attacker_stack, PLAN_STACK_BYTES, true, false};
    grants[2] = (struct grant){(uint32_t)&bulkhead_page, PAGE_BYTES, false, false};
    grants[3] = (struct grant){(uint32_t)attacker_loop & ~(OWN_CODE_BYTES - 1u), OWN_CODE_BYTES,
                               false, true};
    grants[4] = (struct grant){SHARED_CODE, SHARED_CODE_BYTES, false, true};
    grants[5] = (struct grant){(uint32_t)common_start, PLAN_COMMON_BYTES, COMMON_IS_WRITTEN, false};
    grants[6] = (struct grant){MACHINE_LAMPS, LAMPS_BYTES, true, false};
}

// Returns the stack pointer with which a pop or a push accesses `address`.
static uint32_t stack_address(uint32_t address) {
    return address & ~3u;
}

bool plan_may_load(uint32_t variant, uint32_t address) {
    enum { POP = 8 };
    static const uint8_t bytes[LOADS] = {1, 2, 4, 8, 16, 4, 4, 32, 8, 2};
    return grants_may_read(variant == POP ? stack_address(address) : address, bytes[variant]);
}

bool plan_may_store(uint32_t variant, uint32_t address) {
    enum { EXCLUSIVE = 5, PUSH = 8 };
    static const uint8_t bytes[STORES] = {1, 2, 4, 8, 16, 4, 4, 32, 8};
    if (variant == EXCLUSIVE) { // an interrupt after the LDREX may make the STREX do nothing
        return grants_may_read(address, bytes[EXCLUSIVE]);
    }
    return grants_may_write(variant == PUSH ? stack_address(address) - bytes[PUSH] : address,
                            bytes[variant]);
}

bool plan_is_overlooked(uint32_t address) {
    (void)address;
    return false;
}

// --- Orders to the attacker ------------------------------------------------------------------

// Chooses the forged exception frame: one bit of the status word (B1.4.2) or of the program counter
// is inverted, or the program counter is replaced.
static void forge(struct order *planned) {
    for (uint32_t i = 0; i < FRAME_WORDS; i++) {
        planned->registers[i] = 0;
    }
    planned->registers[6 + plan_below(2)] =
        plan_below(4) == 0 ? plan_random() : 1u << plan_below(32);
}

// Chooses a stack pointer for which the exception frame is in memory of the attacker, but the space
// for the floating-point registers only in part. The call waits, so that the processor has to save
// these registers.
static void sink(struct order *planned) {
    enum { FLOATING_CALL = 2, FRAME_WORDS_LEFT = 26 };
    planned->variant = FLOATING_CALL;
    planned->address =
        (uint32_t)attacker_stack + PLAN_STACK_BYTES + 4 * plan_below(FRAME_WORDS_LEFT);
    planned->registers[HANDLE] = BULKHEAD_SELF;
    planned->registers[METHOD] = BULKHEAD_SELF_NOTIFICATION_WAIT;
    planned->registers[ARGUMENT] = UINT32_MAX;
}

void plan_refine(struct order *planned) {
    if (planned->kind == FORGE) {
        forge(planned);
    }
    if (planned->kind == STACK && plan_below(2) == 0) {
        sink(planned);
    }
}
