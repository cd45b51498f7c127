// SPDX-License-Identifier: MIT
//
// See plan.h. Addresses are near what the linker and the processor place somewhere, or anywhere.
#include "plan.h"
#include <bulkhead/methods.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// --- The map -------------------------------------------------------------------------------------

extern char kernel[], kernel_threads[], memory_stack_top[], memory_data_load[], vector_table[];
extern char attacker_data_start[], attacker_stack[], fuse_stack[], accomplice_stack[];
extern char judge_data_start[], judge_stack[];
extern char guard_data_start[], guard_stack[], keeper_data_start[], keeper_stack[];
extern char watch_stack[], SVC_Handler[], PendSV_Handler[], arch_copy_in[];
extern char attacker_loop[], judge_main[], guard_main[], keeper_main[], watch_main[];
extern char bulkhead_queue_send[], bulkhead_page[];

enum {
    DATA_BYTES = 1024,
    STACK_BYTES = 512,
    OWN_CODE_BYTES = 8192,
    SHARED_CODE_BYTES = 0x4000,
    PAGE_BYTES = 32,
};

static const uint32_t places[] = {
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
    (uint32_t)bulkhead_queue_send,
    (uint32_t)memory_data_load,
    0x003FFFF0u,
    0x00400000u,
    0x1FFFFFF0u,
    0x20000000u, // the kernel's stack
    (uint32_t)memory_stack_top,
    (uint32_t)kernel,
    (uint32_t)kernel + 32,
    (uint32_t)kernel + 128,
    (uint32_t)kernel_threads,
    (uint32_t)kernel_threads + 256,
    (uint32_t)attacker_data_start,
    (uint32_t)attacker_data_start + DATA_BYTES,
    (uint32_t)attacker_stack,
    (uint32_t)attacker_stack + STACK_BYTES,
    (uint32_t)attacker_stack + STACK_BYTES / 2,
    (uint32_t)fuse_stack,
    (uint32_t)accomplice_stack,
    (uint32_t)judge_data_start,
    (uint32_t)judge_stack + 512,
    (uint32_t)guard_data_start,
    (uint32_t)guard_stack + 512,
    (uint32_t)keeper_data_start,
    (uint32_t)keeper_stack + 256,
    (uint32_t)watch_stack + 256,
    0x20100000u, // the witness's memory
    0x22000000u, // the bit band of data
    0x40000000u, // devices
    0x40008000u,
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

static const int32_t distances[] = {-104, -36, -32, -16, -8, -5, -4, -3, -2, -1, 0,
                                    1,    2,   3,   4,   7,  8,  12, 28, 32, 104};

struct grant {
    uint32_t start, bytes;
    bool writable, executable;
};

static struct grant grants[5];

static void find_grants(void) {
    grants[0] = (struct grant){(uint32_t)attacker_data_start, DATA_BYTES, true, false};
    grants[1] = (struct grant){(uint32_t)attacker_stack, STACK_BYTES, true, false};
    grants[2] = (struct grant){(uint32_t)bulkhead_page, PAGE_BYTES, false, false};
    grants[3] = (struct grant){(uint32_t)attacker_loop & ~(OWN_CODE_BYTES - 1u), OWN_CODE_BYTES,
                               false, true};
    grants[4] = (struct grant){(uint32_t)bulkhead_queue_send & ~(SHARED_CODE_BYTES - 1u),
                               SHARED_CODE_BYTES, false, true};
}

static const struct grant *grant_of(uint32_t address) {
    for (uint32_t i = 0; i < COUNT(grants); i++) {
        if (address - grants[i].start < grants[i].bytes) {
            return &grants[i];
        }
    }
    return NULL;
}

static bool may_read(uint32_t address, uint32_t bytes) {
    return grant_of(address) != NULL && grant_of(address + bytes - 1) != NULL;
}

bool plan_may_write(uint32_t address, uint32_t bytes) {
    const struct grant *first = grant_of(address), *last = grant_of(address + bytes - 1);
    return first != NULL && first->writable && last != NULL && last->writable;
}

bool plan_may_run(uint32_t address) {
    const struct grant *grant = grant_of(address);
    return grant != NULL && grant->executable;
}

// As the stack pointer has them, for a pop and a push.
static uint32_t stack_address(uint32_t address) {
    return address & ~3u;
}

bool plan_may_load(uint32_t variant, uint32_t address) {
    enum { POP = 8 };
    static const uint8_t bytes[LOADS] = {1, 2, 4, 8, 16, 4, 4, 32, 8, 2};
    return may_read(variant == POP ? stack_address(address) : address, bytes[variant]);
}

bool plan_may_store(uint32_t variant, uint32_t address) {
    enum { EXCLUSIVE = 5, PUSH = 8 };
    static const uint8_t bytes[STORES] = {1, 2, 4, 8, 16, 4, 4, 32, 8};
    if (variant == EXCLUSIVE) { // an interrupt after the LDREX, and the STREX does nothing
        return may_read(address, bytes[EXCLUSIVE]);
    }
    return plan_may_write(variant == PUSH ? stack_address(address) - bytes[PUSH] : address,
                          bytes[variant]);
}

// --- Orders --------------------------------------------------------------------------------------

// xorshift (Marsaglia, Journal of Statistical Software 8, 2003).
static uint32_t state;

void plan_begin(uint32_t seed) {
    state = seed * 2 + 1;
    find_grants();
}

uint32_t plan_random(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t below(uint32_t limit) {
    return (plan_random() >> 8) % limit;
}

// QEMU asks the MPU about the first byte of an unaligned access alone, a processor about each word
// of it: none goes over a multiple of 32 here, where regions end.
static uint32_t uncrossed(uint32_t address) {
    return address % 32 > 28 ? address & ~3u : address;
}

static uint32_t any_address(void) {
    switch (below(4)) {
    case 0:
        return uncrossed(plan_random());
    case 1:
        return uncrossed(0x20000000u + below(0x8000));
    default:
        return uncrossed(places[below(COUNT(places))] +
                         (uint32_t)distances[below(COUNT(distances))]);
    }
}

// A handle, a method, a pointer or a timeout, or none of them.
static uint32_t any_argument(void) {
    switch (below(8)) {
    case 0:
        return plan_random();
    case 1:
        return any_address();
    case 2:
        return (uint32_t)attacker_data_start + 4 * below(DATA_BYTES / 4 + 1);
    case 3:
        return UINT32_MAX - below(2);
    default:
        return below(below(2) == 0 ? 8 : 40);
    }
}

static uint32_t any_variant(uint32_t kind) {
    static const uint8_t variants[KINDS] = {
        [NOTHING] = 1,    [LOAD] = LOADS, [STORE] = STORES,
        [JUMP] = 2,       [CALL] = 1,     [STORM] = 1,
        [STACK] = STACKS, [FORGE] = 1,    [PRIVILEGE] = PRIVILEGES,
        [LOOK] = 1};
    return below(variants[kind]);
}

static uint32_t any_kind(void) {
    static const uint8_t kinds[] = {LOAD,  LOAD,  STORE, STORE,     JUMP, CALL, STORM,
                                    STORM, STORM, STACK, PRIVILEGE, LOOK, FORGE};
    return kinds[below(sizeof kinds)];
}

static void fill(struct order *planned) {
    for (uint32_t i = 0; i < CORE_REGISTERS; i++) {
        planned->registers[i] = any_argument();
    }
}

// The forgery turns one bit of the status word (B1.4.2), or of the program counter, or goes
// elsewhere.
static void forge(struct order *planned) {
    for (uint32_t i = 0; i < FRAME_WORDS; i++) {
        planned->registers[i] = 0;
    }
    planned->registers[6 + below(2)] = below(4) == 0 ? plan_random() : 1u << below(32);
}

// The frame is in memory, and what of it is kept for floating-point registers is not all; the call
// waits, so that these are wanted.
static void sink(struct order *planned) {
    enum { FLOATING_CALL = 2, FRAME_WORDS_LEFT = 26 };
    planned->variant = FLOATING_CALL;
    planned->address = (uint32_t)attacker_stack + STACK_BYTES + 4 * below(FRAME_WORDS_LEFT);
    planned->registers[1] = BULKHEAD_SELF;
    planned->registers[2] = BULKHEAD_SELF_NOTIFICATION_WAIT;
    planned->registers[3] = UINT32_MAX;
}

// A timer for times that cannot be told from the past.
static void overwind(struct order *planned) {
    planned->registers[1] = TIMER_SHARED;
    planned->registers[2] = BULKHEAD_TIMER_START;
    planned->registers[3] = 1 + below(2);
    planned->registers[12] = 0x80000000u + below(4);
}

static struct order order_of(uint32_t kind, uint32_t address) {
    struct order planned = {.kind = kind, .variant = any_variant(kind), .address = address};
    fill(&planned);
    if (kind == FORGE) {
        forge(&planned);
    }
    if (kind == PRIVILEGE) {
        planned.address = (uint32_t)kernel + 64;
    }
    if (kind == STACK && below(2) == 0) {
        sink(&planned);
    }
    if (kind == CALL && below(8) == 0) {
        overwind(&planned);
    }
    return planned;
}

struct order plan_random_order(void) {
    return order_of(any_kind(), any_address());
}

struct order plan_crafted_order(uint32_t n) {
    static const uint8_t kinds[] = {LOAD, STORE, JUMP, CALL, STACK, LOOK, FORGE, PRIVILEGE};
    const uint32_t turn = n / COUNT(kinds), place = turn % COUNT(places);
    const uint32_t distance = turn / COUNT(places) % COUNT(distances);
    const uint32_t address = uncrossed(places[place] + (uint32_t)distances[distance]);
    struct order planned = order_of(kinds[n % COUNT(kinds)], address);
    if (planned.kind == CALL) {
        planned.registers[below(2) == 0 ? 1 : 3] = address;
    }
    return planned;
}

struct order plan_legal_order(uint32_t n) {
    enum { NOWHERE = 0x60000000 };
    struct order planned =
        order_of(n % 4 == 0 ? LOAD + n / 4 % 3 : LEGAL, NOWHERE + below(NOWHERE));
    planned.variant = planned.kind == LEGAL ? below(LEGALS) : planned.variant;
    return planned;
}
