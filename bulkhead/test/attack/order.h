// SPDX-License-Identifier: MIT
//
// What the judge tells the attacker to do, and what the attacker says of it. The attacker may have
// spoiled what it says: the judge believes only that it went on (`done`), and only if what it was
// told cannot write there.
//
// Which registers there are and what can be done with them is the architecture's:
// machine_order.h, which also has the handles.
#ifndef ORDER_H
#define ORDER_H

#include <machine_order.h>

#define ORDER_REGISTERS 32
#define ORDER_AFTER (ORDER_REGISTERS + 4 * CORE_REGISTERS)
#define ORDER_MACHINE (ORDER_AFTER + 4 * CORE_REGISTERS)
#define ORDER_LEAKED 16

#ifndef __ASSEMBLER__
#include <bulkhead/methods.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind {
    NOTHING,
    LEGAL, // what it has a right to
    LOAD,
    STORE,
    JUMP,      // to `address`
    CALL,      // a system call with `registers`
    STORM,     // many calls, from the seed in the first register
    STACK,     // with the stack pointer at `address`
    FORGE,     // `registers` into what is kept of a thread that waits
    PRIVILEGE, // an instruction that is not for threads
    LOOK,      // at registers that others used
    KINDS,
};

struct order {
    uint32_t kind, variant;
    uint32_t address;
    uint32_t done;
    uint32_t leaked;      // what a thread that just began found in its registers
    uint32_t calls;       // STORM: how many came back …
    uint32_t changed;     // … and whether one changed a register …
    uint32_t overstepped; // … or did what is not granted
    uint32_t registers[CORE_REGISTERS];
    uint32_t after[CORE_REGISTERS]; // of CALL
    struct machine_order machine;
};
_Static_assert(offsetof(struct order, leaked) == ORDER_LEAKED, "assembler's");
_Static_assert(offsetof(struct order, registers) == ORDER_REGISTERS, "assembler's");
_Static_assert(offsetof(struct order, machine) == ORDER_MACHINE, "assembler's");

extern volatile struct order order;

enum { RIGHTS = 32 }; // the length of a table of rights: handles are taken modulo it

static inline uint32_t order_handle(const volatile struct order *given) {
    return given->registers[HANDLE] / HANDLE_SCALE % RIGHTS;
}

static inline uint32_t order_method(const volatile struct order *given) {
    return given->registers[METHOD] / METHOD_SCALE % BULKHEAD_METHODS;
}

// A bit for each of those that the declaration (system.toml) gives the attacker.
static inline uint32_t order_methods(const volatile struct order *given) {
    switch (order_handle(given)) {
    case BULKHEAD_SELF:
    case FLAGS_SHARED:
        return 0x3F;
    case SEMAPHORE_OWN:
    case SEMAPHORE_SHARED:
    case QUEUE_SHARED:
    case QUEUE_WORDS:
    case GATE_CLERK:
        return 0x03;
    case MUTEX_OWN:
    case MUTEX_SHARED:
    case QUEUE_OWN:
    case POOL_SHARED:
    case TIMER_SHARED:
        return 0xC0;
    case THREAD_BELL:
    case INTERRUPT_DOOR:
        return 0x01;
    default:
        return 0;
    }
}

static inline bool order_is_granted(const volatile struct order *given) {
    return order_methods(given) >> order_method(given) & 1;
}

// Where success writes no result, it is there before.
static inline void order_expect_success(volatile struct order *given) {
    if (RESULT != HANDLE) {
        given->registers[RESULT] = 0; // BULKHEAD_OK
    }
}

// That the kernel reads or writes where the argument says; 0 if it does not.
static inline uint32_t order_message_bytes(const volatile struct order *given) {
    const uint32_t handle = order_handle(given);
    const uint32_t bytes = handle == QUEUE_SHARED ? 20 : handle == QUEUE_WORDS ? 16 : 0;
    return order_is_granted(given) ? bytes : 0;
}

// Those of LEGAL are in attacker.c, the others are the architecture's.
enum { LEGALS = 26 };
#endif

#endif
