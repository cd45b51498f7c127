// SPDX-License-Identifier: MIT
//
// RV32 part of plan.c: the memory map of QEMU's `virt` machine, the memory that the attacker may
// access, and the parts of an order that only RV32 has.
#include "grants.h"
#include "plan.h"
#include <bulkhead/methods.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// --- The memory map ------------------------------------------------------------------------------

extern char kernel[], kernel_threads[], memory_stack_top[], memory_data_load[];
extern char fuse_stack[], judge_data_start[], judge_stack[];
extern char guard_data_start[], guard_stack[], keeper_data_start[], keeper_stack[], watch_stack[];
extern char bulkhead_reset[], arch_vectors[], trap[], arch_restore[], arch_copy_in[];
extern char attacker_loop[], judge_main[], guard_main[], keeper_main[], watch_main[];
extern char arch_copies_start[], arch_copies_end[];

enum { SHARED_CODE_BYTES = 0x4000 };

const uint32_t plan_places[] = {
    0,
    (uint32_t)bulkhead_reset,
    (uint32_t)arch_vectors,
    (uint32_t)trap,
    (uint32_t)arch_restore,
    (uint32_t)arch_copy_in,
    (uint32_t)attacker_loop,
    (uint32_t)judge_main,
    (uint32_t)guard_main,
    (uint32_t)keeper_main,
    (uint32_t)watch_main,
    (uint32_t)&bulkhead_local_queue_send,
    (uint32_t)memory_data_load,
    (uint32_t)kernel, // the page that every thread may read
    (uint32_t)kernel + 32,
    (uint32_t)kernel + 128,
    (uint32_t)memory_stack_top - 64,
    (uint32_t)memory_stack_top,
    (uint32_t)kernel_threads,
    (uint32_t)kernel_threads + 256,
    (uint32_t)attacker_data_start,
    (uint32_t)attacker_data_start + PLAN_DATA_BYTES,
    (uint32_t)attacker_stack,
    (uint32_t)attacker_stack + PLAN_STACK_BYTES,
    (uint32_t)attacker_stack + PLAN_STACK_BYTES / 2,
    (uint32_t)fuse_stack,
    (uint32_t)common_start,
    (uint32_t)common_start + PLAN_COMMON_BYTES,
    (uint32_t)judge_data_start,
    (uint32_t)judge_stack + 512,
    (uint32_t)guard_data_start,
    (uint32_t)guard_stack + 512,
    (uint32_t)keeper_data_start,
    (uint32_t)keeper_stack + 256,
    (uint32_t)watch_stack + 256,
    0x00001000u, // the boot code
    0x00100000u, // the device that ends the run
    0x00101000u, // the clock
    0x02000000u, // CLINT: the software interrupt, mtimecmp, mtime
    0x02004000u,
    0x0200BFF8u,
    0x0C000000u, // PLIC: priorities, enabled sources, claims
    0x0C002000u,
    0x0C200000u,
    0x10000000u, // the console
    0x20000000u, // flash
    0x7FFFFFF0u,
    MACHINE_DATA,
    0x80200000u, // the witness's memory
    0x88000000u, // the end of memory
    0xFFFFFFF0u,
};

const uint32_t plan_place_count = COUNT(plan_places);

// The page that every thread may read needs no grant of its own: it is within the code that all
// processes share.
void grants_find(struct grant grants[GRANTS]) {
    grants[0] = (struct grant){(uint32_t)attacker_data_start, PLAN_DATA_BYTES, true, false};
    grants[1] = (struct grant){(uint32_t)attacker_stack, PLAN_STACK_BYTES, true, false};
    grants[2] = (struct grant){(uint32_t)common_start, PLAN_COMMON_BYTES, COMMON_IS_WRITTEN, false};
    grants[3] = (struct grant){(uint32_t)&bulkhead_local_queue_send & ~(SHARED_CODE_BYTES - 1u),
                               SHARED_CODE_BYTES, false, true};
}

bool plan_may_load(uint32_t variant, uint32_t address) {
    static const uint8_t bytes[LOADS] = {1, 1, 2, 2, 4, 4, 16, 8};
    return grants_may_read(address, bytes[variant]);
}

bool plan_may_store(uint32_t variant, uint32_t address) {
    enum { PUSH = 5 };
    static const uint8_t bytes[STORES] = {1, 2, 4, 4, 16, 8};
    return grants_may_write(variant == PUSH ? address - bytes[PUSH] : address, bytes[variant]);
}

// Returns whether `address` is in the pages of the copy functions. QEMU 7.2 grants all rights to a
// page from which machine mode fetches an instruction, also while MPRV is set.
bool plan_is_overlooked(uint32_t address) {
    enum { PAGE = 4096 };
    const uint32_t first = (uint32_t)arch_copies_start / PAGE;
    const uint32_t last = (uint32_t)arch_copies_end / PAGE;
    return address / PAGE - first <= last - first;
}

// --- Orders to the attacker ----------------------------------------------------------------------

// LOOK is the order to read registers that other threads used. Makes the attacker first call
// another process, so that it reads the registers directly after that process ran.
void plan_refine(struct order *planned) {
    if (planned->kind == LOOK) {
        planned->registers[HANDLE] = GATE_CLERK * HANDLE_SCALE;
        planned->registers[METHOD] = BULKHEAD_GATE_CALL * METHOD_SCALE;
    }
}
