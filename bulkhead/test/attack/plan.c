// SPDX-License-Identifier: MIT
//
// Plans the attacks (plan.h). Addresses are random, or near the boundaries that the linker and the
// processor define.
#include "plan.h"
#include "grants.h"
#include <bulkhead/methods.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

extern char kernel[];

// xorshift (Marsaglia, Journal of Statistical Software 8, 2003).
static uint32_t state;

void plan_begin(uint32_t seed) {
    state = seed * 2 + 1;
    grants_begin();
}

uint32_t plan_random(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

uint32_t plan_below(uint32_t limit) {
    return (plan_random() >> 8) % limit;
}

// --- Orders to the attacker ---------------------------------------------------------------------

// Distances from a boundary. The nearest ones come first, so that even a short attack tries both
// sides of every boundary.
static const int32_t distances[] = {0,  -1, 1,  -4,  4,   -2, 2,  -3,  3,    -8, 8,
                                    -5, 7,  12, -16, -32, 28, 32, -36, -104, 104};

// Returns the address, moved so that no access crosses a multiple of 32, where regions end. QEMU
// checks only the rights to the first byte of an unaligned access; a processor checks the rights to
// each word. So only pointers that the attacker gives to the kernel cross such a boundary.
static uint32_t uncrossed(uint32_t address) {
    return address % 32 > 28 ? address & ~3u : address;
}

static uint32_t any_pointer(void) {
    switch (plan_below(4)) {
    case 0:
        return plan_random();
    case 1:
        return MACHINE_DATA + plan_below(0x8000);
    default:
        return plan_places[plan_below(plan_place_count)] +
               (uint32_t)distances[plan_below(COUNT(distances))];
    }
}

static uint32_t any_address(void) {
    return uncrossed(any_pointer());
}

// Returns a random value for a register: a handle, a method, a pointer, a timeout, or any other
// number.
static uint32_t any_argument(void) {
    switch (plan_below(8)) {
    case 0:
        return plan_random();
    case 1:
        return any_pointer();
    case 2:
        return (uint32_t)attacker_data_start + 4 * plan_below(PLAN_DATA_BYTES / 4 + 1);
    case 3:
        return UINT32_MAX - plan_below(2);
    default:
        return plan_below(plan_below(2) == 0 ? 8 : 40);
    }
}

static const uint8_t variants[KINDS] = {
    [LEGAL] = LEGALS, [LOAD] = LOADS,      [STORE] = STORES,
    [JUMP] = JUMPS,   [CALL] = 1,          [STORM] = 1,
    [STACK] = STACKS, [FORGE] = FORGERIES, [PRIVILEGE] = PRIVILEGES,
    [LOOK] = LOOKS,
};

static uint32_t any_kind(void) {
    static const uint8_t kinds[] = {LOAD,  LOAD,  STORE, STORE,     JUMP, CALL, STORM,
                                    STORM, STORM, STACK, PRIVILEGE, LOOK, FORGE};
    return kinds[plan_below(sizeof kinds)];
}

// Returns whether the emulator, unlike a processor, would allow the kernel to copy a message at
// this address.
static bool is_overlooked(uint32_t address) {
    enum { LONGEST = 20 };
    return plan_is_overlooked(address) || plan_is_overlooked(address + LONGEST);
}

static void fill(struct order *planned) {
    for (uint32_t i = 0; i < CORE_REGISTERS; i++) {
        const uint32_t argument = any_argument();
        planned->registers[i] = is_overlooked(argument) ? 0 : argument;
    }
    planned->registers[HANDLE] *= HANDLE_SCALE;
    planned->registers[METHOD] *= METHOD_SCALE;
}

// Plans the start of a timer with times so long that the kernel cannot distinguish them from times
// in the past.
static void overwind(struct order *planned) {
    planned->registers[HANDLE] = TIMER_SHARED * HANDLE_SCALE;
    planned->registers[METHOD] = BULKHEAD_TIMER_START * METHOD_SCALE;
    planned->registers[ARGUMENT] = 1 + plan_below(2);
    planned->registers[SECOND_ARGUMENT] = 0x80000000u + plan_below(4);
}

// Returns an unaligned address, from which a word of the message crosses the next multiple of 32.
static uint32_t crossing(uint32_t address) {
    return (address | 31) - 4 * plan_below(3) - plan_below(3);
}

// Plans a call that sends or receives a message at the order's address, or across the boundary
// after it. With a full or an empty queue, the call returns at once.
static void post(struct order *planned) {
    const uint32_t address = plan_below(4) == 0 ? crossing(planned->address) : planned->address;
    if (is_overlooked(address)) {
        return;
    }
    static const uint8_t queues[] = {QUEUE_SHARED, QUEUE_WORDS, QUEUE_SENT, QUEUE_RECEIVED};
    planned->registers[HANDLE] = queues[plan_below(COUNT(queues))] * HANDLE_SCALE;
    planned->registers[METHOD] = plan_below(2) * METHOD_SCALE;
    planned->registers[ARGUMENT] = address;
    planned->registers[SECOND_ARGUMENT] = 0;
}

// Plans a call that lends memory at the order's address to the clerk: a few bytes, a range that
// reaches into the next region, or a range that wraps around.
static void lend(struct order *planned) {
    static const uint32_t lengths[] = {1, 4, 33, 1024, 0x80000000u, UINT32_MAX};
    planned->registers[HANDLE] = GATE_CLERK * HANDLE_SCALE;
    planned->registers[METHOD] = BULKHEAD_GATE_CALL_LENDING * METHOD_SCALE;
    planned->registers[ARGUMENT] = UINT32_MAX - plan_below(2);
    planned->registers[SECOND_ARGUMENT] = 1 + plan_below(3);
    planned->registers[LENT_ADDRESS] = planned->address;
    planned->registers[LENT_BYTES] = lengths[plan_below(COUNT(lengths))] - plan_below(2);
}

// Plans an order of the wanted kind, or a system call if the architecture does not have this kind.
static void plan(struct order *planned, uint32_t wanted, uint32_t address) {
    const uint32_t kind = variants[wanted] != 0 ? wanted : CALL;
    planned->kind = kind;
    planned->variant = plan_below(variants[kind]);
    planned->address = address;
    fill(planned);
    plan_refine(planned);
    if (kind == PRIVILEGE) {
        planned->address = (uint32_t)kernel + 64;
    }
    if (kind == CALL) {
        order_expect_success(planned);
    }
    if (kind == CALL && plan_below(8) == 0) {
        overwind(planned);
    } else if (kind == CALL && plan_below(4) == 0) {
        post(planned);
    } else if (kind == CALL && plan_below(4) == 0) {
        lend(planned);
    }
}

void plan_random_order(struct order *planned, uint32_t n) {
    (void)n;
    const uint32_t address = any_address();
    plan(planned, any_kind(), address);
}

void plan_crafted_order(struct order *planned, uint32_t n) {
    static const uint8_t kinds[] = {LOAD, STORE, JUMP, CALL, STACK, LOOK, FORGE, PRIVILEGE};
    const uint32_t turn = n / COUNT(kinds), place = turn % plan_place_count;
    const uint32_t distance = turn / plan_place_count % COUNT(distances);
    const uint32_t address = uncrossed(plan_places[place] + (uint32_t)distances[distance]);
    plan(planned, kinds[n % COUNT(kinds)], address);
    if (planned->kind == CALL && plan_below(2) == 0) {
        post(planned);
    } else if (planned->kind == CALL && plan_below(2) == 0) {
        lend(planned);
    } else if (planned->kind == CALL) {
        planned->registers[HANDLE] = address;
    }
}

void plan_legal_order(struct order *planned, uint32_t n) {
    enum { NOWHERE = 0x60000000 };
    plan(planned, n % 4 == 0 ? LOAD + n / 4 % 3 : LEGAL, NOWHERE + plan_below(NOWHERE));
}
