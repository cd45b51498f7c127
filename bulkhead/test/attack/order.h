// SPDX-License-Identifier: MIT
//
// The order of the judge to the attacker, which says what to attack, and the attacker's results.
// The attacker may have overwritten the results, so the judge uses only the information that the
// attacker continued (`done`), and only if the order cannot write to it.
//
// The registers differ between architectures: machine_order.h, which also has the handles.
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
    LEGAL, // makes calls that the attacker has a right to
    LOAD,
    STORE,
    JUMP,      // jumps to `address`
    CALL,      // makes a system call with `registers`
    STORM,     // makes many random calls; the first register is the seed
    STACK,     // makes a system call with the stack pointer at `address`
    FORGE,     // writes `registers` into the saved context of a waiting thread
    PRIVILEGE, // executes a privileged instruction
    LOOK,      // reads registers that other threads used
    KINDS,
};

struct order {
    uint32_t kind, variant;
    uint32_t address;
    uint32_t done;
    uint32_t leaked;      // number of registers in which a new thread found values of other threads
    uint32_t calls;       // STORM: number of calls that returned
    uint32_t changed;     // STORM: whether a call changed a register that it must preserve
    uint32_t overstepped; // STORM: whether a call did something that the attacker has no right to
    uint32_t registers[CORE_REGISTERS];
    uint32_t after[CORE_REGISTERS]; // CALL: registers after the call
    struct machine_order machine;
};
_Static_assert(offsetof(struct order, leaked) == ORDER_LEAKED, "assembler's");
_Static_assert(offsetof(struct order, registers) == ORDER_REGISTERS, "assembler's");
_Static_assert(offsetof(struct order, machine) == ORDER_MACHINE, "assembler's");

extern volatile struct order order;

enum { RIGHTS = 32 }; // length of a table of rights; the kernel reduces handles modulo this length

static inline uint32_t order_handle(const volatile struct order *given) {
    return given->registers[HANDLE] / HANDLE_SCALE % RIGHTS;
}

static inline uint32_t order_method(const volatile struct order *given) {
    return given->registers[METHOD] / METHOD_SCALE % BULKHEAD_METHODS;
}

// Returns a bit mask of the methods of a handle that the declaration (system.toml) grants the
// attacker.
static inline uint32_t order_methods(const volatile struct order *given) {
    switch (order_handle(given)) {
    case BULKHEAD_SELF:
    case FLAGS_SHARED:
        return 0x3F;
    case HANDLE_SEMAPHORE_OWN:
    case SEMAPHORE_SHARED:
    case QUEUE_SHARED:
    case QUEUE_WORDS:
    case HANDLE_MUTEX_OWN:
    case MUTEX_SHARED:
    case HANDLE_QUEUE_OWN:
    case POOL_SHARED:
    case TIMER_SHARED:
        return 0x03;
    case GATE_CLERK:
        return 0x13;
    case FLAGS_AWAITED:
        return 0x3E;
    case SEMAPHORE_GIVEN:
    case QUEUE_RECEIVED:
        return 0x02;
    case QUEUE_SENT:
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

// Sets the result to success in advance, because a successful call may write no result.
static inline void order_expect_success(volatile struct order *given) {
    if (RESULT != HANDLE) {
        given->registers[RESULT] = 0; // BULKHEAD_OK
    }
}

// Returns the size of the message that the kernel reads or writes at the address in the argument; 0
// if the call has no message.
static inline uint32_t order_message_bytes(const volatile struct order *given) {
    if (!order_is_granted(given)) {
        return 0;
    }
    switch (order_handle(given)) {
    case QUEUE_SHARED:
    case QUEUE_RECEIVED:
        return 20;
    case QUEUE_WORDS:
    case QUEUE_SENT:
        return 16;
    default:
        return 0;
    }
}

// Returns whether the call lends memory to the clerk, a server of the judge's process.
static inline bool order_lends(const volatile struct order *given) {
    return order_handle(given) == GATE_CLERK && order_method(given) == BULKHEAD_GATE_CALL_LENDING;
}

// The variants of LEGAL are in attacker.c; the others belong to the architecture.
enum { LEGALS = 31 };
#endif

#endif
